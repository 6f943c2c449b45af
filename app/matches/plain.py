"""The games' own values as JSON values, for programs."""

from typing import Any

import msgspec

from app.rules.game import RulesError


def plain(value: Any) -> Any:
    """Return a view, options or an outcome as dicts, lists and numbers.

    A refusal within it becomes its code, rule and details.
    """
    return msgspec.to_builtins(value, str_keys=True, enc_hook=_refusal)


def plain_event(event: Any) -> dict[str, Any]:
    """Return an event as its fields, with its name under `type`."""
    return {"type": type(event).__name__, **plain(event)}


def _refusal(value: Any) -> Any:
    if isinstance(value, RulesError):
        return {"code": value.code, "rule": value.rule, "details": value.details}
    raise NotImplementedError(f"no JSON for {type(value).__name__}")
