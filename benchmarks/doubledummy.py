"""Double-dummy tables per CPU second: our binding against a bare C loop over the same library.
Run: python -m benchmarks doubledummy. Both sides get fresh processes, one thread and the same
deals, turn and turn about; each measures its own solving loop. Wanted is 0.95 of C's speed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.rows import Row, at_least

DEALS = 40
ROUNDS = 4

C_LOOP = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
/* argv: library, file of deals (n x 16 unsigned, DDS order), number of deals */
static int deals[1 + 200 * 16], results[1 + 200 * 20], skip[5];
static unsigned char par[40 * 2 * 144];
static unsigned all[100000 * 16];
int main(int argc, char **argv) {
  void *lib = dlopen(argv[1], RTLD_NOW);
  if (!lib) { fprintf(stderr, "%s\n", dlerror()); return 1; }
  int (*calc)(void *, int, int *, void *, void *) = dlsym(lib, "CalcAllTables");
  void (*threads)(int) = dlsym(lib, "SetMaxThreads");
  int n; sscanf(argv[3], "%d", &n);
  FILE *f = fopen(argv[2], "rb");
  if (!f || fread(all, 64, n, f) != (size_t)n) return 1;
  threads(1);
  long sum = 0;
  clock_t start = clock();
  for (int i = 0; i < n; i += 40) {
    int k = n - i < 40 ? n - i : 40;
    deals[0] = k;
    memcpy(deals + 1, all + i * 16, 64 * k);
    if (calc(deals, -1, skip, results, par) != 1) return 1;
    for (int j = 0; j < 20 * k; j++) sum += results[1 + j];
  }
  printf("{\"seconds\": %f, \"tricks\": %ld}\n", (double)(clock() - start) / CLOCKS_PER_SEC, sum);
  return 0;
}
"""

OUR_LOOP = """
import json, sys, time
from overtrick import dd
from overtrick.game import Deal
deals = [Deal.random(seed) for seed in range(int(sys.argv[1]))]
dd.solver()
start = time.process_time()
tables = dd.tables(deals)
seconds = time.process_time() - start
print(json.dumps({"seconds": seconds, "tricks": sum(sum(map(sum, t.tricks)) for t in tables)}))
"""


def run() -> list[Row]:
    from overtrick import dd
    from overtrick.doubledummy.dds import to_holdings
    from overtrick.game import Deal

    with tempfile.TemporaryDirectory() as folder:
        source, program, data = (Path(folder, n) for n in ("loop.c", "loop", "deals.bin"))
        source.write_text(C_LOOP)
        subprocess.run(["gcc", "-O2", "-o", program, source, "-ldl"], check=True)
        hands = dd.bits_of([Deal.random(seed) for seed in range(DEALS)])
        data.write_bytes(to_holdings(hands).tobytes())
        library = dd.solver().info.path
        ours: list[float] = []
        bare: list[float] = []
        for _ in range(ROUNDS):
            c = _measured([str(program), library, str(data), str(DEALS)])
            we = _measured([sys.executable, "-c", OUR_LOOP, str(DEALS)])
            if c["tricks"] != we["tricks"]:
                raise RuntimeError("the two loops found different tables")
            bare.append(c["seconds"])
            ours.append(we["seconds"])
    # The fastest round of each side: other work on the machine only ever adds time.
    ratio = min(bare) / min(ours)
    return [
        at_least("double-dummy tables per CPU s, ours ÷ bare C loop", ratio, 0.95, "{:.3f}"),
        Row("double-dummy tables per CPU s, one thread", f"{DEALS / min(ours):.2f}"),
        Row("the same, bare C", f"{DEALS / min(bare):.2f}"),
        *_positions(),
    ]


def _positions() -> list[Row]:
    """What a sampling card player pays: many worlds of one position, eight cards each."""
    import numpy as np

    from overtrick import dd

    rng = np.random.default_rng(1)
    cards = np.array([rng.permutation(52)[:32].reshape(4, 8) for _ in range(200)])
    hands = np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64), axis=2)
    rows = []
    for what, ask in (
        ("every card", lambda: dd.solve_worlds(hands, 4, 0)),
        ("yes or no at a target, every card", lambda: dd.reach_worlds(hands, 4, 0, (), 4)),
    ):
        ask()
        start = time.process_time()
        ask()
        each = 1000 * (time.process_time() - start) / len(hands)
        rows.append(Row(f"200 eight-card positions, {what}, CPU ms each", f"{each:.2f}"))
    return rows


def _measured(command: list[str]) -> dict[str, float]:
    environment = os.environ | {"OVERTRICK_DDS_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    found: dict[str, float] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    from benchmarks.rows import markdown

    print(markdown(run()))
