"""The JSON of every body and every answer, as msgspec Structs.

Bodies are decoded into these. Answers are what `to_dict()` of a value gives; their Structs describe them in
/openapi.json, and the tests hold every answer against them, so the two cannot drift apart.
Long because: it is one list of small shapes, looked up by name.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from menpai.parsing.styled import STYLES
from menpai.parsing.styles import CONVENTIONS


class Place(Struct):
    """An address with coordinates."""

    text: str
    lat: float | UnsetType = UNSET
    lon: float | UnsetType = UNSET
    crs: Annotated[str, Meta(description="wgs84, gcj02 or bd09")] | UnsetType = UNSET


# Taken as it comes: whether it is a good address is the matcher's to say, row by row.
Address = Annotated[
    Any,
    Meta(
        description="A text, or an object with text and coordinates.",
        extra_json_schema={"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Place"}]},
    ),
]


class Body(Struct, forbid_unknown_fields=True):
    """What a request may send: these fields and no other."""


class Pair(Body):
    """Two addresses."""

    a: Address
    b: Address


class PairRow(Pair):
    """Two addresses of a list; `id` comes back with the verdict."""

    id: str | int | UnsetType = UNSET


class PairList(Body):
    """Pairs that are judged one by one and answered in the same order."""

    pairs: list[PairRow]


class Candidates(Body):
    """One address and those that it may mean."""

    query: Address
    candidates: list[Address]


class Texts(Body):
    """Addresses that are cleaned one by one and answered in the same order."""

    texts: list[Address]
    skip: Annotated[list[str], Meta(description="Steps to leave out, such as contacts.")] = []
    explain: Annotated[bool, Meta(description="Whether each row has `changes`: what each step did.")] = False


class ParseTexts(Body):
    """Addresses that are read one by one and answered in the same order, with what may settle homonyms."""

    texts: list[Address]
    default_city: (
        Annotated[str, Meta(description="Name or code of the city where none is written.")] | UnsetType
    ) = UNSET
    near: (
        Annotated[
            list[float],
            Meta(
                description="Latitude and longitude; an address's own come first.", min_length=2, max_length=2
            ),
        ]
        | UnsetType
    ) = UNSET
    as_of: Annotated[str | int, Meta(description="Year or date whose divisions are read.")] | UnsetType = (
        UNSET
    )
    style: Annotated[str, Meta(extra_json_schema={"enum": list(STYLES)})] = "elements"
    convention: Annotated[str, Meta(extra_json_schema={"enum": list(CONVENTIONS)})] | UnsetType = UNSET


class SuggestQuery(Body):
    """What is behind the question mark of /v1/suggest."""

    q: Annotated[
        str, Meta(description="What was typed: characters, pinyin, initials, numbers.", max_length=512)
    ]
    k: Annotated[int, Meta(description="How many at most.", ge=1, le=50)] = 10
    library: Annotated[str, Meta(description="Name of a library; the first if none is given.")] = ""
    city: Annotated[str, Meta(description="City or district to prefer.", max_length=64)] = ""
    lat: Annotated[float, Meta(description="Place to prefer.", ge=-90, le=90)] | UnsetType = UNSET
    lon: Annotated[float, Meta(ge=-180, le=180)] | UnsetType = UNSET
    crs: Annotated[str, Meta(extra_json_schema={"enum": ["wgs84", "gcj02", "bd09"]})] = "wgs84"


# Taken as it comes, like an address.
Question = Annotated[
    Any,
    Meta(
        description="A text, or an object with address (or text), name and coordinates.",
        extra_json_schema={"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/PointOfInterest"}]},
    ),
]


class PointOfInterest(Struct):
    """What is looked for in a library: an address, a name or both, with coordinates if they are known."""

    address: str | UnsetType = UNSET
    text: Annotated[str, Meta(description="Another word for address.")] | UnsetType = UNSET
    name: str | UnsetType = UNSET
    lat: float | UnsetType = UNSET
    lon: float | UnsetType = UNSET
    crs: Annotated[str, Meta(extra_json_schema={"enum": ["wgs84", "gcj02", "bd09"]})] | UnsetType = UNSET


class Wanted(Body, kw_only=True):
    """How a library is searched."""

    k: Annotated[int, Meta(description="How many candidates at most.", ge=1, le=100)] = 5
    library: Annotated[str, Meta(description="Name of a library; the first if none is given.")] = ""
    radius: Annotated[float, Meta(description="Metres from the query's point.", gt=0)] | UnsetType = UNSET
    verdicts: Annotated[bool, Meta(description="Whether each candidate is judged.")] = True
    standardize: Annotated[
        bool, Meta(description="Give the one row that is meant, or the reason why none is clearly.")
    ] = False


class SearchQuery(Wanted, kw_only=True):
    """One query."""

    query: Question


class SearchQueries(Wanted, kw_only=True):
    """Queries that are answered in the same order."""

    queries: list[Question]


class NearbyQuery(Body):
    """What is behind the question mark of /v1/nearby."""

    lat: Annotated[float, Meta(ge=-90, le=90)]
    lon: Annotated[float, Meta(ge=-180, le=180)]
    k: Annotated[int, Meta(description="How many at most.", ge=1, le=100)] = 5
    radius: Annotated[float, Meta(description="Metres at most.", gt=0)] | UnsetType = UNSET
    library: Annotated[str, Meta(description="Name of a library; the first if none is given.")] = ""
    crs: Annotated[str, Meta(extra_json_schema={"enum": ["wgs84", "gcj02", "bd09"]})] = "wgs84"


class InferPair(Body):
    """Two addresses, under the names of the articles' /infer."""

    addr1: Address
    addr2: Address


class Reload(Body):
    """Which pack to load: the name of a built-in one or a folder on the service's machine; the same again if not said."""

    pack: str | UnsetType = UNSET


class Judging(Struct):
    """A pack, and the digest of all that can move its verdicts."""

    pack: str
    behaviour: str


class Shares(Struct):
    """The share of each label."""

    exact_match: float
    partial_match: float
    not_match: float


class Recent(Struct):
    """The pairs that were judged last, by the old pack."""

    pairs: int
    length_median: int
    length_max: int
    labels: Shares


class Trial(Struct):
    """Pairs of the recent lengths, written for the purpose and judged by both packs; `changed` is a share."""

    pairs: int
    labels_before: Shares
    labels_after: Shares
    changed: float
    ms_before: float
    ms_after: float


class Reloaded(Judging):
    """The pack that judges from now on, the one before, and what changes."""

    before: Judging
    recent: Recent
    trial: Trial


class Probabilities(Struct):
    """Three probabilities that sum to 1."""

    exact_match: float
    partial_match: float
    not_match: float


class Conflict(Struct):
    """An element that both addresses give and on which they contradict each other."""

    name: str
    element: str
    a: str
    b: str


class Evidence(Struct):
    """One reason: a positive weight speaks for the same place, a negative one against it."""

    name: str
    weight: float
    text: str


class Verdict(Struct):
    """Whether two addresses mean the same place, and if not, where they part."""

    label: Annotated[str, Meta(extra_json_schema={"enum": ["exact_match", "partial_match", "not_match"]})]
    similarity: Annotated[float, Meta(description="P(exact) + ½·P(partial)", ge=0, le=1)]
    probabilities: Probabilities
    level: Annotated[str, Meta(description="The finest element on which both agree, or none.")]
    conflicts: list[Conflict]
    evidence: list[Evidence]
    decided_by: Annotated[str, Meta(extra_json_schema={"enum": ["exact", "rules", "fast", "encoder"]})]
    pack: str
    behaviour: Annotated[str, Meta(description="Digest of all that can move a verdict.")]


class Trouble(Struct):
    """What went wrong and the cure, in the language of Accept-Language."""

    code: str
    message: str
    hint: str


class Failure(Struct):
    """The answer to a request that could not be served."""

    error: Trouble


class ProblemRow(Struct):
    """What stands where an answer would, when one row could not be handled."""

    problem: Trouble
    id: str | int | UnsetType = UNSET
    index: int | UnsetType = UNSET
    candidate: Address | UnsetType = UNSET


class VerdictRow(Verdict):
    """A verdict of a list, with the pair's id if it had one."""

    id: str | int | UnsetType = UNSET


class RankedRow(Verdict):
    """A candidate's verdict against the query; `index` is its place in the request."""

    index: int
    candidate: Address


class ScoredVerdict(Verdict):
    """A verdict under the articles' /match; `score` is the similarity."""

    score: float


class Remark(Struct):
    """A bracketed part of a text."""

    start: int
    end: int
    text: str


class Change(Struct):
    """What one step did to the text."""

    step: str
    before: str
    after: str


class NormalizedRow(Struct):
    """A cleaned text and the steps that changed it; `changes` if they were asked for."""

    raw: str
    text: str
    steps: list[str]
    remarks: list[Remark]
    changes: list[Change] | UnsetType = UNSET


class Division(Struct):
    """An official unit of today."""

    code: str
    level: str
    name: str


class Former(Struct):
    """A former name, the codes of today's units, and what happened to the unit, when."""

    written: str
    level: str
    codes: list[str]
    kind: str
    date: str


class Element(Struct):
    """A part of an address; `value` is the form that is compared."""

    kind: str
    text: str
    value: str
    start: int
    end: int
    source: str
    confidence: float
    raw_span: Annotated[list[int], Meta(min_length=2, max_length=2)]


class Zone(Struct):
    """A functional zone and the codes of the districts it lies in."""

    name: str
    codes: list[str]


class DivisionConflict(Struct):
    """A division that disagrees with another one (`against`) in the same address."""

    written: str
    level: str
    start: int
    end: int
    codes: list[str]
    against: str


class Correction(Struct):
    """A typo that was noticed: offered with its cost, not applied."""

    start: int
    end: int
    written: str
    suggested: str
    kind: str
    cost: float
    codes: list[str]


class Reading(Struct):
    """One way to read a text; a lower penalty is more likely."""

    level: str
    penalty: float
    divisions: list[Division]
    elements: list[Element]


class AddressRow(Struct):
    """The most likely reading of a text; other readings only when in doubt."""

    raw: str
    text: str
    level: str
    penalty: float
    divisions: list[Division]
    elements: list[Element]
    former: list[Former]
    zones: list[Zone]
    conflicts: list[DivisionConflict]
    corrections: list[Correction]
    settled_by: list[str]
    alternatives: list[Reading]


class SuggestionRow(Struct):
    """A completion: `text` goes into the box when it is taken, `highlights` are the spans of it that were typed.

    `kind` is `row`, or the element that comes next (road, roadno, …) with `count` rows behind it; positions in WGS-84.
    """

    text: str
    kind: str
    count: int
    score: float
    highlights: list[Annotated[list[int], Meta(min_length=2, max_length=2)]]
    id: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    lat: float | UnsetType = UNSET
    lon: float | UnsetType = UNSET


class CandidateRow(Struct):
    """A row of a library that was found: how well it fits, how far it lies, and how far it is above the next one.

    Coordinates are WGS-84, distances metres. What is not known is left out: a verdict where nothing was judged.
    """

    id: str
    score: Annotated[float, Meta(ge=0, le=1)]
    label: str | UnsetType = UNSET
    level: str | UnsetType = UNSET
    distance: float | UnsetType = UNSET
    gap: float | UnsetType = UNSET
    verdict: Verdict | UnsetType = UNSET
    text: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    lat: float | UnsetType = UNSET
    lon: float | UnsetType = UNSET
    weight: float | UnsetType = UNSET
    division: Annotated[str, Meta(description="Code of the deepest division of the address.")] | UnsetType = (
        UNSET
    )
    payload: dict[str, Any] | UnsetType = UNSET


class CandidateList(Struct):
    """What was found, best first."""

    candidates: list[CandidateRow]


class StandardRow(Struct):
    """The row that an address clearly means; without one the reason, and what comes closest."""

    candidate: CandidateRow | UnsetType = UNSET
    problem: Trouble | UnsetType = UNSET
    rivals: list[CandidateRow] | UnsetType = UNSET


class Ready(Struct):
    """The service is warmed and takes work."""

    status: str
    pack: str
    behaviour: str
