"""Errors that name the culprit and the cure, in Chinese and English.

Three families: the caller's mistake, not ready yet, our artefact is broken. The edge (cli, serving) maps a
family to an exit code or an HTTP status. In a batch a failed row is a `Problem` value, never a raise.
Every text of the package that a person reads because something went wrong stands in `MESSAGES`.
Long because: the texts stand in one table, where the two languages can be read side by side.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

Language = Literal["zh", "en"]

# code: (zh message, zh hint, en message, en hint); the braces are filled from the error's details.
# fmt: off
MESSAGES: dict[str, tuple[str, str, str, str]] = {
    "pair_invalid": (
        "这一项不是两条地址，而是 {type}", "每一项请给出 (地址一, 地址二)",
        "an item is not a pair of addresses but {type}", "give each item as (first address, second address)",
    ),
    "address_empty": (
        "地址{side}是空的", "请填入地址文本",
        "address{side} is empty", "give the text of the address",
    ),
    "address_not_text": (
        "地址{side}不是文本，而是 {type}", "请传入字符串，或带 text 字段的对象",
        "address{side} is not a text but {type}", 'pass a string, or an object with the field "text"',
    ),
    "address_too_long": (
        "地址{side}有 {length} 个字符，上限是 {limit}", "请只留下地址本身",
        "address{side} has {length} characters, the limit is {limit}", "keep only the address itself",
    ),
    "address_unreadable": (
        "地址{side}里没有可读的文字", "请检查这一行是否乱码，或只有符号、数字",
        "address{side} holds no readable text", "check whether the row is garbled, or holds only symbols or a bare number",
    ),
    "address_bad_encoding": (
        "地址{side}含有孤立代理字符（位置 {position}），不是有效的 Unicode", "请按正确的编码重新读取来源",
        "address{side} has a lone surrogate at position {position} and is not valid Unicode",
        "read the source again with its right encoding",
    ),
    "coordinates_invalid": (
        "地址{side}的坐标无效：{reason}",
        "请给出 lat、lon（度）和 crs（wgs84、gcj02 或 bd09）",
        "address{side} has invalid coordinates: {reason}",
        "give lat and lon in degrees, and crs: wgs84, gcj02 or bd09",
    ),
    "as_of_invalid": (
        "as_of={value!r} 不是 {first} 年以来的日期", "请给出年份或日期，例如 2005 或 2005-06-30",
        "as_of={value!r} is not a date since {first}", "give a year or a date, such as 2005 or 2005-06-30",
    ),
    "as_of_unknown": (
        "as_of={value!r} 晚于区划表的年份 {last}", "请给出 {last} 年或更早的日期，或去掉它，按现行区划读",
        "as_of={value!r} is later than the divisions, which are those of {last}",
        "give a date of {last} or before, or leave it out to read with those of today",
    ),
    "texts_not_list": (
        "parse_many 需要一列地址，而不是 {type}", "请放进列表：[地址]；只有一条时用 parse",
        "parse_many takes several addresses, not one {type}", "put it into a list: [address]; for a single one use parse",
    ),
    "override_file": (
        "无法读取自定义表 {file}：{reason}", "请检查 MENPAI_OVERRIDES 指的路径和文件编码",
        "cannot read the overrides {file}: {reason}", "check the path in MENPAI_OVERRIDES and the encoding",
    ),
    "override_header": (
        "自定义表 {file} 的第一行缺少 {missing}", "第一行应为 {columns}",
        "the first line of the overrides {file} lacks {missing}", "it should be {columns}",
    ),
    "override_kind": (
        "{file} 第 {line} 行：种类 {kind!r} 未知", "{near_zh}请写 division、alias 或 place",
        "{file}, line {line}: the kind {kind!r} is not known", "{near_en}write division, alias or place",
    ),
    "override_name": (
        "{file} 第 {line} 行：{name!r} 或它的别名不足两个字", "名称和别名都至少要有两个字",
        "{file}, line {line}: {name!r} or one of its aliases has less than two characters",
        "give names and aliases of two characters or more",
    ),
    "override_no_alias": (
        "{file} 第 {line} 行：{name} 没有别名", "请在 aliases 一列写出别名，用 | 分开",
        "{file}, line {line}: {name} has no aliases", "write them into the column aliases, separated by |",
    ),
    "override_unit": (
        "{file} 第 {line} 行：{written!r} 对应 {count} 个行政区划", "请写代码，或从省写起的全称，例如 北京市朝阳区",
        "{file}, line {line}: {written!r} means {count} divisions",
        "write its code, or its names from the province down, such as 北京市朝阳区",
    ),
    "override_code": (
        "{file} 第 {line} 行：代码 {given!r} 不能用在 {parent!r} 下面", "请给出以上级代码开头的 6 位（区县）或 9 位（街道）代码",
        "{file}, line {line}: the code {given!r} cannot stand below {parent!r}",
        "give 6 digits for a district or 9 for a town, beginning with the code of the parent",
    ),
    "override_taken": (
        "{file} 第 {line} 行：代码 {given} 已属于 {name}", "请换一个代码；若只是别名，请用 alias",
        "{file}, line {line}: the code {given} belongs to {name}", "choose another; for another name write alias",
    ),
    "override_shadows": (
        "{file} 第 {line} 行：{name} 也是官方名称（自定义 {own}，官方 {official}）", "两者都会保留；若非本意，请改名",
        "{file}, line {line}: {name} is an official name too (yours {own}, official {official})",
        "both are kept; choose another name if this was not meant",
    ),
    "hint_city": (
        "不认识默认城市 {value!r}", "{near_zh}请给出城市的名称或代码，例如 杭州市 或 3301",
        "the default city {value!r} is not known", "{near_en}give the name or code of a city, such as 杭州市 or 3301",
    ),
    "hint_near": (
        "附近的点 {value!r} 无效", "请给出 (纬度, 经度)，单位为度，例如 (30.27, 120.15)",
        "the point nearby {value!r} is invalid", "give (latitude, longitude) in degrees, such as (30.27, 120.15)",
    ),
    "cache_unavailable": (
        "缓存 {layer} 用不了：{reason}", "请检查 MENPAI_CACHE_FILE 或 MENPAI_REDIS_URL，以及权限和磁盘空间",
        "the cache {layer} cannot be used: {reason}",
        "check MENPAI_CACHE_FILE or MENPAI_REDIS_URL, permissions and the room on the disk",
    ),
    "setting_unknown": (
        "没有名为 {name} 的设置（来自 {source}）", "最接近的是 {nearest}",
        "there is no setting {name} (from {source})", "the nearest known name is {nearest}",
    ),
    "setting_invalid": (
        "设置 {name} 的值 {value!r} 无效：应为 {expected}", "请改正 {source} 里的这个值",
        "setting {name} has the invalid value {value!r}: expected {expected}", "correct it in {source}",
    ),
    "extra_missing": (
        "缺少软件包 {package}", "请运行：pip install 'menpai[{extra}]'",
        "the package {package} is not installed", "run: pip install 'menpai[{extra}]'",
    ),
    "device_missing": (
        "引擎 {engine} 在这台机器上不能用 {device}", "可用的设备：{known}",
        "the engine {engine} cannot use {device} here", "devices it can use: {known}",
    ),
    "engine_needs_bert": (
        "引擎 {engine} 只能运行 BERT 模型包，{pack} 不是", "请用 --engine onnx",
        "the engine {engine} runs packs that hold a BERT, and {pack} does not", "use --engine onnx",
    ),
    "quantize_no_bert": (
        "{pack} 里没有可量化的 BERT", "只有 menpai model import 导入的模型包可以量化",
        "{pack} holds no BERT that could be quantized", "packs made by menpai model import can be",
    ),
    "quantize_not_float": (
        "{pack} 的精度已经是 {precision}", "请从 float32 的模型包开始",
        "{pack} is in {precision} already", "begin with the pack in float32",
    ),
    "quantize_over_budget": (
        "改变了 {changed} 的标签（上限 {limit}），宏平均 F1 损失 {points} 点（上限 {allowed}），没有写出",
        "请换用 --precision fp16，放宽预算，给出自己的 --pairs，或加上 --force",
        "{changed} of the labels changed (limit {limit}), {points} points of macro-F1 were lost (limit {allowed}); nothing was written",
        "use --precision fp16, widen the budget, give --pairs of your own, or add --force",
    ),
    "tune_none": (
        "没有设置能达到 P99 ≤ {limit} 毫秒，最低为 {lowest} 毫秒", "请放宽 --p99，减小 --batches，或换用量化的模型包",
        "no setting has a P99 of {limit} ms or less, the lowest is {lowest} ms",
        "widen --p99, give smaller --batches, or quantize the pack",
    ),
    "triton_failed": (
        "Triton 服务器 {url} 不能运行 {model}：{reason}", "请检查网址，并用 menpai model export --triton 写出仓库",
        "the Triton server at {url} cannot run {model}: {reason}",
        "check the URL, and write its repository with menpai model export --triton",
    ),
    "pack_not_found": (
        "找不到模型包 {pack}", "请给出内置包的名字（{known}）或一个模型包文件夹",
        "no pack {pack}", "give the name of a built-in pack ({known}) or the folder of a pack",
    ),
    "pack_damaged": (
        "模型包 {pack} 已损坏：{file} 与登记的摘要不符", "请重新安装 menpai，或重新复制这个模型包",
        "pack {pack} is damaged: {file} does not agree with its digest",
        "install menpai again, or copy the pack again",
    ),
    "pack_extra": (
        "模型包 {pack} 里多了 {file}：SHA256SUMS 没有登记它", "请把它移出模型包文件夹",
        "pack {pack} holds {file}, which is not in SHA256SUMS", "move that file out of the pack's folder",
    ),
    "pack_invalid": (
        "模型包 {pack} 无效：{reason}", "请用 menpai model import 重新生成",
        "pack {pack} is invalid: {reason}", "make it anew with menpai model import",
    ),
    "pack_newer": (
        "模型包 {pack} 的格式是 {found}，本版只读到 {known}", "请升级 menpai，或用本版的 menpai model import 重新生成",
        "pack {pack} has format {found}, this version reads up to {known}",
        "upgrade menpai, or make the pack anew with this version's menpai model import",
    ),
    "pack_of_other_task": (
        "模型包 {pack} 的任务是 {task}，这里需要 {wanted}", "地址对用 match，排序用 library search --rerank，标注用 parse --pack",
        "pack {pack} is for {task}, {wanted} is needed here", "pairs: match; ranking: library search --rerank; tagging: parse --pack",
    ),
    "pack_not_imported": (
        "模型包 {pack} 不是由 menpai model import 导入的", "verify 只核对导入的模型；核对文件摘要请用 menpai model info",
        "pack {pack} was not made by menpai model import", "verify is for imported models; menpai model info checks digests",
    ),
    "mode_not_for_pack": (
        "模型包 {pack} 没有 faithful 模式", "faithful 只用于由 menpai model import 导入的模型；请去掉它，或换用那样的模型包",
        "pack {pack} has no faithful mode", "it is for models that menpai model import made; leave it out, or use such a pack",
    ),
    "logits_not_finite": (
        "模型给出了 NaN 或无穷大", "请用 menpai model verify 检查这个模型包，或换用更高的精度",
        "the model gave NaN or infinity", "check the pack with menpai model verify, or use a higher precision",
    ),
    "output_has_more": (
        "{path} 里有不是 menpai 写出的 {file}，没有覆盖它", "请用 -o 或 --triton 换一个文件夹，或先移走 {file}",
        "{path} holds {file}, which menpai did not write, so it was not replaced",
        "give another folder with -o or --triton, or move {file} away",
    ),
    "output_is_pack": (
        "{path} 就是要转换的模型包，没有覆盖它", "请用 -o 换一个文件夹",
        "{path} is the pack to be converted, so it was not replaced", "give another folder with -o",
    ),
    "output_inside_pack": (
        "{path} 在模型包 {pack} 的文件夹里", "请写到模型包之外的文件夹",
        "{path} lies inside the folder of the pack {pack}", "write to a folder outside of it",
    ),
    "output_no_pack": (
        "{path} 已经存在，而且不是模型包，没有覆盖它", "请用 -o 换一个名字",
        "{path} exists and is no pack, so it was not replaced", "give another name with -o",
    ),
    "folder_not_found": (
        "找不到模型文件夹 {folder}", "请给出下载好的模型文件夹（其中有 config.json、vocab.txt 和权重）",
        "there is no model folder {folder}", "give the downloaded folder (with config.json, vocab.txt and the weights)",
    ),
    "config_invalid": (
        "{file} 无法使用：{reason}", "请重新下载这个文件",
        "{file} cannot be used: {reason}", "download that file again",
    ),
    "config_unknown": (
        "{file} 里 {name} 是 {value}，只支持 {known}", "这个模型不是本版认识的 BERT",
        "{file}: {name} is {value}, only {known} is supported", "this model is no BERT that this version knows",
    ),
    "config_number": (
        "{file} 里 {name} 是 {value}，应在 {low} 到 {high} 之间", "请用模型原来的 config.json",
        "{file}: {name} is {value}, expected {low} to {high}", "take the config.json that came with the model",
    ),
    "config_heads": (
        "{file} 里 hidden_size {width} 不能平分给 {heads} 个注意力头", "请用模型原来的 config.json",
        "{file}: hidden_size {width} cannot be divided evenly among {heads} attention heads",
        "take the config.json that came with the model",
    ),
    "config_no_object": (
        "{file} 不是一个 JSON 对象", "请重新下载这个文件", "{file} is no JSON object", "download that file again",
    ),
    "config_no_text": (
        "{file} 里 {name} 是 {value}，应是文字", "请用模型原来的文件",
        "{file}: {name} is {value}, expected a text", "take the file that came with the model",
    ),
    "config_missing": (
        "{folder} 里没有 config.json，不是模型文件夹", "请给出下载好的整个文件夹",
        "{folder} has no config.json, so it is no model folder", "give the whole folder as downloaded",
    ),
    "folder_is_pack": (
        "{folder} 已经是导入过的模型包", "可以直接使用：--pack {folder}",
        "{folder} is a pack already", "use it as it is: --pack {folder}",
    ),
    "task_unknown": (
        "模型文件夹 {folder} 的任务 {task} 不认识", "请用 --task pair、ranking 或 tagging 指明",
        "the model folder {folder} is for {task}, which is not known", "say what it is with --task: pair, ranking or tagging",
    ),
    "weights_missing": (
        "{folder} 里没有权重文件（{files}）", "请下载完整；分片的权重请先合成一个文件",
        "there are no weights in {folder} ({files})", "finish the download; join weights that are in shards into one file",
    ),
    "weights_pointer": (
        "{file} 是 Git LFS 的指针，不是权重", "请运行 git lfs pull，或直接下载这个文件",
        "{file} is a pointer of Git LFS, not the weights", "run git lfs pull, or download the file itself",
    ),
    "weights_code": (
        "{file} 里不只是张量，还有代码 {name}，没有载入", "请向来源索取 safetensors，或只含 state_dict 的文件",
        "{file} holds code ({name}), not tensors alone, and was not loaded",
        "ask its origin for safetensors, or for a file with nothing but the state_dict",
    ),
    "weights_unreadable": (
        "{file}（{size} 字节）读不出来，可能没有下载完：{reason}",
        "请重新下载并比较大小；torch 1.6 以前的格式请用新版 torch.save 重存",
        "{file} ({size} bytes) cannot be read, the download may be incomplete: {reason}",
        "download it again and compare the size; a file older than torch 1.6 must be saved again with torch.save",
    ),
    "head_missing": (
        "{file} 里没有分类层（classifier），只是底座模型", "请使用微调后的模型，或先微调",
        "{file} has no head (classifier): it is a backbone alone", "use a fine-tuned model, or fine-tune it first",
    ),
    "tensors_missing": (
        "{file} 缺少 {count} 个张量：{names}；多出的：{instead}", "文件不完整，或前缀不同；没有载入任何一部分",
        "{file} lacks {count} tensors: {names}; left over are: {instead}",
        "it is incomplete or uses another prefix; nothing of it was loaded",
    ),
    "tensors_unexpected": (
        "{file} 有不认识的张量：{names}", "这个模型的结构不同，或任务应由 --task 指明",
        "{file} has unknown tensors: {names}", "the model is of another kind, or --task must say what it is for",
    ),
    "tensor_shape": (
        "{file} 的张量 {name} 是 {found}，按 config.json 应为 {expected}", "请让 config.json 和权重出自同一个模型",
        "{file}: the tensor {name} is {found}, config.json says {expected}", "take config.json and weights of one model",
    ),
    "tensor_not_finite": (
        "{file} 的张量 {name} 含有 NaN 或无穷大（按 float32）", "训练发散了，或文件已损坏；请换一个检查点",
        "{file}: the tensor {name} holds NaN or infinity (as float32)", "the training diverged or the file is damaged; use another checkpoint",
    ),
    "tensor_twice": (
        "{file} 里同一个张量有两份：{name} 和 {other}", "请只保留一份，再保存",
        "{file} holds one tensor twice: {name} and {other}", "keep one of them and save it again",
    ),
    "tensor_kind": (
        "{file} 的张量 {name} 是 {found}，应是浮点数", "请用训练后原样保存的检查点",
        "{file}: the tensor {name} holds {found}, expected floating point", "use the checkpoint as it was trained",
    ),
    "model_not_finite": (
        "{file} 里的模型对一条普通地址给出 NaN 或无穷大", "训练发散了，或文件已损坏；请换一个检查点",
        "the model in {file} gives NaN or infinity for an ordinary address",
        "the training diverged or the file is damaged; use another checkpoint",
    ),
    "labels_missing": (
        "{folder} 里没有标签表，无法知道输出的顺序", "请用 --labels 按输出顺序写出标签，或补上 label_mapping.json",
        "{folder} has no table of labels, so the order of the outputs is not known",
        "name them in the order of the outputs with --labels, or add label_mapping.json",
    ),
    "labels_not_three": (
        "{folder} 的模型有 {outputs} 个输出（{labels}），地址对需要三个", "请换用分 exact_match、partial_match、not_match 三类的模型，或重新微调",
        "the model in {folder} has {outputs} outputs ({labels}), a model for pairs needs three",
        "use or fine-tune a model with the three labels exact_match, partial_match, not_match",
    ),
    "labels_unknown": (
        "{folder} 的标签是 {labels}（来自 {place}），应是 {known}", "请用 --labels 按输出顺序写出这三个标签",
        "the labels of {folder} are {labels} ({place}), expected are {known}",
        "name these three in the order of the outputs with --labels",
    ),
    "labels_count": (
        "{folder}：{place} 有 {found} 个标签，模型有 {expected} 个输出", "请补全标签表，或用 --labels 写出",
        "{folder}: {place} has {found} labels, the model has {expected} outputs", "mend the table, or give all with --labels",
    ),
    "label_ids_wrong": (
        "标签表 {place} 的编号有误：{key} {value}", "编号应是 0、1、2……，不重不漏",
        "the table of labels in {place} has wrong ids: {key} {value}", "ids are 0, 1, 2, … without gap or repetition",
    ),
    "vocabulary_unreadable": (
        "词表 {file} 无法使用：{reason}", "请重新下载 vocab.txt",
        "the vocabulary {file} cannot be used: {reason}", "download vocab.txt again",
    ),
    "vocabulary_twice": (
        "词表 {file} 里 {piece} 出现两次", "请使用与权重出自同一个模型的 vocab.txt",
        "the vocabulary {file} lists {piece} twice", "take vocab.txt of the same model as the weights",
    ),
    "vocabulary_size": (
        "词表 {file} 有 {found} 项，模型有 {expected} 项", "请使用与权重出自同一个模型的 vocab.txt",
        "the vocabulary {file} has {found} entries, the model {expected}", "take vocab.txt of the same model as the weights",
    ),
    "arguments_wrong": (
        "参数有误：{reason}", "运行 {command} --help 查看用法",
        "wrong arguments: {reason}", "run {command} --help",
    ),
    "option_unknown": (
        "没有选项 {option}", "{near_zh}运行 {command} --help 查看全部选项",
        "there is no option {option}", "{near_en}{command} --help lists them all",
    ),
    "command_unknown": (
        "没有名为 {name} 的命令", "{near_zh}运行 menpai --help 查看全部命令",
        "there is no command {name}", "{near_en}menpai --help lists them all",
    ),
    "match_two_files": (
        "{first} 和 {second} 中有表格文件，而两个参数应是两条地址",
        "一个表格请用：menpai match {first} -o 输出文件；两个表格请先并成一个，每行两列地址",
        "{first} and {second}: a table was given where two addresses are expected",
        "for one table: menpai match {first} -o OUT; join two tables into one with two address columns first",
    ),
    "file_not_found": (
        "找不到文件 {path}", "请检查路径和当前文件夹",
        "there is no file {path}", "check the path and the folder that you are in",
    ),
    "match_one": (
        "只给出了一条地址，也没有名为 {text} 的文件", "match 需要两条地址，或一个表格：menpai match 表格 -o 输出文件",
        "one address alone was given, and no file is called {text}",
        "match needs two of them, or a table: menpai match FILE -o OUT",
    ),
    "parse_many_files": (
        "一次只读一个表格，收到了 {count} 个参数", "请逐个运行：menpai parse {first} -o 输出文件；几条地址则不要 -o 和 --column",
        "one table is read at a time, {count} arguments were given",
        "run one after the other: menpai parse {first} -o OUT; for addresses give neither -o nor --column",
    ),
    "option_unused": (
        "--{name} 在这里不起作用，它需要 {needs}", "请去掉它，或改用 {needs}",
        "--{name} would change nothing here: it needs {needs}", "leave it out, or use {needs}",
    ),
    "tagging_table": (
        "标注模型 {pack} 只标注文本，不读表格", "请逐条给出地址，或每行一条从标准输入给出：menpai parse - --pack …",
        "the tagger {pack} tags texts, no tables", "give addresses, or one a line on standard input: menpai parse - --pack …",
    ),
    "tagging_option": (
        "--{name} 对标注模型 {pack} 不起作用，它只给出自己的片段", "请去掉 --{name}，或去掉 --pack",
        "--{name} would change nothing: the tagger {pack} gives its own spans", "leave out --{name}, or leave out --pack",
    ),
    "option_value": (
        "{name} 的值 {value!r} 不认识", "{near_zh}可用：{known}",
        "{name} has the unknown value {value!r}", "{near_en}use one of: {known}",
    ),
    "evaluate_tagged": (
        "{path} 是标注句子，不是地址对", "请加上 --task tags",
        "{path} holds tagged sentences, no pairs", "add --task tags",
    ),
    "tags_unknown": (
        "标签体系 {scheme} 没有标签 {tag}", "{near_zh}可用：{known}",
        "the scheme {scheme} has no tag {tag}", "{near_en}use: {known}",
    ),
    "tag_mark_wrong": (
        "{path} 第 {line} 行的标签 {tag!r} 的记号 {mark!r} 不认识", "请用 {known} 和一个连字符，例如 B-road；没有标签的字写 O",
        "{path}, line {line}: the tag {tag!r} has the unknown mark {mark!r}",
        "write one of {known} and a hyphen, such as B-road, and O for what has no tag",
    ),
    "tag_order_wrong": (
        "{path} 第 {line} 行的 {tag!r} 前面没有同标签的 B", "请从 B-{name} 开始这一段（单字用 S-{name}），或改正前一行",
        "{path}, line {line}: {tag!r} goes on with a tag that nothing has begun",
        "begin the span with B-{name} (S-{name} for a single token), or correct the line before",
    ),
    "all_outside": (
        "{path} 里没有一个标签，全是 O", "请检查是否选对了文件，以及标签是否在最后一列",
        "{path} has no tag at all, only O", "check whether it is the right file, with the tags in its last column",
    ),
    "file_is_directory": (
        "{path} 是文件夹，不是文件", "请给出其中一个文件",
        "{path} is a folder, not a file", "name one file in it",
    ),
    "file_failed": (
        "无法读写 {path}：{reason}", "请检查权限和磁盘空间",
        "cannot read or write {path}: {reason}", "check the permissions and the space on the disk",
    ),
    "output_is_input": (
        "输出文件 {path} 就是输入文件", "请用 -o 换一个文件名",
        "the output {path} is the input itself", "give another name with -o",
    ),
    "outputs_same": (
        "两个输出会写到同一处：{path}", "请给每个输出不同的文件名；没有 -o 时写到标准输出 -",
        "two outputs would go to one place: {path}", "give each a name of its own; without -o rows go to standard output, -",
    ),
    "disk_full": (
        "写 {path} 时磁盘空间不够：{reason}", "请腾出空间后再运行同一条命令：已完成的部分不会重做",
        "no room for {path}: {reason}", "make room and run the same command again: what is done is not done twice",
    ),
    "output_busy": (
        "另一个 menpai 正在写 {path}", "请等它结束，或用 -o 换一个文件名",
        "another menpai is writing {path}", "wait until it is done, or give another name with -o",
    ),
    "output_open": (
        "{path} 正被另一个程序（例如 Excel）打开", "请先在那里关闭它，或用 -o 换一个文件名",
        "{path} is open in another program, such as Excel", "close it there first, or give another name with -o",
    ),
    "output_forbidden": (
        "不能写 {path}：{reason}", "文件或文件夹是只读的：请改权限，或用 -o 换一个地方",
        "cannot write {path}: {reason}", "the file or its folder is read-only: change that, or give another place with -o",
    ),
    "journal_resumed": (
        "接着上次中断的地方：前 {rows} 行已完成", "要从头开始，请先删除输出旁边以 . 开头、以 .menpai 结尾的文件夹；数据库则删除结果表",
        "going on where the last run stopped: {rows} rows are done",
        "to start anew, remove the folder .NAME.menpai beside the output, of a database its table",
    ),
    "journal_resumed_pairs": (
        "接着上次中断的地方：{chunks} 批比较过的对不再重算", "要从头开始，请先删除输出旁边以 . 开头、以 .menpai 结尾的文件夹",
        "going on where the last run stopped: {chunks} chunks of scored pairs are done",
        "to start anew, remove the folder .NAME.menpai beside the output",
    ),
    "journal_foreign": (
        "{path} 是另一种运行（别的模型、设置或列）留下的，已丢弃", "从头开始",
        "{path} is of another run (another pack, settings or columns) and was thrown away", "all rows are done anew",
    ),
    "journal_broken": (
        "{path} 第 {line} 行不是 dedupe --journal 写的", "请给出当时 --journal 用的文件",
        "{path}, line {line}, was not written by dedupe --journal", "give the file that --journal named then",
    ),
    "row_id_repeated": (
        "编号 {id} 不止一行（第 {first} 行、第 {second} 行），不知道说的是哪一行", "请用 --id 给出每行都不同的列",
        "the id {id} stands in rows {first} and {second} and tells neither", "give a column that differs in each row with --id",
    ),
    "undo_nothing": (
        "{path} 里没有可以撤销的改动", "只有用 --against 和 --journal 运行、并且合并或拆分过的，才能撤销",
        "{path} has nothing left to undo", "what can be undone is a run with --against and --journal that merged or split",
    ),
    "undo_without_journal": (
        "--undo 需要 --journal", "请给出当时 --journal 用的文件",
        "--undo needs --journal", "give the file that --journal named then",
    ),
    "journal_kept": (
        "已完成的行都记下了：{path}", "再运行同一条命令，就从那里接着做",
        "the rows that are done are kept: {path}", "run the same command again to go on from there",
    ),
    "output_folder_missing": (
        "输出文件夹 {folder} 不存在", "请先建立该文件夹，或改用别的路径",
        "the folder {folder} for the output does not exist", "make it first, or give another path",
    ),
    "table_empty": (
        "表格 {path} 是空的", "第一行应是列名，其后每行一条记录",
        "the table {path} is empty", "it needs a first row of column names and a row for each record",
    ),
    "table_format_unknown": (
        "{path} 的格式 {format} 不支持", "支持的格式：{known}；请先另存为 CSV",
        "{path} has the format {format}, which cannot be read or written", "known: {known}; save it as CSV first",
    ),
    "table_broken": (
        "{path} 不能按 {format} 读取：{reason}", "请重新导出这个文件，或检查它是否完整",
        "{path} cannot be read as {format}: {reason}", "export the file again, or check that it is whole",
    ),
    "archive_refused": (
        "{path} 不予打开：它含有 {reason}", "只打开没有密码、没有文档类型声明、展开后大小正常的文件",
        "{path} is not opened: it holds {reason}",
        "a workbook must have no password, declare no document type, and unpack to a size that fits it",
    ),
    "sheet_unknown": (
        "{path} 没有工作表 {sheet}", "{near_zh}现有：{sheets}",
        "{path} has no sheet {sheet}", "{near_en}there are: {sheets}",
    ),
    "sheet_full": (
        "一个工作表最多 {limit} 行", "请写成 .csv、.parquet 或 .jsonl",
        "a sheet takes at most {limit} rows", "write .csv, .parquet or .jsonl",
    ),
    "column_mixed": (
        "列 {column} 的前 {rows} 行是 {type}，后面有不合的值", "请写成 .csv 或 .jsonl",
        "the column {column} is {type} in the first {rows} rows, and something else later", "write .csv or .jsonl",
    ),
    "sql_failed": (
        "数据库 {url} 出错：{reason}", "请检查网址、权限和查询语句",
        "the database {url} failed: {reason}", "check the URL, the rights and the query",
    ),
    "sql_driver_missing": (
        "读取 {url} 需要 Python 包 {package}", "请安装：pip install {package}",
        "reading {url} needs the Python package {package}", "install it: pip install {package}",
    ),
    "sql_table_unknown": (
        "{url} 里没有表 {table!r}", "{near_zh}请在网址后写 #表名 或 #SELECT …；现有：{tables}",
        "{url} has no table {table!r}", "{near_en}write #TABLE or #SELECT … after the URL; there are: {tables}",
    ),
    "sql_url_wrong": (
        "数据库地址 {url} 写得不对", "用户名和密码里的 / : # ? @ % 请写成 %2F %3A %23 %3F %40 %25",
        "{url} is no right URL of a database", "in a user's name or password write / : # ? @ % as %2F %3A %23 %3F %40 %25",
    ),
    "sql_output_table": (
        "没有说写到 {url} 的哪个表", "请在网址后写 #表名，例如 sqlite:///shop.db#results",
        "the table of {url} to write is not named", "write #TABLE after the URL, such as sqlite:///shop.db#results",
    ),
    "sql_table_foreign": (
        "{url} 里已有表 {table}，不是 menpai 写的，或写时的 --key 不同，没有动它", "请换一个表名，或用 --replace 换掉它",
        "{url} has a table {table} that menpai did not write, or wrote with another --key; it was left alone",
        "give another name, or replace it with --replace",
    ),
    "sql_key_repeated": (
        "第 {row} 行的键 {column} = {key} 是空的，或前面已有", "请选每行都不同的列，或去掉 --key：那就按行号",
        "row {row}: its key {column} = {key} is missing, or stood in a row before",
        "choose a column that differs in every row, or leave --key out: rows then go by their number",
    ),
    "row_undecodable": (
        "这一行不是有效的 {encoding}", "文件里混有几种编码：请把这一行改存为 {encoding}，或用 --encoding 指明整个文件的编码",
        "the row is not valid {encoding}",
        "the file mixes encodings: save this row as {encoding}, or give the encoding of the whole file with --encoding",
    ),
    "table_undecodable": (
        "{path} 第 {position} 字节处（0x{byte:02x}）不是有效的 {encoding}", "请用 --encoding 指明编码，或修好这一处",
        "{path}: byte {position} (0x{byte:02x}) is not valid {encoding}",
        "name the encoding with --encoding, or mend that place",
    ),
    "encoding_unknown": (
        "没有名为 {encoding} 的编码", "常用：utf-8、gb18030、big5、utf-16",
        "there is no encoding {encoding}", "usual ones: utf-8, gb18030, big5, utf-16",
    ),
    "table_line_too_long": (
        "{path} 第 {line} 行之后有一行或一格超过 {limit} 个字符", "可能有未闭合的引号，或这不是文本表格",
        "{path}: after line {line} a line or cell is longer than {limit} characters",
        "perhaps a quote is not closed, or this is not a text table",
    ),
    "quote_open": (
        "{path} 第 {line} 行开始的记录里，有一个引号没有闭合", "请补上引号；属于文本的引号，整格加引号后写两遍：\"\"",
        "{path}: the row that begins on line {line} opens a quote and does not close it",
        'close it; a quote that belongs to the text is written twice in a quoted cell: ""',
    ),
    "header_missing": (
        "{path} 的第一行像数据，不像列名：{columns}", "请补上列名，或用 --no-header（列名为 1、2……）",
        "the first row of {path} looks like data, not like column names: {columns}",
        "add column names, or use --no-header (columns are then 1, 2, …)",
    ),
    "column_missing": (
        "{path} 没有名为 {column} 的列；现有：{columns}", "{near_zh}请用其中一列的列名，或列的序号（1、2……）",
        "{path} has no column {column}; it has: {columns}",
        "{near_en}give one of these names, or the number of a column (1, 2, …)",
    ),
    "column_repeated": (
        "{path} 有 {count} 个名为 {column} 的列", "请改名，或用列的序号（1、2……）指明",
        "{path} has {count} columns named {column}", "rename them, or give the number of the column (1, 2, …)",
    ),
    "column_not_found": (
        "在 {path} 里找不到{what_zh}列；现有：{columns}", "{near_zh}请用 {option} 加列名或列的序号（1、2……）指明",
        "no {what_en} column found in {path}; it has: {columns}", "{near_en}give its name or number (1, 2, …) with {option}",
    ),
    "columns_same": (
        "两列地址是同一列：{column}", "请用 --a 和 --b 指明两个不同的列",
        "both address columns are {column}", "give two different columns with --a and --b",
    ),
    "row_ragged": (
        "应有 {expected} 格，实有 {found} 格", "请检查分隔符，以及是否有未闭合的引号",
        "{found} cells where {expected} are expected", "check the delimiter, and for a quote that is not closed",
    ),
    "row_not_json": (
        "这一行不是 JSON 对象：{reason}", "每行应是一个对象，例如 {{\"a\": …, \"b\": …}}",
        "the line is not a JSON object: {reason}", 'each line is one object, such as {{"a": …, "b": …}}',
    ),
    "row_late_field": (
        "字段 {field} 不在前 {sampled} 行的字段之中", "请让它出现在文件开头的行里",
        "the field {field} is not among the fields of the first {sampled} lines", "let it occur in an early line",
    ),
    "label_unknown": (
        "{path} 第 {line} 行的标签 {value!r} 不认识", "可用：{known}",
        "{path}, line {line}: unknown label {value!r}", "use one of: {known}",
    ),
    "labels_mixed": (
        "{paths} 里有的标签分三类，有的只说是否同一处", "请分开使用，或统一标签",
        "{paths}: some labels have three classes, others only say whether it is the same place",
        "use such files one at a time, or label them alike",
    ),
    "labels_contradict": (
        "{count} 对地址标了两次而标签不同：{where}", "请改正或删去其中一行；--force 把这些对都略去",
        "{count} pairs are labelled twice, each time otherwise: {where}",
        "correct or remove one of the two rows; --force leaves such pairs out",
    ),
    "labels_of_menpai": (
        "{path} 的 {column} 列是 menpai 自己写的（旁边有 similarity、level、conflicts）：拿它来比只会与自己相同",
        "请给人标注的地址对（menpai review 可以标注）；若有人改过这一列，请写明 --label {column}",
        "the column {column} of {path} was written by menpai (similarity, level and conflicts stand beside it): it would be "
        "compared with itself",
        "give pairs that people labelled (menpai review asks for labels); if people corrected the column, say --label {column}",
    ),
    "labels_all_one": (
        "所有标签都相同（{counts}）：从中看不出何时不是这样", "请加入其他标签的地址对",
        "all labels are the same ({counts}), so nothing can be learned about when it is otherwise",
        "add pairs of the other labels",
    ),
    "labels_few": (
        "{found} 对地址（{counts}）不够：至少要 {least} 对，每类至少 {of_label} 对", "请再标注一些；在此之前，模型包原样可用",
        "{found} pairs ({counts}) are too few: it takes {least}, and {of_label} of each label",
        "label more; until then the pack is best used as it is",
    ),
    "nothing_gained": (
        "模型包在这些地址对上已经校准好了：对数损失的改进 {gain:.4f}（95% 区间 {low:.4f} 到 {high:.4f}）与噪声无法区分，没有写出",
        "请直接使用 {pack}；--force 仍然写出",
        "the pack is already calibrated for these pairs: the gain in log-loss, {gain:.4f} (95 % interval {low:.4f} to {high:.4f}), "
        "cannot be told from noise, and nothing was written",
        "use {pack} as it is; --force writes the new pack all the same",
    ),
    "max_error_missing": (
        "给了校准用的标签，却没有 --max-error", "请给出可接受的错误率，例如 --max-error 0.01",
        "labels were given to find an error with, but no --max-error", "give the error that you accept, such as --max-error 0.01",
    ),
    "max_error_without_labels": (
        "--max-error 需要你自己的带标签地址对：错误率只对与标签同样来源的地址成立",
        "请用 --calibration FILE 给出几百对；或用 --use-builtin-calibration，以本项目标注的地址对为准",
        "--max-error needs labelled pairs of your own: an error holds only for pairs like those it was found with",
        "give some hundreds with --calibration FILE, or take ours with --use-builtin-calibration",
    ),
    "max_error_two_labels": (
        "--calibration 和 --use-builtin-calibration 只能用一个", "请去掉其中一个",
        "--calibration and --use-builtin-calibration exclude each other", "leave one of them out",
    ),
    "max_error_invalid": (
        "--max-error 是 {value}，应大于 0、小于 0.5", "例如 0.01，即每一百个里至多错一个",
        "--max-error is {value}, it must be above 0 and below 0.5", "give 0.01 for one wrong in a hundred",
    ),
    "entities_stdin": (
        "--task entities 要把文件读几遍，不能用标准输入", "请先存成文件",
        "--task entities reads its files more than once and cannot take standard input", "write it to a file first",
    ),
    "entities_files": (
        "--task entities 需要两个或三个文件，给了 {count} 个",
        "例如 LEFT RIGHT TRUTH（两表和真对），TABLE TRUTH（一表和真对），或 OUT TRUTH（link、dedupe 的输出和真对）",
        "--task entities takes two or three files, {count} were given",
        "give LEFT RIGHT TRUTH (two tables and their true pairs), TABLE TRUTH, or OUT TRUTH (an output of link or dedupe)",
    ),
    "entities_no_truth": (
        "{files} 里找不到真对：没有两列的内容是表里的编号", "真对的文件每行有左右两个编号；必要时用 --id、--right-id 指明编号列",
        "no true pairs in {files}: no two columns hold ids of the tables",
        "a file of true pairs has a left and a right id on each row; name the columns of ids with --id and --right-id",
    ),
    "train_few": (
        "{found} 对地址（{counts}）不够训练：至少要 {least} 对", "几百对请用 menpai calibrate；或用 --teacher 加上未标注的地址对",
        "{found} pairs ({counts}) are too few to train on: it takes {least}",
        "with some hundreds use menpai calibrate; or add unlabelled pairs with --teacher",
    ),
    "train_one_group": (
        "{pairs} 对地址彼此相连，分不出一部分用来检验", "请加入别处的地址对，或检查分组列（--group）",
        "the {pairs} pairs hang together, so none can be held out for checking", "add pairs of other places, or look at the column of groups (--group)",
    ),
    "train_other_network": (
        "模型包 {pack} 不是 menpai 自己的编码器（{reason}）", "请从 menpai-mini 训练；导入的模型可以 calibrate，或作 --teacher",
        "the pack {pack} does not hold an encoder of menpai ({reason})",
        "train from menpai-mini; an imported model can be calibrated, or be the --teacher",
    ),
    "train_worse": (
        "在留出的 {held} 对上宏平均 F1 从 {before:.4f} 到 {after:.4f}，没有变好，没有写出", "请再标注一些；--force 仍然写出",
        "on {held} held-out pairs macro-F1 goes from {before:.4f} to {after:.4f}: not better, and nothing was written",
        "label more; --force writes the new pack all the same",
    ),
    "step_unknown": (
        "normalize 没有步骤 {step}", "{near_zh}可选：{known}",
        "normalize has no step {step}", "{near_en}use: {known}",
    ),
    "scheme_unknown": (
        "没有名为 {name} 的标签体系", "{near_zh}可用：{known}",
        "there is no tag scheme {name}", "{near_en}use one of: {known}",
    ),
    "scheme_not_found": (
        "{path} 的标签不属于任何已知体系：{tags}", "请用 --scheme 指明：{known}",
        "the tags of {path} belong to no known scheme: {tags}", "name it with --scheme: {known}",
    ),
    "tag_unknown": (
        "{path} 第 {line} 行的标签 {tag!r} 不属于体系 {scheme}", "{near_zh}请改正，或用 --scheme 换一个体系",
        "{path}, line {line}: the tag {tag!r} is not of the scheme {scheme}",
        "{near_en}correct it, or choose another scheme with --scheme",
    ),
    "tag_line_wrong": (
        "{path} 第 {line} 行不是“字、制表符、标签”", "每行一个字和它的标签，空行分开句子",
        "{path}, line {line} is not a token, a tab and its tag", "one token and tag a line, an empty line between sentences",
    ),
    "pack_without_tagger": (
        "模型包 {pack} 里没有标注器", "请关闭设置 tagger，或换用带标注器的模型包（{known}）",
        "the pack {pack} has no tagger", "switch the setting tagger off, or choose a pack that has one ({known})",
    ),
    "scheme_of_pack": (
        "模型包 {pack} 按 {found} 标注，而文件的标签体系是 {scheme}", "请换一个模型包，或换一个文件",
        "the pack {pack} tags in {found}, the file in {scheme}", "choose another pack or another file",
    ),
    "nothing_tagged": (
        "{path} 里没有一个句子", "每行一个字和它的标签，空行分开句子",
        "{path} holds no sentence", "one token and tag a line, an empty line between sentences",
    ),
    "nothing_judged": (
        "{path} 里没有一行可以评估", "每行需要两条地址和一个标签",
        "no row of {path} could be judged", "each row needs two addresses and a label",
    ),
    "internal": (
        "内部错误：{reason}", "这是 menpai 的缺陷，请附上上面的记录报告",
        "internal error: {reason}", "this is a fault of menpai: please report it with the trace above",
    ),
    "table_damaged": (
        "内置数据表 {file} 已损坏：{reason}", "请重新安装 menpai",
        "the built-in table {file} is damaged: {reason}", "install menpai again",
    ),
    "body_not_json": (
        "请求正文不是有效的 JSON：{reason}", "请发送 UTF-8 编码的 JSON",
        "the body is not valid JSON: {reason}", "send JSON in UTF-8",
    ),
    "body_invalid": (
        "请求正文不符合约定：{reason}", "各字段见 /docs",
        "the body does not have the agreed shape: {reason}", "see /docs for the fields",
    ),
    "query_invalid": (
        "网址里问号之后的参数不符合约定：{reason}", "各参数见 /docs",
        "what is behind the question mark does not have the agreed shape: {reason}", "see /docs for the parameters",
    ),
    "body_shape": (
        "无法识别的请求正文，收到的字段是：{found}", "只能是其中一种：{known}",
        "the body has none of the known shapes, its fields are: {found}", "send exactly one of {known}",
    ),
    "body_too_large": (
        "请求正文超过 {limit} 字节", "请分成几次发送，或调大设置 max_body_mb",
        "the body is larger than {limit} bytes", "send it in parts, or raise the setting max_body_mb",
    ),
    "body_slow": (
        "请求正文在 {seconds} 秒内没有发完", "请检查网络，或分成几次发送",
        "the body did not arrive within {seconds} seconds", "check the network, or send it in parts",
    ),
    "too_many_rows": (
        "一次请求有 {count} 条，上限是 {limit}", "请分成几次发送，或调大设置 max_pairs",
        "{count} rows in one request, the limit is {limit}", "send them in parts, or raise the setting max_pairs",
    ),
    "timeout_invalid": (
        "X-Request-Timeout-Ms 的值 {value!r} 无效", "请给出正整数毫秒",
        "X-Request-Timeout-Ms has the invalid value {value!r}", "give a positive whole number of milliseconds",
    ),
    "key_wrong": (
        "缺少密钥或密钥不对", "请发送 Authorization: Bearer 加上服务的密钥",
        "the key is missing or wrong", "send Authorization: Bearer with the key of this service",
    ),
    "route_unknown": (
        "没有 {path} 这个路径", "全部路径见 /docs",
        "there is no route {path}", "see /docs for all routes",
    ),
    "method_wrong": (
        "{path} 不接受 {method}", "请使用 {allow}",
        "{path} does not take {method}", "use {allow}",
    ),
    "service_warming": (
        "服务正在加载模型", "请在 {retry_after} 秒后重试",
        "the service is loading its model", "try again in {retry_after} s",
    ),
    "service_unreachable": (
        "连不上 {url}：{reason}", "服务在运行吗？用 --host 和 --port 指出它的地址",
        "cannot reach {url}: {reason}", "is the service running? --host and --port say where",
    ),
    "metrics_unreadable": (
        "读不到 {url}：{reason}", "服务在运行吗？有密钥时请设置 MENPAI_API_KEY；指标可能在单独的端口上（metrics_port）",
        "cannot read {url}: {reason}",
        "is the service running? With keys set MENPAI_API_KEY; metrics may have a port of their own (metrics_port)",
    ),
    "instance_died": (
        "处理请求的进程已退出", "它正在重新启动；请在 {retry_after} 秒后重试",
        "the process that worked on the request has ended", "it is being started again; try again in {retry_after} s",
    ),
    "pack_swapped": (
        "模型包 {pack} 的内容在服务运行期间改变了", "请让服务重新载入：menpai serve --reload，或发送 SIGHUP",
        "the pack {pack} has changed under the running service", "let the service reload it: menpai serve --reload, or SIGHUP",
    ),
    "reload_busy": (
        "正在重新载入", "请等它结束",
        "a reload is under way", "wait for it to end",
    ),
    "reload_refused": (
        "新模型包未通过检查：{reason}", "服务继续使用原来的模型包；请用 menpai model verify 检查新的",
        "the new pack did not pass: {reason}", "the service keeps the pack it has; look at the new one with menpai model verify",
    ),
    "reload_needs_key": (
        "未设置密钥，不能通过 HTTP 重新载入", "请设置 MENPAI_API_KEY，或在本机发送 SIGHUP",
        "without a key nothing is reloaded over HTTP", "set MENPAI_API_KEY, or send SIGHUP on this machine",
    ),
    "service_failing": (
        "最近的几批请求都失败了", "看日志；恢复后会自动就绪",
        "the last batches all failed", "see the log; once a batch goes well the service is ready again",
    ),
    "service_draining": (
        "服务正在停止，不再接受新请求", "请改用其他实例，或在 {retry_after} 秒后重试",
        "the service is stopping and takes no new requests", "use another instance, or try again in {retry_after} s",
    ),
    "service_full": (
        "排队的请求太多，预计要等 {wait:.1f} 秒", "请在 {retry_after} 秒后重试",
        "too much work is waiting, about {wait:.1f} s of it", "try again in {retry_after} s",
    ),
    "row_failed": (
        "这一条处理时内部出错，其余各条不受影响", "请单独再试这一条；仍然出错请告诉维护者",
        "something failed inside on this row; the others are not affected",
        "try it once more alone, and tell the service's maintainers if it fails again",
    ),
    "service_failed": (
        "服务内部出错", "请把编号 {request_id} 告诉维护者",
        "something failed inside the service", "tell its maintainers the id {request_id}",
    ),
    "deadline_passed": (
        "排队时已超过 {timeout_ms} 毫秒的期限，没有处理", "请稍后重试，或放宽 X-Request-Timeout-Ms",
        "the deadline of {timeout_ms} ms passed while queued, nothing was run",
        "try again later, or give a larger X-Request-Timeout-Ms",
    ),
    "deadline_halfway": (
        "期限 {timeout_ms} 毫秒已过，{count} 条中已开始处理 {begun} 条，其余不再处理，结果不返回",
        "请分成几次发送，或放宽 X-Request-Timeout-Ms",
        "the deadline of {timeout_ms} ms passed after {begun} of {count} rows were begun; the rest is not run, and none is answered",
        "send them in parts, or give a larger X-Request-Timeout-Ms",
    ),
    "too_many_characters": (
        "一次请求的地址共有 {count} 个字符，上限是 {limit}", "请分成几次发送",
        "the addresses of one request have {count} characters, the limit is {limit}", "send them in parts",
    ),
    "http_invalid": (
        "收到的不是有效的 HTTP 请求", "路径和查询参数中的汉字需要百分号编码",
        "this is no valid HTTP request", "percent-encode whatever is not ASCII in path and query",
    ),
    "head_too_large": (
        "请求头部超过 {limit} 字节", "请把地址放在正文里，并去掉多余的头部字段",
        "the head of the request is larger than {limit} bytes", "put addresses into the body, and send fewer fields",
    ),
    "head_slow": (
        "请求头部在 {seconds} 秒内没有发完", "请检查网络",
        "the head of the request did not arrive within {seconds} seconds", "check the network",
    ),
    "host_insecure": (
        "在 {host} 上监听会让其他机器不用密钥就能访问", "请设置 MENPAI_API_KEY 或 --key-file，或加上 --insecure",
        "listening on {host} opens the service to other machines without a key",
        "set MENPAI_API_KEY or --key-file, or add --insecure",
    ),
    "host_refused": (
        "这个服务不以 {host} 为名", "请用 127.0.0.1 访问，或把这个名字加入设置 allowed_hosts",
        "this service does not go by the name {host}", "reach it as 127.0.0.1, or add the name to the setting allowed_hosts",
    ),
    "origin_refused": (
        "来自 {origin} 的网页不可以调用这个服务", "请把它加入设置 cors_origins",
        "web pages of {origin} may not call this service", "add it to the setting cors_origins",
    ),
    "quota_spent": (
        "已用完每秒 {quota} 条的配额", "请在 {retry_after} 秒后重试",
        "the quota of {quota} rows a second is spent", "try again in {retry_after} s",
    ),
    "key_name_invalid": (
        "{name!r} 不能用作密钥的名字", "请用字母、数字和 ._-，最多 64 个",
        "{name!r} cannot name a key", "use letters, digits and ._-, at most 64",
    ),
    "key_name_taken": (
        "{path} 里已有名为 {name} 的密钥", "请换一个名字，或先删去那一行",
        "{path} already has a key named {name}", "choose another name, or remove that line first",
    ),
    "key_file_unreadable": (
        "无法读取密钥文件 {path}：{reason}", "请用 menpai key 生成",
        "cannot read the file of keys {path}: {reason}", "make one with menpai key",
    ),
    "key_file_invalid": (
        "密钥文件 {path} 第 {line} 行不是“名字 sha256:哈希值”", "请用 menpai key 生成这一行",
        "line {line} of the file of keys {path} is not “name sha256:hash”", "make the line with menpai key",
    ),
    "key_file_empty": (
        "密钥文件 {path} 里没有密钥", "请用 menpai key 生成",
        "the file of keys {path} holds no key", "make one with menpai key",
    ),
    "tls_invalid": (
        "无法使用证书 {path}：{reason}", "请检查 tls_cert 和 tls_key 是否为一对 PEM 文件",
        "cannot use the certificate {path}: {reason}", "check that tls_cert and tls_key are a pair of PEM files",
    ),
    "load_url": (
        "不能向 {url} 施压：不是服务的网址（{reason}）", "请给出 http://主机:端口，或不给网址：menpai loadtest 自己启动一个服务",
        "cannot load {url}: not the URL of a service ({reason})",
        "give http://HOST:PORT, or no URL: menpai loadtest starts a service of its own",
    ),
    "load_unreachable": (
        "{url} 没有就绪（/readyz：{status}）", "请先启动并等它就绪：menpai serve；有密钥时用 MENPAI_API_KEY 给出",
        "{url} is not ready (/readyz: {status})",
        "start it first and wait until it is ready: menpai serve; with a key, set MENPAI_API_KEY",
    ),
    "load_service": (
        "自己启动的服务 {url} 没有就绪：{reason}", "请用同样的选项运行 menpai serve，看它说什么",
        "the service started at {url} did not get ready: {reason}",
        "run menpai serve with the same options and see what it says",
    ),
    "load_list": (
        "{option} 的值 {value!r} 无效：应为 {expected}", "例如 {example}",
        "{option} cannot be {value!r}: expected {expected}", "for example {example}",
    ),
    "load_rows": (
        "{route} 一次只收一对地址，不能用 --rows {rows}", "请用 --route /v1/match",
        "{route} takes one pair at a time, not --rows {rows}", "use --route /v1/match",
    ),
    "load_plot": (
        "不能画成 {path}", "请用这些扩展名之一：{known}",
        "cannot draw {path}", "use one of these endings: {known}",
    ),
    "jobs_off": (
        "这台服务不收表格", "请运行服务的人设置 jobs_folder，或用命令行 menpai",
        "this service takes no tables", "ask whoever runs it to set jobs_folder, or use the command menpai",
    ),
    "jobs_busy": (
        "另一个服务正在使用文件夹 {path}", "请给这一个另设 jobs_folder",
        "another service uses the folder {path}", "give this one a jobs_folder of its own",
    ),
    "jobs_full": (
        "等待的表格太多，或磁盘将满", "请过一会儿再试",
        "too many tables are waiting, or the disk is nearly full", "try again later",
    ),
    "jobs_of_client": (
        "这里已有您的 {count} 个表格和任务，不再多收", "请先删除用完的，或等它们到期",
        "{count} tables and jobs of yours are here, and no more are taken",
        "delete those that you need no more, or wait until they expire",
    ),
    "job_unknown": (
        "没有编号为 {id} 的任务或表格", "它可能已被删除或到期；请重新上传",
        "there is no job or table {id}", "it may have been deleted or have expired; upload the table again",
    ),
    "job_table_unknown": (
        "没有编号为 {id} 的表格", "它可能已用过、被删除或到期；请重新上传",
        "there is no table {id}", "it may have been used, deleted or have expired; upload it again",
    ),
    "job_has_no_result": (
        "任务 {id} 没有 {file}：它的状态是 {state}", "请等到状态为 done",
        "the job {id} has no {file}: it is {state}", "wait until it is done",
    ),
    "job_too_long": (
        "表格超过 {limit} 行", "请分成几份，或用命令行 menpai，它没有这个上限",
        "the table has more than {limit} rows", "send it in parts, or use the command menpai, which has no such limit",
    ),
    "job_two_tables": (
        "{kind} 需要的表格数不对", "连接（link）要两个表格，其他任务要一个",
        "{kind} was given the wrong number of tables", "link takes two tables, the other kinds take one",
    ),
    "job_table_slow": (
        "表格在 {seconds} 秒内没有读完", "请减小表格，或存成 CSV 后再上传",
        "the table could not be read within {seconds} seconds", "make it smaller, or save it as CSV and upload that",
    ),
    "job_died": (
        "任务的进程被系统结束（{reason}）", "多半是内存不够：请把表格分成几份再试",
        "the process of the job was ended by the system ({reason})", "mostly memory ran out: try again with the table in parts",
    ),
    "job_interrupted": (
        "服务重启时任务被打断了 {count} 次", "请重新上传再试",
        "the job was interrupted {count} times by restarts of the service", "upload the table again",
    ),
    "report_ending": (
        "报告不能写成 {path}", "请用这些扩展名之一：{known}",
        "a report cannot be {path}", "use one of these endings: {known}",
    ),
    "report_of_pair": (
        "--report 用于表格，不用于两条地址", "看一对地址的理由请用 --explain",
        "--report is for tables, not for two addresses", "--explain tells the reasons of a single pair",
    ),
    "report_needs_file": (
        "写到标准输出时没有报告", "请用 -o 给出输出文件",
        "there is no report of what goes to standard output", "name a file for the output with -o",
    ),
    "load_no_run": (
        "{path} 不是压测结果", "请给出 menpai loadtest -o 写出的 JSON 文件",
        "{path} is no result of a load test", "give a JSON file that menpai loadtest -o wrote",
    ),
    "port_in_use": (
        "{host} 的端口 {port} 已被占用", "请停掉占用它的程序，或用 {flag} 换一个",
        "port {port} on {host} is in use", "stop the program that holds it, or choose another with {flag}",
    ),
    "host_unavailable": (
        "无法在 {host} 的端口 {port} 上监听：{reason}", "请检查 --host 和 --port",
        "cannot listen on {host}, port {port}: {reason}", "check --host and --port",
    ),
    "library_not_found": (
        "没有地址库 {path}", "请检查路径，或用 menpai library build 建一个",
        "there is no library {path}", "check the path, or make one with menpai library build",
    ),
    "library_none": (
        "{path} 不是地址库", "请给出 menpai library build 写出的文件夹",
        "{path} is no library", "give the folder that menpai library build wrote",
    ),
    "library_not_empty": (
        "{path} 里已有别的文件，不是地址库", "请换一个路径，或先清空它",
        "{path} holds other files and is no library", "choose another path, or empty it first",
    ),
    "library_unfinished": (
        "地址库 {path} 还没有建完", "请用同样的参数再运行一次 menpai library build，它会接着做",
        "the library {path} was not finished", "run menpai library build again with the same arguments: it goes on",
    ),
    "library_newer": (
        "地址库 {path} 的格式是 {found}，本版本最高能读 {known}", "请升级 menpai，或用本版本重新建库",
        "the library {path} has format {found}, this version reads {known}", "upgrade menpai, or build the library again",
    ),
    "library_older": (
        "地址库 {path} 的格式 {found} 已不再使用，本版本读 {known}", "请从原始数据重新建库：menpai library build",
        "the library {path} has the old format {found}, this version reads {known}",
        "build it again from its sources with menpai library build",
    ),
    "library_index_version": (
        "地址库 {path} 的索引 {part} 是版本 {found}，本版本用 {known}", "请运行 menpai library compact {path}：它会重建索引",
        "the index {part} of the library {path} is version {found}, this menpai uses {known}",
        "run menpai library compact {path}, which builds the indexes again",
    ),
    "library_damaged": (
        "地址库 {path} 已损坏：{file}", "请从备份恢复，或从原始数据重新建库",
        "the library {path} is damaged: {file}", "restore it from a copy, or build it again from its sources",
    ),
    "library_locked": (
        "另一个程序正在修改地址库 {path}，等了 {seconds} 秒", "请等它结束，或用 --wait 等得更久",
        "another program is changing the library {path}; waited for {seconds} s", "wait until it is done, or wait longer with --wait",
    ),
    "library_empty": (
        "{path}：没有一行可以入库（{problems} 行有问题）", "请看问题报告；地址和名称至少要有一个",
        "{path}: no row could be taken in ({problems} had problems)", "see the report of problems; a row needs an address or a name",
    ),
    "library_ids_repeated": (
        "{count} 个编号重复出现：{ids}", "请改正来源，或用 --duplicates first 或 last 决定留哪一行",
        "{count} ids occur more than once: {ids}", "correct the source, or choose with --duplicates first or last which row stays",
    ),
    "library_ids_taken": (
        "{count} 个编号已在库中：{ids}", "要替换这些行请用 menpai library update；要跳过它们请用 --duplicates first",
        "{count} ids are in the library already: {ids}",
        "replace those rows with menpai library update, or pass them over with --duplicates first",
    ),
    "library_id_unknown": (
        "库中没有编号 {id}", "请检查编号",
        "the library has no id {id}", "check the id",
    ),
    "library_disk_full": (
        "写地址库 {path} 时磁盘写不下了：{reason}", "请腾出空间再试；原来的地址库没有变，临时文件已删除",
        "the disk has no room while the library {path} is written: {reason}",
        "make room and try again; the library is as it was, and what was half-written is gone",
    ),
    "library_worker": (
        "建库的工作进程意外结束（{reason}）", "可能是内存不足；请用 --workers 1 再试，已完成的部分会保留",
        "a process that builds the library ended unexpectedly ({reason})",
        "it may have run out of memory: try again with --workers 1; what was finished is kept",
    ),
    "java_missing": (
        "启动 Spark 失败，多半是没有 Java（{reason}）", "请安装 Java 17（如 apt-get install openjdk-17-jre-headless），或设置 JAVA_HOME",
        "Spark did not start, most likely for want of a Java ({reason})",
        "install Java 17 (such as apt-get install openjdk-17-jre-headless), or set JAVA_HOME",
    ),
    "spark_work": (
        "集群 {master} 需要一个驱动和所有执行器都能访问的工作目录", "请给出 --work，如 hdfs:///tmp/menpai 或 s3a://桶/menpai",
        "the cluster {master} needs a folder that the driver and all executors reach",
        "give --work, such as hdfs:///tmp/menpai or s3a://bucket/menpai",
    ),
    "spark_format": (
        "Spark 不读写 {path} 的格式", "可用：Parquet 文件或目录、{known}",
        "Spark reads and writes no such format as that of {path}", "use Parquet files or folders, or {known}",
    ),
    "spark_exists": (
        "{path} 已存在", "请换一个输出目录，或先删除它",
        "{path} exists already", "give another output folder, or remove that one first",
    ),
    "spark_refused": (
        "Spark 拒绝了：{reason}", "请检查路径和列名",
        "Spark refused: {reason}", "check the paths and the columns' names",
    ),
    "spark_failed": (
        "Spark 作业失败：{reason}", "完整的原因在驱动和执行器的日志里；执行器里要装有 menpai[spark]",
        "the Spark job failed: {reason}",
        "the logs of the driver and the executors tell all; executors need menpai[spark] in their environment",
    ),
    "link_worker": (
        "判断地址对的工作进程两次意外结束（{reason}）", "可能是内存不足；请用 --workers 1 再试",
        "a process that judges pairs ended unexpectedly, twice ({reason})",
        "it may have run out of memory: try again with --workers 1",
    ),
    "library_name_repeated": (
        "两个地址库都叫 {name}", "请用 名字=路径 给它们不同的名字",
        "two libraries are called {name}", "give them different names, as NAME=PATH",
    ),
    "library_unknown": (
        "没有名为 {name} 的地址库", "{near_zh}已打开：{known}",
        "no library is called {name}", "{near_en}open are: {known}",
    ),
    "search_field": (
        "查询里有未知字段 {field}", "{near_zh}可用：text 或 address、name、lat、lon、crs",
        "the query has an unknown field {field}", "{near_en}use text or address, name, lat, lon, crs",
    ),
    "search_radius": (
        "半径 {value} 不是距离", "请给出大于 0 的米数",
        "the radius {value} is no distance", "give metres above 0",
    ),
    "search_radius_point": (
        "给了半径，查询却没有坐标", "请给出 lat 和 lon，或去掉半径",
        "there is a radius but the query has no point", "give lat and lon, or leave the radius out",
    ),
    "standard_none": (
        "地址库里没有与它相符的地址", "请检查写法；rivals 是最接近的几条",
        "the library has no address like it", "check how it is written; `rivals` come closest",
    ),
    "standard_doubt": (
        "最像的一条（编号 {id}）判为另一处，也可能是写错了字", "请核对 rivals 里的写法",
        "the row that is most alike ({id}) is judged another place; it may be a slip", "compare it with `rivals`",
    ),
    "standard_area": (
        "地址库里只有同一区域的地址（最接近的编号是 {id}，一致到 {level}）", "请把这个地址加入地址库，或从 rivals 中选",
        "the library only has addresses of the same area (closest is {id}, agreeing down to {level})",
        "add the address to the library, or choose among `rivals`",
    ),
    "standard_several": (
        "{count} 条地址同样相符（分差 {gap}）", "请写得更细，或从 rivals 中选",
        "{count} addresses fit as well (gap {gap})", "write it more finely, or choose among `rivals`",
    ),
    "row_without_address": (
        "这一行既没有地址也没有名称", "请补上其中一个",
        "the row has neither an address nor a name", "fill in one of them",
    ),
    "row_repeated": (
        "编号 {id} 重复，这一行没有入库", "请改正来源中的编号",
        "the id {id} occurs again; this row was left out", "correct the ids in the source",
    ),
    "row_taken": (
        "编号 {id} 已在库中，这一行没有入库", "要替换它请用 menpai library update",
        "the id {id} is in the library already; this row was left out", "replace it with menpai library update",
    ),
    "point_invalid": (
        "坐标 {lat}, {lon} 无法使用，这一行入库时不带坐标", "请给出以度为单位的纬度和经度",
        "the coordinates {lat}, {lon} cannot be used; the row was taken in without them", "give latitude and longitude in degrees",
    ),
    "point_unread": (
        "坐标 {text} 读不懂", "请写成以度为单位的纬度和经度，例如 30.27,120.15 或 30°16′12″",
        "the coordinates {text} cannot be read", "write degrees, such as 30.27,120.15 or 30°16′12″",
    ),
    "columns_taken": (
        "{path}：{taken_zh}", "若不对，请用 --address、--name、--id、--lat、--lon、--point、--weight 给出列名（- 表示没有）",
        "{path}: {taken_en}", "if that is wrong, give columns with --address, --name, --id, --lat, --lon, --point, --weight (- for none)",
    ),
    "crs_of_row": (
        "坐标系 {crs} 未知，这一行的坐标无法使用", "请写 wgs84、gcj02 或 bd09（GPS、高德、百度等名称也认得）",
        "the coordinate system {crs} is not known, so the row's coordinates cannot be used",
        "write wgs84, gcj02 or bd09 (names such as GPS, 高德, 百度 are known too)",
    ),
    "point_swapped": (
        "经纬度写反了（{lat}, {lon}），已换过来", "请检查来源的列名",
        "latitude and longitude stood the wrong way round ({lat}, {lon}) and were exchanged", "check the columns of the source",
    ),
    "columns_swapped": (
        "从这一行起有 {count} 行经纬度写反了，都已换过来", "两列的名称写反了：请检查来源",
        "from here on {count} rows have latitude and longitude the wrong way round; all were exchanged",
        "the two columns bear each other's name: check the source",
    ),
    "point_far": (
        "坐标 {lat}, {lon} 离地址所写的{division}有 {km} 公里，这一行入库时不带坐标", "请检查坐标和地址",
        "the coordinates {lat}, {lon} are {km} km from {division}, which the address names; the row was taken in without them",
        "check the coordinates and the address",
    ),
    "weight_invalid": (
        "权重 {weight} 不是数，按 1 入库", "请给出大于等于 0 的数",
        "the weight {weight} is no number; the row was taken in with 1", "give a number from 0 on",
    ),
    "crs_unknown": (
        "坐标系 {crs} 未知", "可用：{known}",
        "the coordinate system {crs} is not known", "give one of {known}",
    ),
    "crs_guessed": (
        "{path}：没有说明坐标系，从名称 {basis} 看是 {crs}", "若不对，请用 --crs 给出 wgs84、gcj02 或 bd09",
        "{path}: no coordinate system was given; the name {basis} speaks for {crs}", "if that is wrong, give --crs wgs84, gcj02 or bd09",
    ),
    "link_option": (
        "选项 {value} 未知", "可用：{known}", "no such option: {value}", "known: {known}",
    ),
    "link_not_arrow": (
        "{type} 不是支持 Arrow C 流协议的表格", "请给 pyarrow、polars、pandas（2.2 起）或 DuckDB 的表格",
        "{type} is no table of the Arrow C stream protocol", "give a table of pyarrow, polars, pandas (2.2 on) or DuckDB",
    ),
    "arrow_failed": (
        "{type} 不能变成 Arrow 表：{reason}", "一列里的值应是同一类型，例如都是文本",
        "{type} cannot be made an Arrow table: {reason}", "the values of a column must be of one type, such as all texts",
    ),
    "crs_assumed": (
        "{path}：没有说明坐标系，也无从判断，按 {crs} 处理", "高德、腾讯的坐标请加 --crs gcj02，百度的请加 --crs bd09（不加会偏几百米）",
        "{path}: no coordinate system was given and nothing tells; taken as {crs}",
        "for coordinates of Gaode or Tencent give --crs gcj02, of Baidu --crs bd09 (else they are hundreds of metres off)",
    ),
    "duplicates_unknown": (
        "duplicates={value!r} 未知", "{near_zh}可用：{known}",
        "duplicates={value!r} is not known", "{near_en}give one of {known}",
    ),
    "library_file_bad": (
        "这个文件和写出时不同", "请从备份恢复，或从原始数据重新建库",
        "the file is not as it was written", "restore it from a copy, or build the library again from its sources",
    ),
    "point_unreadable": (
        "{text} 不是坐标", "请写成 纬度,经度，例如 30.27,120.15",
        "{text} is no point", "write latitude,longitude, such as 30.27,120.15",
    ),
    "review_needs_file": (
        "复核要反复读文件，不能从 {path} 读", "请先把输出写成文件（.csv、.jsonl、.xlsx、.parquet），再复核它",
        "a review reads its file more than once and cannot take {path}", "write the output to a file (.csv, .jsonl, .xlsx, .parquet) and review that",
    ),
    "review_column_missing": (
        "{path} 没有 {column} 列，不能复核；现有：{columns}", "请用这条命令得到可以复核的文件：{command}",
        "{path} has no column {column} and cannot be reviewed; it has: {columns}", "this makes a file that can be: {command}",
    ),
    "review_nothing": (
        "{path} 里没有可以复核的对：没有连上的行，或每一行都有问题", "link 请复核 --pairs-out 写出的文件；其余请看 problem 列",
        "{path} holds no pair to review: nothing was joined, or every row had a problem",
        "of a link, review the file of --pairs-out; else look at the column problem",
    ),
    "review_locked": (
        "另一个复核正在使用标签文件 {path}", "请先结束它；两人同时复核请各用一个：--labels FILE",
        "another review is at the labels {path}", "end it first; two people at once take a file each: --labels FILE",
    ),
    "review_labels_foreign": (
        "{path} 第 {line} 行不是复核写下的标签，文件保持原样", "请用 --labels 换一个文件",
        "line {line} of {path} is no label of a review; the file was left as it is", "choose another file with --labels",
    ),
    "review_no_labels": (
        "还没有标签：{path} 不存在", "请先用 menpai review 复核，或用 --labels 指明文件",
        "there are no labels yet: {path} does not exist", "review first with menpai review, or name the file with --labels",
    ),
    "review_not_saved": (
        "答案没有写进 {path}：{reason}", "请腾出空间或检查权限，再答一次；之前的答案都还在",
        "the answer was not written to {path}: {reason}", "make room or check the rights, and answer again; all answers before are kept",
    ),
    "review_without_ids": (
        "这些标签没有两边的编号，不能导出为决定", "match 的输出没有编号；请复核 link 或 dedupe 的输出",
        "these labels have no ids of rows and cannot be exported as decisions", "outputs of match have none; review one of link or dedupe",
    ),
    "review_link_used": (
        "这个链接不对，或已经用过", "请用终端里显示的链接；换浏览器请重新运行 menpai review",
        "this link is wrong, or was used before", "take the one in the terminal; for another browser run menpai review again",
    ),
    "review_answer_wrong": (
        "回答的格式不对", "请发送 {{\"key\": …, \"label\": …}}，label 为 {known} 之一，或空字符串表示跳过",
        "the answer has the wrong shape", 'send {{"key": …, "label": …}}, the label one of {known}, or empty to skip',
    ),
    "review_elsewhere": (
        "这一对已在别处回答", "页面已换到下一对",
        "this pair was answered elsewhere", "the page shows the next one now",
    ),
    "decision_unknown": (
        "{path} 第 {line} 行的 decision {value!r} 不认识", "{near_zh}请写 {known} 之一",
        "line {line} of {path} has an unknown decision {value!r}", "{near_en}write one of {known}",
    ),
    "library_row_not_mapping": (
        "入库的一行不是字典，而是 {type}", "请给出表格的路径，或一列字典，例如 [{{\"id\": \"1\", \"address\": \"…\"}}]",
        "a row for the library is no mapping but {type}",
        'give paths of tables, or a list of mappings such as [{{"id": "1", "address": "…"}}]',
    ),
    "library_closed": (
        "地址库 {path} 已关闭", "请用 Library.open 再打开",
        "the library {path} was closed", "open it again with Library.open",
    ),
}
# fmt: on


def render(code: str, details: dict[str, Any], language: Language = "en") -> tuple[str, str]:
    """Message and hint of a code in the language asked for."""
    zh_message, zh_hint, en_message, en_hint = MESSAGES[code]
    message, hint = (zh_message, zh_hint) if language == "zh" else (en_message, en_hint)
    return message.format(**details), hint.format(**details)


def near(name: str, known: Iterable[str]) -> dict[str, str]:
    """The details `near_zh` and `near_en`: the known name nearest to a wrong one; empty where none is near."""
    import difflib  # noqa: PLC0415 (for a message)

    found = difflib.get_close_matches(name, list(known), n=1)
    return {
        "near_zh": f"最接近的是 {found[0]}；" if found else "",
        "near_en": f"the nearest is {found[0]}; " if found else "",
    }


class MenpaiError(Exception):
    """Any error that menpai raises on purpose: a code, the details that fill its texts, and its family."""

    family: Literal["usage", "not_ready", "broken"] = "usage"

    def __init__(self, code: str, **details: Any) -> None:
        self.code = code
        self.details = details
        super().__init__(code, details)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.code, self.details)

    def render(self, language: Language = "en") -> tuple[str, str]:
        """Message and hint in the language asked for."""
        return render(self.code, self.details, language)

    def __str__(self) -> str:
        message, hint = self.render()
        return f"{message}; {hint}" if hint else message


def _rebuild(family: type[MenpaiError], code: str, details: dict[str, Any]) -> MenpaiError:
    """An error that travelled between processes."""
    return family(code, **details)


class UsageError(MenpaiError):
    """The caller's mistake: bad input, unknown option, missing column or file."""

    family = "usage"


class NotReadyError(MenpaiError):
    """Right question, wrong moment: loading, draining, full, or an extra that is not installed."""

    family = "not_ready"


class BrokenArtefactError(MenpaiError):
    """A file of ours (pack, table, library) is damaged or of a version that we cannot read."""

    family = "broken"


@dataclass(frozen=True, slots=True)
class Problem:
    """What stands where a verdict would, when a pair could not be judged. Never a label, never 0.0."""

    code: str
    details: dict[str, Any] = field(default_factory=dict)

    def render(self, language: Language = "en") -> tuple[str, str]:
        """Message and hint in the language asked for."""
        return render(self.code, self.details, language)

    @property
    def message(self) -> str:
        """The message in English."""
        return self.render()[0]

    @property
    def hint(self) -> str:
        """The cure in English."""
        return self.render()[1]

    def to_dict(self, language: Language = "en") -> dict[str, Any]:
        """The JSON shape: {"problem": {"code", "message", "hint"}}."""
        message, hint = self.render(language)
        return {"problem": {"code": self.code, "message": message, "hint": hint}}
