"""`python -m overtrick.training RECIPE …`: the recipes on a machine without click and rich.
Used on rented accelerators; options are the same as those of `overtrick train RECIPE`."""

from __future__ import annotations

import json
import logging
import sys
from importlib import import_module

from overtrick.training.options import RECIPES, parse_settings


def main(words: list[str]) -> None:
    """Run the recipe that the first word names."""
    if not words or words[0] not in RECIPES:
        raise SystemExit(f"usage: python -m overtrick.training {{{','.join(RECIPES)}}} [--help]")
    logging.basicConfig(
        level=logging.INFO, format="[%(relativeCreated)7.0f ms] %(message)s", stream=sys.stdout
    )
    kind, module = RECIPES[words[0]]
    settings = parse_settings(kind, words[1:])
    found = import_module(f"overtrick.training.{module}").run(settings)
    sys.stdout.write(json.dumps(found, default=str) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
