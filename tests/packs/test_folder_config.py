"""Fields of a folder's JSON files that cannot be: refused by name, before anything of that size is made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from menpai.errors import BrokenArtefactError
from menpai.packs.importing import import_folder
from menpai.packs.mgeo import read_folder
from tools.random_mgeo import random_folder

ABSENT = object()


def changed(folder: Path, file: str, **fields: object) -> Path:
    """The folder with other fields in one of its JSON files; ABSENT takes one out."""
    path = folder / file
    value = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    value = {name: field for name, field in (value | fields).items() if field is not ABSENT}
    path.write_text(json.dumps(value), encoding="utf-8")
    return folder


CONFIGS: list[tuple[str, dict[str, object], str, str]] = [
    ("config.json", {"num_hidden_layers": 2.7}, "config_number", "num_hidden_layers is 2.7"),
    ("config.json", {"num_hidden_layers": "2"}, "config_number", 'num_hidden_layers is "2"'),
    ("config.json", {"num_hidden_layers": float("inf")}, "config_number", "num_hidden_layers is Infinity"),
    ("config.json", {"num_hidden_layers": 10**9, "fusion_layer": 10**9}, "config_number", "1000000000"),
    ("config.json", {"num_hidden_layers": -1}, "config_number", "expected 1 to 1,000"),
    ("config.json", {"fusion_layer": None}, "config_number", "fusion_layer is null"),
    ("config.json", {"fusion_layer": 0}, "config_number", "fusion_layer is 0"),
    ("config.json", {"num_attention_heads": True}, "config_number", "num_attention_heads is true"),
    ("config.json", {"num_attention_heads": 3}, "config_heads", "32 cannot be divided evenly among 3"),
    ("config.json", {"num_attention_heads": 0}, "config_number", "num_attention_heads is 0"),
    ("config.json", {"hidden_size": [32]}, "config_number", "hidden_size is [32]"),
    ("config.json", {"hidden_size": ABSENT}, "config_number", "hidden_size is null"),
    ("config.json", {"vocab_size": 10**400}, "config_number", "vocab_size is 1000"),
    ("config.json", {"max_position_embeddings": 2}, "config_number", "max_position_embeddings is 2"),
    ("config.json", {"type_vocab_size": 1}, "config_number", "type_vocab_size is 1"),
    ("config.json", {"layer_norm_eps": float("nan")}, "config_number", "layer_norm_eps is NaN"),
    ("config.json", {"layer_norm_eps": -1.0}, "config_number", "layer_norm_eps is -1.0"),
    ("config.json", {"layer_norm_eps": "1e-12"}, "config_number", "layer_norm_eps"),
    ("config.json", {"model_type": ABSENT}, "config_unknown", "model_type is null"),
    ("config.json", {"architectures": 3}, "config_no_text", "architectures is 3"),
    ("configuration.json", {"task": ["x"]}, "config_no_text", 'task is ["x"]'),
    ("configuration.json", {"task": {"a": 1}}, "config_no_text", 'task is {"a": 1}'),
    ("configuration.json", {"task": "chat"}, "task_unknown", "chat"),
    ("label_mapping.json", {"exact_match": "1" * 6000}, "label_ids_wrong", "exact_match"),
    ("label_mapping.json", {"exact_match": True}, "label_ids_wrong", "exact_match"),
    ("tokenizer_config.json", {"do_lower_case": "false"}, "config_unknown", "do_lower_case"),
]


@pytest.mark.parametrize(("file", "fields", "code", "named"), CONFIGS)
def test_a_field_that_cannot_be_is_refused_by_name(
    tmp_path: Path, file: str, fields: dict[str, object], code: str, named: str
) -> None:
    """Refused before anything of the size that it claims is made."""
    folder = changed(random_folder(tmp_path / "folder"), file, **fields)
    with pytest.raises(BrokenArtefactError) as caught:
        import_folder(folder, tmp_path / "pack")
    assert caught.value.code == code
    message = caught.value.render("en")[0]
    assert named in message
    assert len(message) < 400
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_name_twice_in_a_configuration_is_refused(tmp_path: Path) -> None:
    folder = random_folder(tmp_path / "folder")
    (folder / "label_mapping.json").write_text('{"exact_match": 0, "not_match": 1, "exact_match": 2}')
    with pytest.raises(BrokenArtefactError, match="exact_match"):
        read_folder(folder)
