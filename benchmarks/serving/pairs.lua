-- For wrk: single pairs, none twice, not in the next run either.
local i = 0
local roads = {"文三路","建设北大街","中山东路","青年路","科技三路","解放大道","人民南路"}
local estates = {"阳光花园","东泰花园","海月小区","锦绣家园","翠湖天地"}
local base = 0
function setup(thread) base = base + 1000003; thread:set("offset", base) end
function init(args) i = offset + os.time() % 100000 * 10 end
request = function()
  i = i + 1
  local road, estate = roads[i % 7 + 1], estates[i % 5 + 1]
  local a = string.format("浙江省杭州市西湖区%s%d号%s%d号楼%d单元%d室", road, i + 1, estate, i % 31 + 1, i % 4 + 1, i % 20 + 101)
  local b = string.format("杭州西湖%s%d号%s%d栋", road, i + 1 + (i % 3 == 0 and 1 or 0), estate, i % 31 + 1 + i % 2)
  return wrk.format("POST", "/match", {["content-type"] = "application/json"}, string.format([[{"a":"%s","b":"%s"}]], a, b))
end
