-- For wrk: single pairs, none twice ("distinct") or always the same ("same"); prints rate and latency as JSON.
local mode, thread_number = "distinct", 0

function setup(thread)
  thread:set("number", thread_number)
  thread_number = thread_number + 1
end

function init(args)
  mode = args[1] or "distinct"
  count = 0
end

function request()
  if mode == "distinct" then count = count + 1 end
  local n = count * 8 + number
  local body = string.format(
    '{"a":"浙江省杭州市西湖区文三路%d号海月小区%d号楼%d单元%d室","b":"杭州西湖文三路%d号海月小区%d栋"}',
    n + 1, n % 31 + 1, n % 4 + 1, n % 20 + 101, n + 1 + (n % 3 == 0 and 1 or 0), n % 31 + 1 + n % 2)
  return wrk.format("POST", "/v1/match", {["content-type"] = "application/json"}, body)
end

function done(summary, latency)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout
  io.write(string.format('{"rate": %.0f, "p50_ms": %.2f, "p99_ms": %.2f, "failed": %d}\n',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000, failed))
end
