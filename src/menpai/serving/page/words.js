// Everything the page says, in Chinese and English.

const LANGUAGE = "menpai.language";

// key: [zh, en]
const WORDS = {
  skip: ["跳到正文", "Skip to content"],
  api: ["接口文档", "API pages"],
  key_title: ["需要密钥", "A key is needed"],
  key: ["API 密钥", "API key"],
  key_use: ["使用", "Use"],
  key_note: ["只留在这个标签页里，关闭后即忘。", "Kept in this tab only, and forgotten when it is closed."],
  key_wrong: ["密钥不对，请再输入一次。", "That key is wrong; enter it again."],
  pair_title: ["两条地址是同一处吗？", "Are these two addresses the same place?"],
  address_a: ["地址甲", "Address A"],
  address_b: ["地址乙", "Address B"],
  a: ["甲", "A"],
  b: ["乙", "B"],
  compare: ["比较", "Compare"],
  example: ["换个例子", "Another example"],
  enter: ["按 Enter 提交", "Enter submits"],
  parse_title: ["读一条地址", "Read an address"],
  address: ["地址", "Address"],
  read: ["拆分", "Read"],
  service_title: ["服务状态", "The service"],
  privacy: [
    "地址只发给这台服务；本页不引用任何外部资源，也不保存地址。",
    "Addresses go to this service only; the page loads nothing from elsewhere and keeps no address.",
  ],
  working: ["请稍候……", "One moment …"],
  differs: ["不同：", "differs: "],
  only_here: ["只有这边有", "only here"],
  conflict: ["冲突", "Conflict"],
  for_it: ["支持同一处", "For the same place"],
  against_it: ["反对同一处", "Against it"],
  nothing: ["无", "none"],
  comma: ["、", ", "],
  similarity: ["相似度", "Similarity"],
  probabilities: ["概率", "Probabilities"],
  agree_to: ["一致到：", "Agree down to: "],
  no_level: ["没有一致的级别", "No level in common"],
  decided_by: ["判定者：", "Decided by "],
  drawn: ["按要素画出的两条地址", "Both addresses by element"],
  took: ["用时 {ms} 毫秒", "took {ms} ms"],
  elements: ["要素", "Elements"],
  kind: ["类别", "Kind"],
  text: ["写法", "Written"],
  value: ["比较用的值", "Compared as"],
  source: ["来源", "Found by"],
  sure: ["把握", "Sure"],
  code: ["区划代码", "Division code"],
  level: ["精确到", "Goes down to"],
  cleaned: ["归一后", "Cleaned"],
  former: ["旧名", "Former name"],
  zone: ["功能区", "Zone"],
  contradicts: ["自相矛盾", "Contradicts itself"],
  perhaps: ["或许是", "Perhaps meant"],
  settled_by: ["写明它就能确定", "Settled by"],
  read_as: ["另一种读法", "Or read as"],
  state: ["状态", "State"],
  ready: ["就绪", "Ready"],
  warming: ["预热中", "Warming up"],
  draining: ["正在停止", "Draining"],
  failed: ["未就绪", "Not ready"],
  unreachable: ["连不上服务", "The service cannot be reached"],
  unreachable_hint: ["请检查它是否在运行。", "Check whether it is running."],
  pack: ["模型包", "Pack"],
  version: ["版本", "Version"],
  queue: ["排队", "Waiting"],
  waits: ["{items} 条，约 {seconds} 秒", "{items} rows, about {seconds} s"],
  memory: ["内存", "Memory"],
  answered: ["已回答的请求", "Requests answered"],
  behaviour: ["行为指纹", "Behaviour"],
  with_key: ["需要密钥才能看", "needs the key"],
  request_id: ["请求编号", "Request id"],
};

export const LABELS = {
  exact_match: ["完全匹配", "exact match"],
  partial_match: ["部分匹配", "partial match"],
  not_match: ["不匹配", "no match"],
};
export const MEANINGS = {
  exact_match: ["同一个地方", "The same place"],
  partial_match: ["同一片地方，但不是同一处", "The same area, not the same place"],
  not_match: ["不是同一个地方", "Not the same place"],
};
export const KINDS = {
  none: ["无", "none"],
  province: ["省", "province"],
  city: ["市", "city"],
  district: ["区县", "district"],
  town: ["街道乡镇", "town"],
  community: ["社区村", "community"],
  village_group: ["村民组", "village group"],
  devzone: ["开发区", "development zone"],
  road: ["道路", "road"],
  roadno: ["门牌号", "house number"],
  intersection: ["路口", "intersection"],
  poi: ["地点", "place"],
  place: ["道路或地点", "road or place"],
  subpoi: ["子地点", "part of place"],
  building: ["楼栋", "building"],
  unit: ["单元", "unit"],
  floor: ["楼层", "floor"],
  room: ["房间", "room"],
  distance: ["距离", "distance"],
  assist: ["方位", "direction"],
};
export const SOURCES = {
  gazetteer: ["区划表", "gazetteer"],
  rule: ["规则", "rule"],
  tagger: ["标注模型", "tagger"],
};
export const DECIDED_BY = {
  exact: ["文本相同", "equal texts"],
  rules: ["规则", "rules"],
  fast: ["快速打分", "the fast scorer"],
  encoder: ["编码器", "the encoder"],
};

let spoken = first();

/** zh or en. */
export function language() {
  return spoken;
}

/** Speak this language from now on; the choice is remembered by the browser. */
export function speak(chosen) {
  spoken = chosen;
  try {
    localStorage.setItem(LANGUAGE, chosen);
  } catch { /* storage is switched off: the choice lasts as long as the page */ }
}

/** The one of [zh, en] that is spoken. */
export function pick(texts) {
  return texts[spoken === "zh" ? 0 : 1];
}

/** The word for a key, with {names} filled. */
export function word(key, values = {}) {
  return pick(WORDS[key]).replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** More words, of another room: {key: [zh, en]}. */
export function addWords(words) {
  Object.assign(WORDS, words);
}

/** Put the words of a part of the page into the language spoken. */
export function translate(part) {
  document.documentElement.lang = spoken;
  for (const element of part.querySelectorAll("[data-word]")) element.textContent = word(element.dataset.word);
}

function first() {
  const asked = new URLSearchParams(location.search).get("lang");
  if (asked === "zh" || asked === "en") return asked;
  try {
    const kept = localStorage.getItem(LANGUAGE);
    if (kept === "zh" || kept === "en") return kept;
  } catch { /* storage is switched off */ }
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}
