"""Why a verdict is what it is, for people: one sentence, aligned elements, the part that decided, a drawing."""

from menpai.explaining.explain import Explanation, explain
from menpai.explaining.sentence import sentence

__all__ = ["Explanation", "explain", "sentence"]
