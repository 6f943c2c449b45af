"""Jinja, with cheaper text: a board is six thousand small values, nearly all plain.

Jinja makes a `Markup` object of each value it escapes, and joins them all at the
end.  Here what needs no escaping stays the string it is.
"""

import re
from typing import Final

from jinja2 import Environment
from jinja2.compiler import CodeGenerator, Frame
from jinja2.nodes import Expr
from markupsafe import Markup, escape

_NUMBERS: Final = frozenset({int, float})
_SPECIAL: Final = re.compile("[&<>\"']")


def text(value: object) -> str:
    """Return `value` as HTML, just as `markupsafe.escape` does."""
    if isinstance(value, Markup):
        return value
    # A subclass may be anything.
    if type(value) in _NUMBERS:
        return str(value)
    if type(value) is str and not _SPECIAL.search(value):
        return value
    return escape(value)


class TextGenerator(CodeGenerator):
    """Compiles `{{ value }}` to a call of `text`."""

    def _output_child_pre(
        self, node: Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
            return
        self.write("environment.text(")
        if finalize.src is not None:
            self.write(finalize.src)


class TextEnvironment(Environment):
    """An environment whose templates are compiled by `TextGenerator`."""

    code_generator_class = TextGenerator
    text = staticmethod(text)
