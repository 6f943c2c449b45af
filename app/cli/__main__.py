"""Runs the command line.

A module that adds commands imports at its top only what is cheap; the
database, the web framework and the rules are imported by the command that
needs them, so that `placa tower check` does not wait for them.
"""

from importlib import import_module
from pkgutil import iter_modules

from app import cli


def load() -> None:
    """Import every module of the package, so that each adds its commands."""
    for module in iter_modules(cli.__path__):
        if module.name != "__main__":
            import_module(f"app.cli.{module.name}")


def main() -> None:
    """Run one command."""
    load()
    cli.app()


if __name__ == "__main__":
    main()
