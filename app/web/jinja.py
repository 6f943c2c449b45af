"""Jinja, with cheaper text: a board is six thousand small values, nearly all plain.

Jinja makes a `Markup` object of each value it escapes, and joins them all at the
end.  Here what needs no escaping stays the string it is.

Jinja also hands every piece of text up through all the templates and blocks that
lie around it.  Here each of them hands up one piece, what it holds put together.
"""

import re
from types import FunctionType
from typing import Any, Final

from jinja2 import Environment
from jinja2.compiler import CodeGenerator, Frame
from jinja2.nodes import Expr
from jinja2.runtime import Context
from markupsafe import Markup, escape

_NUMBERS: Final = frozenset({int, float})
_special: Final = re.compile("[&<>\"']").search


def text(value: object) -> str:
    """Return `value` as HTML, just as `markupsafe.escape` does."""
    # The most frequent first.  A subclass may be anything.
    if type(value) is str:
        return escape(value) if _special(value) else value
    if type(value) in _NUMBERS:
        return str(value)
    return value if isinstance(value, Markup) else escape(value)


class TextGenerator(CodeGenerator):
    """Compiles `{{ value }}` to a call of `text`, and each template and block to one string."""

    def enter_frame(self, frame: Frame) -> None:
        if frame.parent is None:
            self.buffer(frame)
        super().enter_frame(frame)

    def leave_frame(self, frame: Frame, with_python_scope: bool = False) -> None:
        super().leave_frame(frame, with_python_scope)
        if frame.parent is None:
            self.writeline(f"yield concat({frame.buffer})")

    def _output_child_pre(
        self, node: Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
            return
        self.write("environment.text(")
        if finalize.src is not None:
            self.write(finalize.src)


class TextContext(Context):
    """Calls a plain function at once: a board calls two hundred."""

    def call(self, called: Any, /, *args: Any, **named: Any) -> Any:
        """Return what `called` returns; Jinja's own way is for those that ask for the context."""
        if type(called) is not FunctionType or hasattr(called, "jinja_pass_arg"):
            return super().call(called, *args, **named)
        # Names that the caller has set, for those that ask for the context.
        named.pop("_loop_vars", None)
        named.pop("_block_vars", None)
        return called(*args, **named)


class TextEnvironment(Environment):
    """An environment whose templates are compiled by `TextGenerator`."""

    code_generator_class = TextGenerator
    context_class = TextContext
    text = staticmethod(text)
