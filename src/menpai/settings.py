"""Settings: read once (flags over MENPAI_* variables over a TOML file), checked, frozen, handed on.

`os.environ` appears in this file only.
Long because: every setting stands here with its bounds, and no other file reads the environment.
"""

from __future__ import annotations

import locale
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TextIO, cast

from menpai.errors import Language, UsageError


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set. Each field is MENPAI_<NAME> in the environment and <name> in TOML."""

    language: str = "auto"
    "Language of messages and evidence: zh, en, or auto (by locale)."
    pack: str = "menpai-mini"
    "Name of a built-in pack, or the folder of a pack."
    engine: str = "onnx"
    "What runs the pack's graph: onnx, openvino, torch, torch-compiled, torch-script or triton."
    device: str = "auto"
    "Where it runs: cpu, cuda, tensorrt, auto (what the engine can use here), or the URL of a Triton server."
    threads: int = 0
    "Threads for scoring; 0 means as many as this process may use."
    instances: int = 0
    "Batches judged at once; 0: one with the built-in pack, as many as threads with an imported one, two on a GPU."
    instance_kind: str = "threads"
    "What an instance of the service is: threads (on a GPU: a stream each), or processes that are started again."
    mode: str = "default"
    "How an imported model is asked: default, or faithful (raw texts, given order, no cascade, no policy)."
    cascade: bool = True
    "Let rules and the fast scorer decide clear pairs before the encoder."
    tagger: bool = False
    "Let the pack's tagger settle names that the rules are unsure of when addresses are parsed (not when judged)."
    overrides: str = ""
    "A CSV file with divisions, aliases and places of your own, read beside the built-in tables."
    max_length: int = 1000
    "Longest address accepted, in characters."
    host: str = "127.0.0.1"
    "Address that the service listens on."
    port: int = 8600
    "Port that the service listens on."
    api_key: str = ""
    "If set, callers must send it as Authorization: Bearer."
    key_file: str = ""
    "A file with hashes of callers' keys, made by menpai key; read again whenever it changes."
    quota: float = 0.0
    "Rows a second that one client (key, or address without keys) may ask for on average; 0 means any number."
    quota_burst: int = 0
    "Rows that a client may ask for at once before its quota holds it back; 0: what its quota gives in ten seconds."
    tls_cert: str = ""
    "A PEM file with the certificate chain: the service then speaks HTTPS. Read again whenever it changes."
    tls_key: str = ""
    "The PEM file with the certificate's private key, if it is not in the same file."
    allowed_hosts: str = ""
    "Names, separated by commas, under which callers may reach the service; without keys on 127.0.0.1 only local ones."
    cors_origins: str = ""
    "Origins, separated by commas, whose web pages may call the service from a browser, such as https://shop.example."
    trusted_proxies: str = ""
    "Addresses or networks of proxies, separated by commas, whose X-Forwarded-For names the client."
    metrics_host: str = "127.0.0.1"
    "Address on which metrics are listened for, if they have a port of their own."
    metrics_port: int = 0
    "A port of its own for /metrics, without a key; 0 means the service's port, with its keys."
    insecure: bool = False
    "Allow listening on other addresses than 127.0.0.1 without a key."
    queue_seconds: float = 1.5
    "How much work may wait, in predicted seconds, before the service answers 503."
    timeout_ms: int = 5000
    "Deadline of a request unless X-Request-Timeout-Ms says otherwise."
    max_pairs: int = 10000
    "Most pairs in one HTTP request."
    max_body_mb: float = 8.0
    "Largest HTTP body accepted, in megabytes."
    drain_seconds: float = 10.0
    "How long SIGTERM waits for accepted requests."
    readings: int = 10_000
    "How many addresses are remembered with their readings, so that a repeated one is read once."
    readings_mb: float = 64.0
    "Most memory for them, in megabytes."
    cache: bool = True
    "Let the service remember verdicts: in memory, in a file, and in Redis if redis_url is set."
    cache_entries: int = 100_000
    "Most verdicts remembered in memory."
    cache_mb: float = 64.0
    "Most memory for verdicts, in megabytes."
    cache_days: float = 30.0
    "How long a verdict is remembered, in days."
    cache_file: str = "auto"
    "File in which verdicts outlive a restart; auto is a file of the user's own; empty means none."
    cache_file_mb: float = 512.0
    "Largest size of that file, in megabytes; the oldest verdicts go first."
    cache_secret: str = ""
    "Secret with which addresses are hashed in file and Redis; empty: a key file of the owner's, beside the cache file."
    redis_url: str = ""
    "Redis or Valkey in which several services share verdicts: redis://user:password@host:port/db, rediss:// for TLS."
    redis_ms: float = 5.0
    "Longest time that a request waits for Redis, in milliseconds."
    jobs_folder: str = "auto"
    "Folder for uploaded tables and their results; auto: one of the user's own, if only this machine can call; empty: none."
    jobs_mb: float = 100.0
    "Largest table that may be uploaded, in megabytes."
    jobs_rows: int = 200_000
    "Most rows of an uploaded table."
    jobs_waiting: int = 20
    "Most jobs that wait; one runs at a time."
    jobs_per_client: int = 10
    "Most tables and jobs of one client (key, or address without keys) that are kept."
    jobs_hours: float = 24.0
    "How long a finished job and its files are kept, in hours; a table without a job is kept for an hour."
    jobs_folder_mb: float = 2000.0
    "Most megabytes of all uploaded tables and results; more are refused until some are deleted."
    library: str = ""
    "Address libraries to ask: a folder or NAME=FOLDER, several with commas. Empty: the demo library."
    log_text: bool = False
    "Write address texts into the logs. Off: addresses are personal data."
    log_salt: str = ""
    "Secret with which clients are hashed in the log; without one, a new one at each start."
    traces: bool = False
    "Send OpenTelemetry spans (extra otel) to where the variables OTEL_* say."

    @classmethod
    def load(cls, flags: Mapping[str, Any] | None = None, env: Mapping[str, str] | None = None) -> Settings:
        """Flags over environment over TOML (MENPAI_CONFIG, else ./menpai.toml); unknown names are refused."""
        env = os.environ if env is None else env
        values: dict[str, Any] = {}
        for name, value, source in [*_from_toml(env), *_from_env(env), *_from_flags(flags or {})]:
            values[name] = _convert(name, value, source)
        return cls(**values)

    def replace(self, **flags: Any) -> Settings:
        """The same settings with the flags that are not None put over them, checked like any others."""
        changed = {name: _convert(name, value, source) for name, value, source in _from_flags(flags)}
        return replace(self, **changed)

    @property
    def lang(self) -> Language:
        """The language to speak: the setting, or by locale."""
        if self.language != "auto":
            return cast(Language, self.language)
        return "zh" if _locale_name().lower().startswith(("zh", "chinese")) else "en"

    @property
    def cores(self) -> int:
        """Threads to use: the setting, else what this process may use (affinity and cgroup quota)."""
        return self.threads if self.threads > 0 else available_cores()

    @property
    def cache_path(self) -> Path | None:
        """The file of remembered verdicts; None for no file."""
        if self.cache_file != "auto":
            return Path(self.cache_file).expanduser() if self.cache_file else None
        return _in_cache("verdicts.sqlite")

    @property
    def jobs_path(self) -> Path | None:
        """The folder of uploaded tables; None for a service that takes none."""
        if self.jobs_folder != "auto":
            return Path(self.jobs_folder).expanduser() if self.jobs_folder else None
        alone = self.host == "localhost" or self.host.startswith("127.") or self.host == "::1"
        return _in_cache("jobs") if alone else None


def spoken_language(flag: str | None = None) -> Language:
    """The language to speak before settings are read, or when they cannot be: flag, variable, locale."""
    asked = flag or os.environ.get("MENPAI_LANGUAGE")
    return Settings(language=asked if asked in ("zh", "en") else "auto").lang


def environment_with(**settings: str) -> dict[str, str]:
    """This process's environment with some settings over it, for a child that should not show them as arguments."""
    return {**os.environ, **{f"MENPAI_{name.upper()}": value for name, value in settings.items()}}


def wants_colour(stream: TextIO) -> bool:
    """Whether to colour what goes to a stream: a terminal that can, and no NO_COLOR (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") != "dumb"


def cache_folder() -> Path:
    """Where a user's programs keep what can be made again (XDG base directories; on Windows %LOCALAPPDATA%)."""
    given = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME", "")
    return Path(given) if Path(given).is_absolute() else Path.home() / ".cache"


def _in_cache(name: str) -> Path | None:
    """A place among the user's caches; None for a user without a home, such as one that a container makes up."""
    try:
        return cache_folder() / "menpai" / name
    except RuntimeError:
        return None


def available_cores(cgroup: Path = Path("/sys/fs/cgroup")) -> int:
    """Cores this process may use: affinity mask, cut by a cgroup quota (v2 or v1) where there is one; at least 1."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    for files in (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")):
        try:
            quota, period = " ".join((cgroup / name).read_text("ascii") for name in files).split()
            if quota not in ("max", "-1"):
                cores = min(cores, int(quota) // int(period))
        except (OSError, ValueError, ZeroDivisionError):
            continue
    return max(1, cores)


_TYPES = {f.name: cast(str, f.type) for f in fields(Settings)}
_CHOICES = {
    "language": ("auto", "zh", "en"),
    "mode": ("default", "faithful"),
    "instance_kind": ("threads", "processes"),
    "engine": ("onnx", "openvino", "torch", "torch-compiled", "torch-script", "triton"),
}
# Lowest and highest value that makes sense; every number has both, so that nan and inf are refused too.
_RANGES: dict[str, tuple[float, float]] = {
    "threads": (0, 1024), "instances": (0, 256), "max_length": (1, 100_000), "port": (0, 65_535), "queue_seconds": (0, 3600),
    "timeout_ms": (1, 3_600_000), "max_pairs": (1, 1_000_000), "max_body_mb": (0.001, 1024),
    "drain_seconds": (0, 3600), "quota": (0, 1e9), "quota_burst": (0, 1e9), "metrics_port": (0, 65_535),
    "readings": (0, 1e8), "readings_mb": (0, 1e6), "cache_entries": (0, 1e9), "cache_mb": (0, 1e6),
    "cache_days": (0.0001, 36_500),
    "jobs_mb": (0.001, 1e5), "jobs_rows": (1, 1e9), "jobs_waiting": (1, 10_000), "jobs_per_client": (1, 10_000),
    "jobs_hours": (0.001, 10_000), "jobs_folder_mb": (1, 1e7),
    "cache_file_mb": (1, 1e7), "redis_ms": (0.1, 10_000),
}  # fmt: skip
_SECRETS = {"api_key", "log_salt", "cache_secret", "redis_url"}
SHOWN = 40
_RESERVED = {"MENPAI_CONFIG"}


def _locale_name() -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return os.environ[name]
    return locale.getlocale()[0] or ""


def _from_toml(env: Mapping[str, str]) -> list[tuple[str, Any, str]]:
    path = Path(env.get("MENPAI_CONFIG") or "menpai.toml")
    if not path.is_file():
        if "MENPAI_CONFIG" in env:
            raise UsageError("setting_invalid", name="MENPAI_CONFIG", value=str(path),
                             expected="a TOML file that exists", source="MENPAI_CONFIG")  # fmt: skip
        return []
    import tomllib  # noqa: PLC0415 (few settings stand in a file)

    try:
        table = tomllib.loads(path.read_text("utf-8-sig"))  # editors on Windows write a mark
    except (ValueError, RecursionError) as error:
        raise UsageError("setting_invalid", name="MENPAI_CONFIG", value=str(path),
                         expected=f"TOML ({error})", source=str(path)) from error  # fmt: skip
    return [(name, value, str(path)) for name, value in table.items()]


def _from_env(env: Mapping[str, str]) -> list[tuple[str, Any, str]]:
    return [
        (key.removeprefix("MENPAI_").lower(), value, key)
        for key, value in env.items()
        if key.startswith("MENPAI_") and key not in _RESERVED
    ]


def _from_flags(flags: Mapping[str, Any]) -> list[tuple[str, Any, str]]:
    return [
        (name, value, "--" + name.replace("_", "-")) for name, value in flags.items() if value is not None
    ]


def _convert(name: str, value: Any, source: str) -> Any:
    """The value in the field's type, or a UsageError that names the nearest setting or what was expected."""
    if name not in _TYPES:
        import difflib  # noqa: PLC0415 (for a message)

        nearest = difflib.get_close_matches(name, _TYPES, n=1, cutoff=0.0)[0]
        raise UsageError("setting_unknown", name=_shown(name), source=_shown(source), nearest=nearest)
    expected = _TYPES[name]
    try:
        converted = _PARSERS[expected](value)
    except (ValueError, TypeError, KeyError, OverflowError):
        converted = None
    if name in _CHOICES and converted not in _CHOICES[name]:
        converted, expected = None, " | ".join(_CHOICES[name])
    if name in _RANGES:
        least, most = _RANGES[name]
        if converted is None or not least <= converted <= most:
            converted, expected = None, f"{expected}, {least} … {most}"
    if name in _SECRETS and converted is not None and any("\ud800" <= char <= "\udfff" for char in converted):
        converted, expected = None, "UTF-8"  # a byte of the environment that is none
    if converted is None:
        shown = "***" if name in _SECRETS else _shown(value)
        raise UsageError("setting_invalid", name=name, value=shown, expected=expected, source=source)
    return converted


def _shown(value: Any) -> Any:
    """The value, or its beginning where it is long or nested beyond what can be shown."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except (ValueError, RecursionError):  # more digits than Python writes out, or too deep
        return "…"
    return value if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _integer(value: Any) -> int:
    """A whole number as it is or written out; True and 2.5 are none."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    return int(value)


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError
    return float(value)


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    return {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False,
            "off": False, "": False}[str(value).lower()]  # fmt: skip


_PARSERS: dict[str, Any] = {"str": _text, "int": _integer, "float": _number, "bool": _boolean}
