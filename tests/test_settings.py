"""Settings: three sources, checked values, one frozen result; whatever is wrong is named with its source."""

from __future__ import annotations

import io
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import UsageError
from menpai.settings import Settings, available_cores, spoken_language, wants_colour


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(**load: Any) -> UsageError:
    with pytest.raises(UsageError) as caught:
        Settings.load(**load)
    return caught.value


def test_flags_over_variables_over_the_file() -> None:
    Path("menpai.toml").write_text("port = 1\nthreads = 1\nmax_pairs = 1\n", "utf-8")
    loaded = Settings.load({"port": 3, "threads": None}, {"MENPAI_PORT": "2", "MENPAI_THREADS": "2"})
    assert (loaded.port, loaded.threads, loaded.max_pairs) == (3, 2, 1)
    assert loaded.timeout_ms == Settings().timeout_ms


def test_config_names_another_file() -> None:
    Path("menpai.toml").write_text("port = 1\n", "utf-8")
    Path("other.toml").write_text("port = 2\n", "utf-8")
    assert Settings.load(env={"MENPAI_CONFIG": "other.toml"}).port == 2
    assert Settings.load(env={}).port == 1


def test_variables_of_others_are_left_alone() -> None:
    assert Settings.load(env={"PORT": "1", "menpai_port": "2"}) == Settings()


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("threads", "4", 4), ("queue_seconds", "0.5", 0.5), ("queue_seconds", "3", 3.0), ("cascade", "off", False),
        ("cascade", "0", False), ("insecure", "Yes", True), ("log_text", "", False), ("language", "zh", "zh"),
        ("api_key", "k", "k"),
    ],
)  # fmt: skip
def test_a_variable_is_read_in_the_type_of_its_setting(name: str, text: str, value: object) -> None:
    found = getattr(Settings.load(env={f"MENPAI_{name.upper()}": text}), name)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("port", "port = -1"), ("port", "port = 65536"), ("port", "port = 80.5"), ("port", "port = true"),
        ("port", "port = 'http'"), ("port", "port = [80]"), ("threads", "threads = -1"), ("host", "host = 5"),
        ("language", "language = 'fr'"), ("engine", "engine = 'onyx'"), ("cascade", "cascade = 'maybe'"),
        ("queue_seconds", "queue_seconds = nan"), ("queue_seconds", "queue_seconds = inf"),
        ("max_body_mb", "max_body_mb = 0"), ("drain_seconds", "drain_seconds = -0.1"),
        ("max_length", "max_length = 0"), ("timeout_ms", "timeout_ms = {}"), ("drain_seconds", "drain_seconds = true"),
    ],
)  # fmt: skip
def test_a_value_out_of_place_is_refused_by_name_and_source(name: str, line: str) -> None:
    Path("menpai.toml").write_text(line + "\n", "utf-8")
    error = refused(env={})
    assert (error.code, error.details["name"], error.details["source"]) == (
        "setting_invalid",
        name,
        "menpai.toml",
    )
    assert error.details["expected"]


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    assert refused(env={"MENPAI_TREADS": "2"}).details == {
        "name": "treads", "source": "MENPAI_TREADS", "nearest": "threads",
    }  # fmt: skip
    assert refused(flags={"prot": 1}, env={}).details["source"] == "--prot"


@pytest.mark.parametrize(
    "content",
    [
        b"port = ",
        b"\xff\xfe",
        b"port = 1\nport = 2\n",
        b"port = " + b"[" * 50_000,
        b"port = " + b"9" * 5000,
    ],
)
def test_a_file_that_is_no_toml_is_named(content: bytes) -> None:
    Path("menpai.toml").write_bytes(content)
    error = refused(env={})
    assert (error.code, error.details["value"]) == ("setting_invalid", "menpai.toml")


@pytest.mark.parametrize("path", ["absent.toml", "."])
def test_a_config_that_is_not_there_is_refused(path: str) -> None:
    assert refused(env={"MENPAI_CONFIG": path}).details["name"] == "MENPAI_CONFIG"


def test_a_secret_is_not_repeated() -> None:
    Path("menpai.toml").write_text("api_key = 31337\n", "utf-8")
    assert "31337" not in str(refused(env={}))


@pytest.mark.parametrize("key", ["\udcff", "schl\udcfcssel31337"])
def test_a_key_that_is_no_text_is_refused_and_not_repeated(key: str) -> None:
    error = refused(env={"MENPAI_API_KEY": key})
    assert (error.code, error.details["name"]) == ("setting_invalid", "api_key")
    assert "31337" not in str(error)
    assert "\udcff" not in str(error)
    assert Settings.load(env={"MENPAI_API_KEY": "密钥é"}).api_key == "密钥é"


@pytest.mark.parametrize(
    "line", ["port = 'x'", "port = 0xf", "port = [1]", "language = 'x'", "threads = '9'", "host = [[1]]"]
)
def test_a_long_value_is_cut(line: str) -> None:
    long = line.replace("x'", "x" * 5000 + "'").replace("xf", "x" + "f" * 5000)
    Path("menpai.toml").write_text(long.replace("9", "9" * 5000).replace("[1]", f"[{'1, ' * 5000}]"), "utf-8")
    error = refused(env={})
    assert error.code == "setting_invalid"
    assert len(str(error)) < 250


def test_a_long_name_is_cut() -> None:
    assert len(str(refused(env={"MENPAI_" + "X" * 5000: "1"}))) < 250


def test_replace_checks_as_load_does() -> None:
    settings = Settings().replace(port=1, threads=None)
    assert settings == Settings(port=1)
    with pytest.raises(UsageError, match="65536"):
        settings.replace(port=65536)
    with pytest.raises(FrozenInstanceError):
        settings.port = 2  # type: ignore[misc]


def test_defaults_pass_their_own_checks() -> None:
    defaults = {field.name: getattr(Settings(), field.name) for field in fields(Settings)}
    assert Settings().replace(**defaults) == Settings()


def outcome(env: dict[str, str]) -> Settings | UsageError:
    try:
        return Settings.load(env=env)
    except UsageError as error:
        return error


@given(st.sampled_from([field.name for field in fields(Settings)]), st.text())
def test_any_text_is_taken_or_refused_in_both_languages(name: str, text: str) -> None:
    found = outcome({f"MENPAI_{name.upper()}": text})
    if isinstance(found, UsageError):
        assert found.details["name"] == name
        assert all(found.render("zh") + found.render("en"))
    else:
        assert Settings().replace(**{name: getattr(found, name)}) == found


@pytest.mark.parametrize(
    ("variables", "flag", "language"),
    [
        ({"LC_ALL": "zh_CN.UTF-8"}, None, "zh"), ({"LC_ALL": "", "LANG": "zh_TW"}, None, "zh"),
        ({"LC_ALL": "C"}, None, "en"), ({"LC_ALL": "zh_CN.UTF-8"}, "en", "en"),
        ({"LC_ALL": "C", "MENPAI_LANGUAGE": "zh"}, None, "zh"), ({"LC_ALL": "zh_CN", "MENPAI_LANGUAGE": "?"}, None, "zh"),
    ],
)  # fmt: skip
def test_the_language_spoken(
    variables: dict[str, str], flag: str | None, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert spoken_language(flag) == language


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_for_a_terminal_that_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert wants_colour(Terminal())
    assert not wants_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour(Terminal())


@pytest.mark.parametrize(
    ("files", "most"),
    [
        ({"cpu.max": "100000 100000\n"}, 1),
        ({"cpu.max": "50000 100000\n"}, 1),
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu.max": "nonsense\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "100000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 1),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "100000\n", "cpu/cpu.cfs_period_us": "0\n"}, None),
        ({}, None),
    ],
)
def test_cores_are_cut_by_the_quota_of_a_container(
    files: dict[str, str], most: int | None, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "ascii")
    assert available_cores(tmp_path) == (most or available_cores(tmp_path / "nothing"))


def test_cores_are_at_least_one_and_what_was_asked_for() -> None:
    assert available_cores() >= 1
    assert Settings().cores == available_cores()
    assert Settings(threads=3).cores == 3


def test_the_mark_that_editors_on_windows_write_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "marked.toml"
    file.write_text("port = 2\n", "utf-8-sig")
    assert Settings.load(env={"MENPAI_CONFIG": str(file)}).port == 2


def test_a_user_without_a_home_has_no_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    assert Settings().cache_path is not None
    assert Settings().jobs_path is not None
    monkeypatch.setattr(Path, "home", nowhere)
    assert (Settings().cache_path, Settings().jobs_path) == (None, None)
