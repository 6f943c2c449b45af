"""What the log says when the database goes away under the queue."""

import logging

import pytest
from procrastinate.exceptions import ConnectorException

import app.jobs.worker as _worker  # noqa: F401 - with it come the filters


@pytest.mark.parametrize("name", ["asyncio", "procrastinate.worker.worker", "procrastinate.utils"])
def test_a_lost_connection_is_told_in_one_line_and_a_bug_in_full(
    caplog: pytest.LogCaptureFixture, name: str
) -> None:
    log = logging.getLogger(name)
    for error in (ConnectorException(), RuntimeError("a bug")):
        log.error("It went wrong:\n  %s", "here", exc_info=error)

    lost, bug = caplog.records
    assert (lost.levelname, lost.getMessage()) == ("WARNING", "It went wrong: here")
    assert not lost.exc_info
    assert (bug.levelname, bug.exc_info is not None) == ("ERROR", True)
