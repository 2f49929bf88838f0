"""The JSON of the routes under /v1/jobs; `menpai.serving.wire` documents it with the rest."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

Id = Annotated[str, Meta(description="As the service gave it.", min_length=1, max_length=64)]
Column = Annotated[
    str, Meta(description="A column by its name; several addresses with commas between.", max_length=500)
]
Sheet = Annotated[
    str,
    Meta(
        description="A sheet of a workbook; the first that holds something if none is given.", max_length=100
    ),
]
Crs = Annotated[
    str, Meta(extra_json_schema={"enum": ["wgs84", "gcj02", "bd09"]}, pattern="^(wgs84|gcj02|bd09)$")
]


class UploadQuery(Struct, forbid_unknown_fields=True):
    """What is behind the question mark of POST /v1/jobs/table."""

    name: Annotated[
        str,
        Meta(description="The name of the file, whose ending says what it is.", min_length=1, max_length=500),
    ]
    sheet: Sheet = ""


class LookQuery(Struct, forbid_unknown_fields=True):
    """What is behind the question mark of GET /v1/jobs/table."""

    id: Id
    sheet: Sheet = ""


class JobQuery(Struct, forbid_unknown_fields=True):
    """Which job."""

    id: Id


class ResultQuery(Struct, forbid_unknown_fields=True):
    """Which file of which job."""

    id: Id
    file: Annotated[
        Literal["table", "report"], Meta(description="The table with its answers, or the report.")
    ] = "table"


class JobColumns(Struct, forbid_unknown_fields=True):
    """Which column is what; those that are not given are found by their names. `a` and `b` are for pairs."""

    a: Column | UnsetType = UNSET
    b: Column | UnsetType = UNSET
    address: Column | UnsetType = UNSET
    name: Column | UnsetType = UNSET
    id: Column | UnsetType = UNSET
    lat: Column | UnsetType = UNSET
    lon: Column | UnsetType = UNSET
    phone: Column | UnsetType = UNSET
    crs: Crs | UnsetType = UNSET


class NewJob(Struct, forbid_unknown_fields=True):
    """What to do with which tables: match one with two address columns, link two, or dedupe one."""

    kind: Literal["match", "link", "dedupe"]
    tables: Annotated[
        list[Id], Meta(description="One table; for link the left and the right one.", max_length=2)
    ]
    columns: JobColumns | UnsetType = UNSET
    right_columns: JobColumns | UnsetType = UNSET
    accept: Annotated[Literal["exact", "partial"], Meta(description="The weakest label that joins.")] = (
        "exact"
    )
    sheet: Sheet = ""


class TableLook(Struct):
    """An uploaded table: its id, its columns and what they are taken for, its first rows."""

    table: str
    name: str
    bytes: int
    columns: list[str]
    found: dict[str, str]
    before: Annotated[list[str], Meta(description="Columns of divisions, which go before the address.")]
    sheet: str
    sheets: list[str]
    first: list[list[str]]
    rows: int


class JobStep(Struct):
    """How far a job is: a stage, the share of it that is done and the seconds that are left for it, where known."""

    stage: str | UnsetType = UNSET
    rows: int | UnsetType = UNSET
    share: float | UnsetType = UNSET
    seconds_left: float | UnsetType = UNSET


class JobTrouble(Struct):
    """Why a job failed."""

    code: str
    message: str
    hint: str


class JobStatus(Struct):
    """A job: how many are before it, how far it is, or what came of it; `expires` in seconds since 1970."""

    id: str
    kind: str
    tables: list[str]
    state: Annotated[str, Meta(extra_json_schema={"enum": ["waiting", "running", "done", "failed"]})]
    notes: list[str]
    rows_had_problems: bool
    created: float
    before: int | UnsetType = UNSET
    progress: JobStep | UnsetType = UNSET
    summary: dict[str, Any] | UnsetType = UNSET
    result: str | UnsetType = UNSET
    problem: JobTrouble | UnsetType = UNSET
    expires: float | UnsetType = UNSET


class Deleted(Struct):
    """What was deleted."""

    deleted: str


def options_of(body: NewJob) -> dict[str, str]:
    """The options of the command line that a job asks for; those that its command has not are left out."""
    roles = ("a", "b") if body.kind == "match" else ("address", "name", "id", "lat", "lon", "phone", "crs")
    found = {name: value for name, value in _given(body.columns).items() if name in roles}
    if body.kind == "link":
        found |= {
            f"right-{name}": value for name, value in _given(body.right_columns).items() if name in roles
        }
    if body.kind != "match":
        found["accept"] = body.accept
    return found | ({"sheet": body.sheet} if body.sheet else {})


def _given(columns: JobColumns | UnsetType) -> dict[str, str]:
    if isinstance(columns, UnsetType):
        return {}
    return {
        name: value for name, value in structs.asdict(columns).items() if isinstance(value, str) and value
    }
