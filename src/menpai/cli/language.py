"""Which language the command line speaks; set once by `entry.main`, for help, words and errors."""

from __future__ import annotations

from contextvars import ContextVar

from menpai.errors import Language

_spoken: ContextVar[Language] = ContextVar("spoken", default="en")


def speak(language: Language) -> None:
    """Speak this language from now on."""
    _spoken.set(language)


def spoken() -> Language:
    """The language being spoken."""
    return _spoken.get()


def say(zh: str, en: str) -> str:
    """The one of two texts that is in the language being spoken."""
    return zh if spoken() == "zh" else en
