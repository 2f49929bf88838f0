"""The table of routes: everything that the service answers, with what its documentation says."""

from __future__ import annotations

from menpai.serving import admin, pages, routes, wire
from menpai.serving.jobs import handlers
from menpai.serving.jobs import wire as jobs
from menpai.serving.openapi import FILE, KEYED, WORK, Operation, list_of, named_list, one_of, ref
from menpai.serving.paths import later

_A, _B = "杭州市西湖区文三路123号", "西湖区文三路125号"
_PAIR = {"a": _A, "b": _B}
_PLACE = {"text": _B, "lat": 30.2741, "lon": 120.1551, "crs": "wgs84"}
_TEXTS = {"texts": [_A, "⻄安市雁塔区小寨东路十八号"]}
_TEXT = {"type": "string"}

UPLOAD = "/v1/jobs/table"

_suggest = later("menpai.serving.suggesting", "suggest")
_search, _nearby = (later("menpai.serving.searching", name) for name in ("search", "nearby"))

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "POST", "/v1/match", routes.match,
        "Judge one pair, a list of pairs, or candidates for a query",
        "One pair gives its verdict. A list gives `verdicts` in the same order, each with the pair's `id`; a "
        "pair that cannot be judged gives a `problem` in its place. A query with candidates gives `ranked`, "
        "by similarity.",
        {"oneOf": [ref(wire.Verdict), named_list("verdicts", one_of(wire.VerdictRow, wire.ProblemRow)),
                   named_list("ranked", one_of(wire.RankedRow, wire.ProblemRow))]},
        WORK, (wire.Pair, wire.PairList, wire.Candidates),
        (_PAIR, {"pairs": [_PAIR | {"id": "row-1"}]}, {"query": _A, "candidates": [_B, _PLACE]}),
    ),
    Operation(
        "POST", "/v1/normalize", routes.normalize, "Clean texts",
        "A list in the order of `texts`; a text that cannot be read gives a `problem` in its place. `skip` leaves "
        "steps out, `explain` adds what each step did.",
        list_of(one_of(wire.NormalizedRow, wire.ProblemRow)), WORK, (wire.Texts,),
        (_TEXTS | {"skip": ["notes"], "explain": True},),
    ),
    Operation(
        "POST", "/v1/parse", routes.parse, "Find the elements of addresses",
        "A list in the order of `texts`; a text that cannot be read gives a `problem` in its place. `default_city`, "
        "`near` and an address's own coordinates settle homonyms, `as_of` reads with the divisions of a date. With "
        "a `style` other than `elements` a row is an object with that style's columns.",
        list_of({"anyOf": [ref(wire.AddressRow), ref(wire.ProblemRow), {"type": "object"}]}), WORK,
        (wire.ParseTexts,), ({"texts": [_A, _PLACE], "default_city": "杭州市"},),
    ),
    Operation(
        "GET", "/v1/suggest", _suggest, "Complete what is typed",
        "The best completions from a library, best first: rows, and elements that come next with the rows behind them. "
        "Characters, pinyin and initials may be mixed; `city` and a position are preferred, not required.",
        named_list("suggestions", ref(wire.SuggestionRow)), WORK, query=wire.SuggestQuery,
    ),
    Operation(
        "POST", "/v1/search", _search, "Find addresses in a library",
        "Candidates for a query, best first, with verdicts; for `queries` a list in their order, in which a query that "
        "cannot be read gives a `problem`. With `standardize` the row that is clearly meant, or why there is none.",
        {"anyOf": [ref(wire.CandidateList), ref(wire.StandardRow),
                   list_of({"anyOf": [ref(kind) for kind in (wire.CandidateList, wire.StandardRow, wire.ProblemRow)]})]},
        WORK, (wire.SearchQuery, wire.SearchQueries),
        ({"query": {"address": _B, "name": "文三大厦", "lat": 30.2741, "lon": 120.1551}, "k": 5},
         {"queries": [_A, _B], "standardize": True}),
    ),
    Operation(
        "GET", "/v1/nearby", _nearby, "The addresses nearest to a point",
        "Rows of a library with coordinates, nearest first, with their distances.",
        ref(wire.CandidateList), WORK, query=wire.NearbyQuery,
    ),
    Operation(
        "POST", "/infer", routes.infer, "Judge one pair, fields addr1 and addr2",
        "`similarity`, and the rest of the verdict.",
        ref(wire.Verdict), WORK, (wire.InferPair,), ({"addr1": _A, "addr2": _B},),
    ),
    Operation(
        "POST", "/match", routes.score, "Judge one pair, answered with a score",
        "`score`, and the verdict; the answer comes when it is done.",
        ref(wire.ScoredVerdict), WORK, (wire.Pair,), (_PAIR,),
    ),
    Operation(
        "POST", "/v1/admin/reload", admin.reload, "Load another pack, or the same again",
        "Loads and checks a pack beside the one in use, then exchanges them; no request is lost. Needs the service's "
        "own `api_key`. If the pack cannot be used, the old one stays.",
        ref(wire.Reloaded), (*WORK, 403), (wire.Reload,), ({"pack": "menpai-mini"},),
    ),
    Operation(
        "POST", UPLOAD, handlers.upload, "Upload a table",
        "The body is the file itself: CSV, TSV, Excel, Parquet or JSON Lines. It is kept for an hour, for one job.",
        ref(jobs.TableLook), WORK, query=jobs.UploadQuery, upload=True,
    ),
    Operation(
        "GET", UPLOAD, handlers.look, "Look at an uploaded table again",
        "Its columns, what they are taken for, and its first rows; another sheet, if one is named.",
        ref(jobs.TableLook), WORK, query=jobs.LookQuery,
    ),
    Operation(
        "POST", "/v1/jobs", handlers.begin, "Start a job on uploaded tables",
        "Match a table of pairs, link two tables, or dedupe one, as `menpai match`, `link` and `dedupe` do. Jobs run one "
        "after another.",
        ref(jobs.JobStatus), WORK, (jobs.NewJob,),
        ({"kind": "link", "tables": ["6v9…", "Kd0…"], "columns": {"address": "地址"}},),
    ),
    Operation("GET", "/v1/jobs", handlers.status, "How far a job is",
              "The state, progress with the time left for the stage, and in the end the figures and the pairs most in doubt.",
              ref(jobs.JobStatus), (*WORK, 404), query=jobs.JobQuery),
    Operation("GET", "/v1/jobs/result", handlers.result, "Take the result of a job",
              "The table in its own format with the columns that were added, or the report (HTML), as files to save.",
              FILE, (*WORK, 404), query=jobs.ResultQuery, media="application/octet-stream"),
    Operation("DELETE", "/v1/jobs", handlers.delete, "Delete a job or an uploaded table",
              "Ends it if it runs, and deletes its files.", ref(jobs.Deleted), (*WORK, 404), query=jobs.JobQuery),
    Operation("GET", "/livez", routes.livez, "Alive", "200 as long as the process answers.",
              {"type": "object", "properties": {"status": _TEXT}}),
    Operation("GET", "/readyz", routes.readyz, "Ready",
              "200 when warmed and not draining, with pack and behaviour.", ref(wire.Ready), (500, 503)),
    Operation("GET", "/metrics", routes.metrics, "Metrics", "For Prometheus.", _TEXT,
              KEYED, media="text/plain"),
    Operation("GET", "/docs", pages.docs, "API pages", "This document, to read and to try; needs no network.",
              _TEXT, media="text/html"),
    Operation("GET", "/openapi.json", pages.openapi, "This document", "OpenAPI 3.1.", {"type": "object"}),
    Operation("GET", "/", pages.root, "The page", "Two addresses compared and drawn, for people; needs no network.",
              _TEXT, media="text/html"),
)  # fmt: skip
