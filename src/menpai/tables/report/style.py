"""How a report looks, on a screen and on paper."""

CSS = """
:root{--ink:#1c1d20;--soft:#5a5d66;--line:#d8d6d0;--exact:#1e6b3c;--partial:#b9770e;--not:#b3261e;--plain:#1d4f91}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1rem;color:var(--ink);background:#fff;
font:15px/1.5 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
h1{font-size:1.5rem;margin:0}
h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:1rem 0 .25rem}
p{margin:.3rem 0}
.note,small,i,footer{color:var(--soft);font-size:.85rem;font-style:normal}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .7rem;border-bottom:1px solid var(--line);text-align:right}
th:first-child,td:first-child{text-align:left}
td,dd{overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.5rem 0}
dt{color:var(--soft)}
dd{margin:0}
.wide{overflow-x:auto}
.cards{display:flex;flex-wrap:wrap;gap:.5rem;margin-bottom:.8rem}
.cards div{border:1px solid var(--line);border-radius:.4rem;padding:.4rem .8rem}
.cards b{display:block;font-size:1.3rem;font-variant-numeric:tabular-nums}
svg{width:100%;height:auto;font-size:12px;display:block}
svg text{fill:var(--ink)}svg .count{font-size:9px;fill:var(--soft)}
.exact_match{fill:var(--exact)}
.partial_match{fill:var(--partial)}
.not_match{fill:var(--not)}
.plain{fill:var(--plain)}
.axis{stroke:var(--soft)}
.mark{stroke:var(--ink);stroke-dasharray:3 3}
.frame{fill:none;stroke:var(--line)}
.bar{fill:none;stroke:var(--ink);stroke-width:2}
.dots{fill:none;stroke-width:5;stroke-linecap:round;opacity:.7}
.linked_points,.clustered_points{stroke:var(--exact)}
.other_points,.alone_points{stroke:var(--partial)}
.key span{display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 1em;background:currentColor}
.key .exact_match{color:var(--exact)}
.key .partial_match{color:var(--partial)}
.key .not_match{color:var(--not)}
.pair{border-left:.3rem solid var(--line);padding:.2rem .8rem;margin:.6rem 0;break-inside:avoid}
.pair ul{margin:.2rem 0;padding-left:1.2rem}
.pair.exact_match{border-color:var(--exact)}
.pair.partial_match{border-color:var(--partial)}
.pair.not_match{border-color:var(--not)}
.address{font-size:1.05rem;overflow-wrap:anywhere}
.part{display:inline-flex;flex-direction:column;vertical-align:top;text-align:center;margin:0 1px}
.part i{font-size:.65rem;line-height:1.2;white-space:nowrap}
.part span{padding:0 .15rem;border-radius:.2rem}
.division span{background:#dfeaf8}
.road span{background:#fbe8d0}
.spot span{background:#eadff5}
.inside span{background:#d8efe4}
.aside span{background:#e9e8e4}
.unread span{border-bottom:1px dotted var(--soft)}
.differs span{outline:2px solid var(--not);font-weight:700}
.differs i{color:var(--not);font-weight:700}
section{break-inside:avoid-page}
@media print{
body{max-width:none;font-size:11pt;padding:0;print-color-adjust:exact;-webkit-print-color-adjust:exact}
h2{break-after:avoid}}
"""
