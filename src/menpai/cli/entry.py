"""`menpai`: pick the command, import its file alone, run it, and turn what went wrong into an exit code."""

from __future__ import annotations

import gc
import importlib
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Sequence

from menpai._version import __version__
from menpai.cli.arguments import Parser, given_settings
from menpai.cli.commands import ALIASES, COMMANDS, summary_of
from menpai.cli.console import note, prepare_streams, print_error, silence, warn_in_a_line
from menpai.cli.language import say, speak
from menpai.errors import MenpaiError, UsageError, near
from menpai.settings import Settings, spoken_language

EXIT_CODES = {"usage": 2, "not_ready": 3, "broken": 3}
INTERRUPTED, BROKEN_PIPE = 130, 141
# A process of our own looks for cycles rarely: readings and verdicts hold none, and looking costs a long run a tenth.
COLLECT = (50_000, 20, 20)


def main(argv: Sequence[str] | None = None, refused: Callable[[MenpaiError], None] = print_error) -> int:
    """Run a command and return its exit code: 0 ok, 1 problems in rows, 2 usage, 3 not ready or broken. `refused` is told
    what went wrong."""
    if argv is None:
        leave_through_the_stack()
        gc.set_threshold(*COLLECT)
    prepare_streams()
    warnings.formatwarning = warn_in_a_line
    words = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    speak(spoken_language(_language_flag(words)))
    try:
        if sys.stdout is None:
            raise UsageError("file_failed", path="stdout", reason=say("它已关闭", "it is closed"))
        code = _run(words)
        sys.stdout.flush()
        return code
    except MenpaiError as error:
        refused(error)
        return EXIT_CODES[error.family]
    except KeyboardInterrupt:
        note(f"\nmenpai: {say('已中断', 'interrupted')}")
        return INTERRUPTED
    except BrokenPipeError:
        silence(sys.stdout)
        return BROKEN_PIPE
    except OSError as error:
        silence(sys.stdout)
        reason = error.strerror or str(error)
        refused(UsageError("file_failed", path=error.filename or "stdout", reason=reason))
        return EXIT_CODES["usage"]
    except Exception as error:
        traceback.print_exc()
        refused(MenpaiError("internal", reason=f"{type(error).__name__}: {error}"))
        return EXIT_CODES["broken"]


def build_parser(chosen: Iterable[str] = COMMANDS) -> Parser:
    """The parser of `menpai`; only the chosen commands are imported and know their options."""
    about = say(
        "判断两条中文地址是否同一地点；若不是，指出在哪里分开。",
        "Judges whether two Chinese addresses mean the same place, and if not, where they part.",
    )
    parser = Parser(prog="menpai", description=about)
    parser.add_argument(
        "--version",
        action="version",
        version=f"menpai {__version__}",
        help=say("显示版本", "show the version"),
    )
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", title=say("命令", "commands"))
    for name in COMMANDS:
        if name in chosen:
            importlib.import_module(f"menpai.cli.{name}").add(commands)
        else:
            commands.add_parser(name, help=summary_of(name))
    return parser


def leave_through_the_stack() -> None:
    """Let signals that end the process unwind it first, so that no half-written file stays behind."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # nohup ignores SIGHUP
            signal.signal(number, lambda sent, _: sys.exit(128 + sent))


def _run(words: list[str]) -> int:
    first = ALIASES.get(words[0], words[0])
    if not first.startswith("-") and first not in COMMANDS:
        raise UsageError("command_unknown", name=first, **near(first, COMMANDS))
    chosen = next((ALIASES.get(word, word) for word in words if word in {**COMMANDS, **ALIASES}), "")
    parser = build_parser([chosen])
    args, rest = parser.parse_known_args(words)
    if rest:
        getattr(args, "parser", parser).refuse(rest[0])
    if not hasattr(args, "run"):
        parser.print_help()
        return 0
    settings = Settings.load(given_settings(args))
    speak(settings.lang)
    code: int = args.run(args, settings)
    return code


def _language_flag(words: Sequence[str]) -> str | None:
    """The value of --language before anything is parsed, so that errors and help speak it too."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == "--language":
            return following
        if word.startswith("--language="):
            return word.partition("=")[2]
    return None
