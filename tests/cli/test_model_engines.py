"""`menpai model quantize`, `bench`, `tune` and `export` as a user runs them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from menpai.cli.model_pairs import read_pairs
from menpai.packs import open_pack
from menpai.packs.sample import written_pairs
from tests.bert import narrow_pack, tiny_pack
from tests.cli.conftest import Run

TINY = str(tiny_pack().path)
LONG_COMMENT = "# ours" + "." * 993 + "\n"
QUICK = ("--seconds", "0.01", "--layouts", "1x1", "--batches", "2", "--lengths", "16", "--engines", "onnx")


def pairs_file(folder: Path, labelled: bool = True) -> str:
    labels = ("exact_match", "partial_match", "not_match")
    rows = [f"{a}\t{b}\t{labels[at % 3]}" for at, (a, b) in enumerate(written_pairs(40))]
    (folder / "pairs.tsv").write_text("a\tb\tlabel\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return str(folder / "pairs.tsv")


def test_quantize_shows_what_changed_and_writes_the_pack(run: Run, tmp_path: Path) -> None:
    done = run(
        "model", "quantize", TINY, "-o", "q", "--pairs", pairs_file(tmp_path), "--budget-labels", "1", "--budget-f1", "100",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert open_pack(tmp_path / "q").manifest["precision"] == "int8"
    assert "labels changed" in done.out
    assert "macro F1" in done.out
    assert "batch-independent              yes" in done.out
    assert "calibrating (20 rows)" in done.err


def test_quantise_is_another_spelling_and_json_has_everything(run: Run, tmp_path: Path) -> None:
    done = run(
        "model", "quantise", TINY, "-o", "q", "--precision", "fp16", "--pairs", pairs_file(tmp_path), "--json"
    )
    assert done.code == 0, done.err
    assert done.json["precision"] == "float16"
    assert done.json["difference"]["rows"] == 20
    assert done.json["within_budget"] is True


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--precision", "int4"), "int4"),
        (("--budget-labels", "-1"), "nothing was written"),
        (("--pairs", "missing.csv"), "missing.csv"),
        (("--static", "--dynamic"), "not allowed"),
    ],
)
def test_what_goes_wrong_is_one_clear_line(
    run: Run, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    given = () if "--pairs" in options else ("--pairs", pairs_file(tmp_path))
    done = run("model", "quantize", TINY, "-o", "q", *given, *options)
    assert done.code != 0
    assert said in done.err
    assert not (tmp_path / "q").exists()


def test_labels_follow_the_order_of_the_outputs(tmp_path: Path) -> None:
    pairs, labels = read_pairs(pairs_file(tmp_path), 6, tiny_pack())
    order = [
        tiny_pack().manifest["labels"].index(name) for name in ("exact_match", "partial_match", "not_match")
    ]
    assert labels == [*order, *order]
    assert pairs == written_pairs(6)
    assert read_pairs(None, 5, tiny_pack()) == (written_pairs(5), [])


def test_bench_prints_points_beside_the_limit(run: Run, tmp_path: Path) -> None:
    done = run(
        "model", "bench", TINY, str(narrow_pack("int8").path), *QUICK, "--plot", "b.svg", "--out", "b.json"
    )
    assert done.code == 0, done.err
    assert "limit of this machine 1x1 int8" in done.out
    found = json.loads((tmp_path / "b.json").read_text(encoding="utf-8"))
    assert [point["precision"] for point in found["points"]] == ["float32", "int8"]
    assert all(point["share_of_limit"] > 0 for point in found["points"])
    assert (tmp_path / "b.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_tune_stores_the_fastest_settings(run: Run, tmp_path: Path) -> None:
    (tmp_path / "menpai.toml").write_text("port = 9000\n", encoding="utf-8")
    done = run("model", "tune", TINY, "--p99", "60000", *QUICK, "--json")
    assert done.code == 0, done.err
    stored = tomllib.loads((tmp_path / "menpai.toml").read_text(encoding="utf-8"))
    assert stored == {"port": 9000, "pack": TINY, "engine": "onnx", "threads": 1}
    assert done.json["best"]["engine"] == "onnx"


def test_tune_keeps_the_device_and_a_full_disk_costs_no_settings(run: Run, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    given = ("model", "tune", TINY, "--p99", "60000", *QUICK, "--device", "cpu")
    assert run(*given).code == 0
    stored = (tmp_path / "menpai.toml").read_text(encoding="utf-8")
    assert tomllib.loads(stored)["device"] == "cpu"
    (tmp_path / "menpai.toml").write_text(stored + LONG_COMMENT * 14_000, encoding="utf-8")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (12_000_000, before[1]))
    try:
        done = run(*given)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "menpai.toml: File too large" in done.err
    assert (tmp_path / "menpai.toml").read_text(encoding="utf-8").count(LONG_COMMENT) == 14_000


def test_tune_says_when_nothing_is_fast_enough(run: Run, tmp_path: Path) -> None:
    done = run("model", "tune", TINY, "--p99", "0.0001", *QUICK)
    assert done.code == 2
    assert "no setting has a P99" in done.err
    assert not (tmp_path / "menpai.toml").exists()


def test_export_writes_a_repository(run: Run, tmp_path: Path) -> None:
    done = run("model", "export", TINY, "--triton", "repository", "--json")
    assert done.code == 0, done.err
    assert done.json["model"] == "tiny"
    assert (tmp_path / "repository" / "tiny" / "1" / "model.onnx").is_file()


def test_a_full_disk_for_what_is_measured_is_said_of_that_file(run: Run, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_000_000, before[1]))
    try:
        done = run("model", "bench", TINY, *QUICK)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert done.code == 2
    assert "graph.onnx: File too large" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("export", TINY, "--triton", "r", "--instances", "0"),
        ("export", TINY, "--triton", "r", "--intra-threads", "-1"),
        ("export", TINY, "--triton", "r", "--instances", "two"),
        ("verify", TINY, "--count", "0"),
        ("verify", TINY, "--count", "-3"),
        ("bench", TINY, "--seconds", "nan"),
        ("bench", TINY, "--seconds", "0"),
        ("tune", TINY, "--p99", "-1"),
    ],
)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_numbers_that_count_nothing_are_refused(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], language: str
) -> None:
    done = run("model", *arguments, "--language", language)
    assert done.code == 2
    assert (
        f"{arguments[-2]} 的值 {arguments[-1]!r} 不是" in done.err or f"{arguments[-1]!r} is no" in done.err
    )
    assert not (tmp_path / "r").exists()


def test_rows_without_two_addresses_are_left_out_and_few_rows_are_told(run: Run, tmp_path: Path) -> None:
    rows = ["a,b", *(f"{a},{b}" for a, b in written_pairs(4)), "文三路1号,", "---,文三路1号"]
    (tmp_path / "pairs.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    done = run("model", "quantize", TINY, "-o", "q", "--precision", "fp16", "--pairs", "pairs.csv", "--json")
    assert done.json["difference"]["rows"] == 2
    assert "2 rows without readable addresses were left out" in done.err
    assert "only 2 rows were checked" in done.err
    assert "up to 77.6%" in done.err


def test_enough_rows_are_not_called_few(run: Run, tmp_path: Path) -> None:
    given = ("--pairs", pairs_file(tmp_path), "--budget-labels", "0.2", "--budget-f1", "100")
    assert "only" not in run("model", "quantize", TINY, "-o", "q", "--precision", "fp16", *given).err


@pytest.mark.parametrize("holder", ["keep", TINY], ids=["a folder", "its pack"])
def test_quantize_replaces_neither_a_folder_nor_its_own_pack(run: Run, tmp_path: Path, holder: str) -> None:
    (tmp_path / "keep").mkdir()
    (tmp_path / "keep" / "mine.txt").write_text("mine", encoding="utf-8")
    done = run(
        "model", "quantize", TINY, "-o", holder, "--precision", "fp16", "--pairs", pairs_file(tmp_path)
    )
    assert done.code == 2
    assert "was not replaced" in done.err
    assert (tmp_path / "keep" / "mine.txt").read_text(encoding="utf-8") == "mine"
    assert open_pack(TINY).digest == tiny_pack().digest


def test_an_empty_folder_may_become_the_pack(run: Run, tmp_path: Path) -> None:
    (tmp_path / "q").mkdir()
    given = ("--precision", "fp16", "--pairs", pairs_file(tmp_path))
    assert run("model", "quantize", TINY, "-o", "q", *given).code == 0


@pytest.mark.parametrize(
    "command",
    [("match", "文三路1号", "文三路2号"), ("evaluate", "pairs.tsv"), ("model", "bench", TINY, *QUICK)],
)
def test_a_device_that_is_none_is_refused_wherever_a_pack_runs(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    pairs_file(tmp_path)
    done = run(*command, "--device", "moon")
    assert done.code == 2
    assert "'moon'" in done.err
    assert "cuda" in done.err


@pytest.mark.slow
def test_the_url_of_a_server_is_a_device(run: Run) -> None:
    done = run(
        "match",
        "文三路1号",
        "文三路2号",
        "--pack",
        TINY,
        "--engine",
        "triton",
        "--device",
        "http://127.0.0.1:9",
    )
    assert done.code == 3
    assert "http://127.0.0.1:9" in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "device", ["moon", "", "http://", "http://127.0.0.1:port", "https://127.0.0.1:9", "127.0.0.1:8000"]
)
def test_what_is_no_url_of_a_server_is_refused_before_it_is_asked(run: Run, device: str) -> None:
    done = run("match", "文三路1号", "文三路2号", "--pack", TINY, "--engine", "triton", "--device", device)
    assert done.code == 2
    assert "expected http://HOST:PORT | grpc://HOST:PORT" in done.err


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["openvino", "torch", "torch-script"])
def test_any_engine_runs_the_built_in_pack_or_says_in_a_line_why_not(run: Run, engine: str) -> None:
    done = run("match", "文三路1号赛格广场", "文三路赛格科技大厦", "--engine", engine, "--json")
    assert "Traceback" not in done.err
    assert (done.code, bool(done.out)) == ((0, True) if engine == "openvino" else (3, False))


@pytest.mark.parametrize("option", [("--scheme", "mgeo"), ("--engine", "onnx"), ("--device", "cpu")])
@pytest.mark.parametrize("pack", [(), ("--pack", "menpai-mini"), ("--pack", TINY)])
def test_parse_takes_no_option_of_a_tagger_without_one(
    run: Run, option: tuple[str, str], pack: tuple[str, ...]
) -> None:
    done = run("parse", "文三路1号", *pack, *option)
    assert done.code == 2
    assert f"{option[0]} would change nothing here" in done.err
    assert done.out == ""


def test_a_tagger_runs_on_the_device_named(run: Run) -> None:
    given = ("parse", "文三路1号", "--pack", str(tiny_pack("elements").path), "--json")
    assert run(*given, "--engine", "onnx", "--device", "cpu").json["spans"]
    assert "'moon'" in run(*given, "--device", "moon").err


@pytest.mark.slow
def test_a_tagger_runs_on_the_engine_named(run: Run) -> None:
    given = ("parse", "文三路1号", "--pack", str(tiny_pack("elements").path), "--json", "--engine")
    ours, theirs = (run(*given, name).json["spans"] for name in ("onnx", "openvino"))
    assert [span["span"] for span in theirs] == [span["span"] for span in ours] != []
