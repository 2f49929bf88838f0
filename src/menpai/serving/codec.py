"""Bytes to bodies and answers to bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn, TypeVar

import msgspec

from menpai.errors import UsageError
from menpai.serving.wire import Body, Candidates, Pair, PairList
from menpai.verdict import Verdict

T = TypeVar("T")
_quoted = json.encoder.encode_basestring  # in C where there is one; as `ensure_ascii=False` writes it
_number = float.__repr__  # as `json` writes it; what is no number never stands in a verdict
BOM = b"\xef\xbb\xbf"

MATCH_SHAPES: dict[frozenset[str], type[Body]] = {
    frozenset({"a", "b"}): Pair,
    frozenset({"pairs"}): PairList,
    frozenset({"query", "candidates"}): Candidates,
}


def read_json(body: bytes) -> Any:
    """The body as plain values; a text with a lone surrogate passes, so that it fails its own row only."""
    body = body.removeprefix(BOM)
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return _read_json_slowly(body)


def shaped(value: Any, kind: type[T]) -> T:
    """The value as `kind`, or a UsageError that says where it differs."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise UsageError("body_invalid", reason=str(error)) from None


def shaped_query(values: Mapping[str, str], kind: type[T]) -> T:
    """What is behind the question mark as `kind`; numbers are written as texts there."""
    try:
        return msgspec.convert(dict(values), kind, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError("query_invalid", reason=str(error)) from None


def match_body(value: Any) -> Body:
    """The body of /v1/match: a Pair, a PairList or Candidates; any mix is refused."""
    fields = set(value) if isinstance(value, dict) else set()
    kind = MATCH_SHAPES.get(frozenset(fields))
    if kind is None:
        known = " | ".join("{" + ", ".join(kind.__struct_fields__) + "}" for kind in MATCH_SHAPES.values())
        found = ", ".join(sorted(ascii(name)[1:-1] for name in fields)[:10]) or _kind(value)
        raise UsageError("body_shape", found=found[:200], known=known)
    return shaped(value, kind)


def _kind(value: Any) -> str:
    """What came in place of an object with fields, as JSON writes it."""
    return "[…]" if isinstance(value, list) else "{}" if isinstance(value, dict) else json.dumps(value)[:20]


def verdict_json(verdict: Verdict) -> bytes:
    """What `write_json` makes of a verdict's `to_dict()`, to the byte and in a third of the time."""
    (exact, partial, other), similarity = verdict.probabilities, verdict.similarity
    conflicts = [
        f'{{"name":{_quoted(c.name)},"element":{_quoted(c.element)},"a":{_quoted(c.a)},"b":{_quoted(c.b)}}}'
        for c in verdict.conflicts
    ]
    evidence = [
        f'{{"name":{_quoted(e.name)},"weight":{_number(round(e.weight, 3))},"text":{_quoted(e.text)}}}'
        for e in verdict.evidence
    ]
    text = (
        f'{{"label":"{verdict.label}","similarity":{_number(similarity)},"probabilities":{{'
        f'"exact_match":{_number(exact)},"partial_match":{_number(partial)},"not_match":{_number(other)}}},'
        f'"level":{_quoted(verdict.level)},"conflicts":[{",".join(conflicts)}],"evidence":[{",".join(evidence)}],'
        f'"decided_by":"{verdict.decided_by}","pack":{_quoted(verdict.pack)},"behaviour":{_quoted(verdict.behaviour)}}}'
    )
    try:
        return text.encode()
    except UnicodeEncodeError:
        return write_json(verdict.to_dict())


def write_json(value: Any) -> bytes:
    """UTF-8 JSON from the encoder that the command line uses, so that numbers agree to the last character.

    A text with a lone surrogate (an echoed id, say) has no UTF-8; then the whole is written with escapes.
    """
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def write_rows(name: str, rows: Iterable[Any]) -> bytes:
    """{"name": [rows…]}, or a bare list without a name; row by row, so that other threads get their turn.

    A row of bytes is JSON already.
    """
    listed = b"[" + b",".join([row if isinstance(row, bytes) else write_json(row) for row in rows]) + b"]"
    return b'{"' + name.encode() + b'":' + listed + b"}" if name else listed


def _read_json_slowly(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        if "set_int_max_str_digits" in reason:
            reason = "a number has too many digits"
        raise UsageError("body_not_json", reason=reason) from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
