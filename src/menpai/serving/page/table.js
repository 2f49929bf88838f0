// A table to upload: what to do with it, what its columns are, how far it is, what came of it. Nothing is kept but the
// ids of this tab's jobs, in this tab.
import { ask, fetchFrom } from "./ask.js";
import { $, make, makeTable } from "./make.js";
import { drawTrouble } from "./trouble.js";
import { addWords, KINDS, LABELS, language, pick, word } from "./words.js";

addWords({
  table_title: ["整张表格", "A whole table"],
  table_note: [
    "CSV、TSV、Excel、Parquet 或 JSON Lines。表格只存在这台服务上，做完后到期即删，也可以随时删除。",
    "CSV, TSV, Excel, Parquet or JSON Lines. Tables stay on this service, are deleted some time after they are done, and "
    + "whenever you say so.",
  ],
  table_kind: ["要做什么", "What to do"],
  table_dedupe: ["找出一张表里的重复", "Find duplicates in one table"],
  table_link: ["把两张表对起来", "Link two tables"],
  table_match: ["判断一张表里的地址对", "Judge the pairs of one table"],
  table_file: ["表格", "Table"],
  table_left: ["左表（每行都会写出）", "Left table (each of its rows is written)"],
  table_right: ["右表", "Right table"],
  table_reading: ["正在上传并读取……", "Uploading and reading …"],
  table_columns: ["列", "Columns"],
  table_columns_note: ["找到的列如下，不对请改。", "These columns were found; change what is wrong."],
  table_before: ["地址前面会加上：{columns}。", "Before the address go: {columns}."],
  table_rows: ["{rows} 行", "{rows} rows"],
  table_sheet: ["工作表", "Sheet"],
  table_first: ["前几行", "First rows"],
  table_nothing: ["（没有）", "(none)"],
  table_accept: ["部分匹配也算同一处", "Partial matches join too"],
  table_start: ["开始", "Start"],
  table_delete: ["删除", "Delete"],
  table_another: ["另一张表格", "Another table"],
  table_waiting: ["等待中，前面还有 {before} 个", "Waiting; {before} before it"],
  table_running: ["正在处理：{stage}", "Working: {stage}"],
  table_left_time: ["这一步还要约 {seconds} 秒", "about {seconds} s left for this step"],
  table_done: ["完成", "Done"],
  table_some_problems: ["有些行有问题，见 problem 列。", "Some rows had problems; see the column problem."],
  table_failed: ["没有做成", "It failed"],
  table_result: ["下载结果 {name}", "Download the result {name}"],
  table_report: ["下载报告", "Download the report"],
  table_doubts: ["最拿不准的几对", "The pairs most in doubt"],
  table_pair_a: ["一条", "One"],
  table_pair_b: ["另一条", "The other"],
  table_label: ["结论", "Label"],
  table_similarity: ["相似度", "Similarity"],
  table_expires: ["{time} 后自动删除", "Deleted by itself after {time}"],
  table_deleted: ["已删除。", "Deleted."],
  table_off: ["这台服务不收表格。", "This service takes no tables."],
  role_a: ["第一列地址", "First address"],
  role_b: ["第二列地址", "Second address"],
  role_address: ["地址", "Address"],
  role_name: ["名称", "Name"],
  role_id: ["编号", "Id"],
  role_lat: ["纬度", "Latitude"],
  role_lon: ["经度", "Longitude"],
  role_crs: ["坐标系（高德、腾讯为 gcj02，百度为 bd09）", "Coordinates (Gaode and Tencent: gcj02, Baidu: bd09)"],
  role_phone: ["电话", "Phone"],
  stage_rows: ["逐行判断", "judging rows"],
  stage_candidates: ["找候选", "finding candidates"],
  stage_score: ["判断各对", "judging pairs"],
  stage_start: ["准备", "getting ready"],
  count_rows: ["行", "Rows"],
  count_left_rows: ["左表行数", "Left rows"],
  count_right_rows: ["右表行数", "Right rows"],
  count_linked: ["已连上", "Linked"],
  count_clusters: ["类", "Clusters"],
  count_duplicates: ["重复行", "Duplicates"],
  count_problems: ["有问题的行", "Rows with a problem"],
  count_review: ["待人看的对", "Pairs to look at"],
});
const STAGES = ["rows", "candidates", "score"];
const COUNTS = ["rows", "left_rows", "right_rows", "linked", "clusters", "duplicates", "problems", "review"];
const ROLES = { match: ["a", "b"], link: ["address", "name", "id", "lat", "lon", "crs", "phone"] };
const SYSTEMS = ["wgs84", "gcj02", "bd09"]; // of coordinates; Gaode and Tencent have the second, Baidu the third
const KEPT = "menpai.job";
const POLL_MS = 1000;
let kind = "dedupe";
let tables = {}; // by side: what the service saw in it
let job = null; // its last status
let trouble = null;
let note = "";
let timer = 0;

/** Once: show the room; go on with the job of this tab. */
export function mount(section) {
  section.append(
    make("h2", { id: "table-title", "data-word": "table_title" }),
    make("p", { class: "note", "data-word": "table_note" }),
    make("div", { id: "table-body", class: "answer" }),
    make("p", { id: "table-said", class: "note", role: "status" }));
  section.hidden = false;
  const kept = sessionStorage.getItem(KEPT);
  if (kept) look(kept);
  redraw();
}

/** Say everything again, in the language spoken now. */
export function redraw() {
  for (const element of $("table").querySelectorAll("h2, h2 + p")) element.textContent = word(element.dataset.word);
  $("table-body").replaceChildren(...(job === null ? drawForm() : drawJob()), ...(trouble ? [drawTrouble(trouble)] : []));
  $("table-said").textContent = note && word(note);
}

function drawForm() {
  const sides = kind === "link" ? ["left", "right"] : ["file"];
  const ready = sides.every((side) => tables[side]);
  const start = make("button", { type: "button", id: "table-start", disabled: !ready }, word("table_start"));
  start.addEventListener("click", begin);
  return [drawKinds(), ...sides.map(drawSide), kind === "match" ? "" : drawAccept(), make("div", { class: "row" }, start)];
}

function drawKinds() {
  const choices = ["dedupe", "link", "match"].map((name) => {
    const input = make("input", { type: "radio", name: "table-kind", value: name, id: `kind-${name}`, checked: name === kind });
    input.addEventListener("change", () => { kind = name; redraw(); $(`kind-${name}`).focus(); });
    return make("label", { class: "choice", for: `kind-${name}` }, input, " ", word(`table_${name}`));
  });
  return make("fieldset", {}, make("legend", {}, word("table_kind")), choices);
}

function drawAccept() {
  return make("label", { class: "choice", for: "table-accept" }, make("input", { type: "checkbox", id: "table-accept" }), " ",
    word("table_accept"));
}

function drawSide(side) {
  const input = make("input", { type: "file", id: `table-${side}`,
    accept: ".csv,.tsv,.txt,.jsonl,.ndjson,.xlsx,.xlsm,.xlsb,.xls,.ods,.parquet,.pq" });
  input.addEventListener("change", () => { if (input.files.length) send(side, input.files[0]); });
  const seen = tables[side];
  return make("div", { class: "side-of" },
    make("label", { for: `table-${side}` }, word(side === "file" ? "table_file" : `table_${side}`)), input,
    seen ? make("p", { class: "note" }, make("bdi", {}, seen.name), ` · ${word("table_rows", { rows: seen.rows.toLocaleString("en") })}`) : null,
    seen && seen.sheets.length > 1 ? drawSheets(side, seen) : null,
    seen ? drawColumns(side, seen) : null);
}

function drawSheets(side, seen) {
  const choice = choose(`sheet-${side}`, seen.sheets, seen.sheet);
  choice.addEventListener("change", () => again(side, choice.value));
  return make("p", {}, make("label", { for: `sheet-${side}` }, word("table_sheet")), choice);
}

function drawColumns(side, seen) {
  const shown = (ROLES[kind] ?? ROLES.link).filter((role) => role !== "crs" || seen.found.lat);
  const roles = shown.map((role) => {
    const choice = choose(`${side}-${role}`, ["", ...(role === "crs" ? SYSTEMS : seen.columns)], seen.chosen[role] ?? "");
    choice.addEventListener("change", () => { seen.chosen[role] = choice.value; });
    return make("div", {}, make("label", { for: `${side}-${role}` }, word(`role_${role}`)), choice);
  });
  const before = kind !== "match" && seen.before.length ? word("table_before", { columns: seen.before.join(" ") }) : "";
  return make("div", {}, make("p", { class: "note" }, word("table_columns_note"), " ", before), make("div", { class: "fields" }, roles),
    makeTable(word("table_first"), seen.columns, seen.first.filter((row) => row.length)));
}

function choose(id, values, chosen) {
  return make("select", { id }, values.map((value) =>
    make("option", { value, selected: value === chosen }, value || word("table_nothing"))));
}

async function send(side, file) {
  await quietly(async () => {
    forget(side);
    say("table_reading");
    const query = new URLSearchParams({ name: file.name });
    const seen = await (await fetchFrom(`/v1/jobs/table?${query}`, file)).json();
    tables[side] = { ...seen, chosen: { ...seen.found } };
  });
}

async function again(side, sheet) {
  await quietly(async () => {
    say("table_reading");
    const query = new URLSearchParams({ id: tables[side].table, sheet });
    const seen = await ask(`/v1/jobs/table?${query}`);
    tables[side] = { ...seen, chosen: { ...seen.found } };
  });
}

async function begin() {
  await quietly(async () => {
    const [left, right] = kind === "link" ? [tables.left, tables.right] : [tables.file, null];
    const body = { kind, tables: [left, right].filter(Boolean).map((each) => each.table), columns: columnsOf(left) };
    if (right) body.right_columns = columnsOf(right);
    if (left.sheet && left.sheets.length > 1 && kind !== "link") body.sheet = left.sheet;
    if ($("table-accept")?.checked) body.accept = "partial";
    job = await ask("/v1/jobs", body);
    tables = {};
    sessionStorage.setItem(KEPT, job.id);
    later();
  });
}

function columnsOf(seen) {
  const roles = ROLES[kind] ?? ROLES.link;
  const none = kind === "match" ? [] : Object.keys(seen.found).filter((role) => role !== "address" && !seen.chosen[role]);
  const chosen = { ...seen.chosen, ...Object.fromEntries(none.map((role) => [role, "-"])) }; // "-": not even by its name
  if (kind !== "match" && chosen.address === seen.found.address) delete chosen.address; // found with what stands before it
  else if (chosen.address) chosen.address = [...seen.before.filter((name) => name !== chosen.address), chosen.address].join(",");
  return Object.fromEntries(Object.entries(chosen).filter(([role, column]) => column && roles.includes(role)));
}

async function look(id) {
  try {
    job = await ask(`/v1/jobs?${new URLSearchParams({ id })}`);
    trouble = null;
  } catch (refusal) {
    if (refusal.status === 404 || refusal.status === 403) leave();
    else if (job === null) job = { id, state: "waiting", before: 0, tables: [], notes: [] };
    if (refusal.status !== 404 && refusal.status !== 403) trouble = refusal;
  }
  redraw();
  later();
}

function later() {
  clearTimeout(timer);
  if (job && ["waiting", "running"].includes(job.state)) timer = setTimeout(() => look(job.id), POLL_MS);
}

function drawJob() {
  const named = make("p", {}, make("strong", {}, word(`table_${job.kind ?? "dedupe"}`)), " ", make("bdi", {}, job.tables.join(" ↔ ")));
  const parts = { waiting: drawWaiting, running: drawRunning, done: drawDone, failed: drawFailed }[job.state]();
  const remove = make("button", { type: "button", class: "quiet", id: "table-delete" }, word("table_delete"));
  remove.addEventListener("click", forgetJob);
  const ended = ["done", "failed"].includes(job.state);
  const another = make("button", { type: "button", class: "quiet", id: "table-another", hidden: !ended }, word("table_another"));
  another.addEventListener("click", () => { leave(); redraw(); });
  return [named, ...parts, make("div", { class: "row" }, remove, another)];
}

function drawWaiting() {
  return [make("p", { role: "status" }, word("table_waiting", { before: job.before ?? 0 }))];
}

function drawRunning() {
  const { stage, share, seconds_left: left } = job.progress ?? {};
  const name = word(STAGES.includes(stage) ? `stage_${stage}` : "stage_start");
  const bar = make("progress", share === undefined ? { "aria-label": name } : { max: "1", value: String(share), "aria-label": name });
  return [make("p", { id: "table-stage" }, word("table_running", { stage: name })), bar,
    left === undefined ? "" : make("p", { class: "note" }, word("table_left_time", { seconds: Math.ceil(left) }))];
}

function drawDone() {
  const counts = Object.entries(job.summary.counts ?? {}).filter(([name]) => COUNTS.includes(name));
  const table = make("button", { type: "button", id: "table-result" }, word("table_result", { name: job.result }));
  table.addEventListener("click", () => save("table"));
  const report = make("button", { type: "button", class: "quiet", id: "table-report" }, word("table_report"));
  report.addEventListener("click", () => save("report"));
  const until = new Date(1000 * job.expires).toLocaleString(language());
  return [
    make("p", { role: "status" }, make("strong", {}, word("table_done")), job.rows_had_problems ? ` ${word("table_some_problems")}` : ""),
    make("dl", {}, counts.flatMap(([name, count]) => [make("dt", {}, word(`count_${name}`)), make("dd", { class: "figure" }, count.toLocaleString("en"))])),
    make("div", { class: "row" }, table, report), ...drawNotes(), ...drawDoubts(),
    make("p", { class: "note" }, word("table_expires", { time: until })),
  ];
}

function drawFailed() {
  return [make("p", { role: "status" }, make("strong", {}, word("table_failed"))), drawTrouble(job.problem), ...drawNotes()];
}

function drawNotes() {
  return job.notes.map((text) => make("p", { class: "note" }, make("bdi", {}, text)));
}

function drawDoubts() {
  const doubts = (job.summary.doubts ?? []).slice(0, 20);
  if (!doubts.length) return [];
  const heads = [word("table_pair_a"), word("table_pair_b"), word("table_label"), word("table_similarity")];
  const rows = doubts.map((pair) => [pair.a, pair.b,
    [pick(LABELS[pair.label]), ...pair.conflicts.map((name) => `≠ ${pick(KINDS[name] ?? [name, name])}`)].join(" · "),
    pair.similarity.toFixed(3)]);
  return [make("h3", {}, word("table_doubts")), makeTable(word("table_doubts"), heads, rows)];
}

async function save(file) {
  await quietly(async () => {
    const answer = await fetchFrom(`/v1/jobs/result?${new URLSearchParams({ id: job.id, file })}`);
    const name = file === "table" ? job.result : `${job.result.replace(/\.[^.]*$/, "")}.html`;
    const url = URL.createObjectURL(await answer.blob());
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  });
}

async function forgetJob() {
  await quietly(async () => {
    await fetchFrom(`/v1/jobs?${new URLSearchParams({ id: job.id })}`, undefined, undefined, "DELETE");
    leave();
    say("table_deleted");
  });
}

function forget(side) {
  const seen = tables[side];
  delete tables[side];
  if (seen) fetchFrom(`/v1/jobs?${new URLSearchParams({ id: seen.table })}`, undefined, undefined, "DELETE").catch(() => {});
}

function leave() {
  clearTimeout(timer);
  job = null;
  trouble = null;
  sessionStorage.removeItem(KEPT);
}

// Do it, and tell what went wrong with it.
async function quietly(work) {
  trouble = null;
  try {
    await work();
    if (note === "table_reading") note = "";
  } catch (refusal) {
    note = "";
    trouble = refusal;
  }
  redraw();
}

function say(key) {
  note = key;
  $("table-said").textContent = key && word(key);
}
