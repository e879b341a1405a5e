// Every board somebody finished in this browser: kept here, exported and read back on wish.
// Used by the table page, which writes, and by the page about oneself, which reads.
import { side } from "./words";
import type { State } from "./wire";

/** One finished board, for the side of who played it. */
export interface Done {
  key: string;
  at: number;
  number: number;
  scoring: string;
  seat: string;
  contract: string;
  declarer: string;
  tricks: number | null;
  score: number;
  imps: number | null;
  percent: number | null;
  par: number | null;
  match: string;
  lin: string;
  faults?: Faults;
}

/** Decisions of one's own that a review called wrong. */
export interface Faults {
  call: number;
  lead: number;
  declarer: number;
  defence: number;
}

const KEY = "overtrick.history";
const MOST = 1500;

export function history(): Done[] {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function write(boards: Done[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(boards.slice(-MOST)));
  } catch {
    localStorage.setItem(KEY, JSON.stringify(boards.slice(-Math.floor(MOST / 4))));
  }
}

/** A finished board; again when the other room's result has come. */
export function remember(table: string, now: State): void {
  const result = now.result;
  if (!result || now.practice || result.score_ns === null) return;
  const row = now.match?.sheet.find((r) => r.index === now.match!.index);
  const key = `${table}/${now.match?.contest ?? ""}/${now.match?.index ?? now.boards}`;
  const all = history();
  const known = all.find((d) => d.key === key);
  if (known && (known.imps !== null || !row?.robots)) return;
  const sign = side(now.seat) === "NS" ? 1 : -1;
  const done: Done = {
    key,
    at: known?.at ?? Date.now(),
    number: now.number,
    scoring: now.scoring,
    seat: now.seat,
    contract: now.contract?.text ?? "",
    declarer: now.contract?.declarer ?? "",
    tricks: result.tricks,
    score: row?.line.score ?? sign * result.score_ns,
    imps: row?.imps ?? null,
    percent: row?.percent ?? null,
    par: row?.par ?? null,
    match: now.match?.contest ?? "",
    lin: known?.lin ?? result.lin,
  };
  write([...all.filter((d) => d.key !== key), done]);
}

/** The boards of mine that a review has looked at: for each, `count` says what it found wrong. */
export function judged(lins: string[], count: (mine: Done) => Faults): void {
  const all = history();
  const mine = all.filter((d) => lins.includes(d.lin));
  if (!mine.length) return;
  for (const d of mine) d.faults = count(d);
  write(all);
}

export function exported(name: string): string {
  return JSON.stringify({ overtrick: 1, name, boards: history() }, null, 1);
}

/** Add the boards of an exported file to those here; how many were new. */
export function imported(text: string): { boards: number; name: string } {
  let found: { overtrick?: number; name?: string; boards?: Done[] } | null = null;
  try {
    found = JSON.parse(text);
  } catch {
    /* said below */
  }
  if (found?.overtrick !== 1 || !Array.isArray(found.boards))
    throw new Error("this is no history of Overtrick");
  const here = history();
  const known = new Set(here.map((d) => d.key));
  const fresh = found.boards
    .slice(0, MOST)
    .filter(
      (d) => d && typeof d.key === "string" && typeof d.score === "number" && !known.has(d.key),
    );
  write([...here, ...fresh].sort((a, b) => a.at - b.at));
  return {
    boards: fresh.length,
    name: typeof found.name === "string" ? found.name.slice(0, 24) : "",
  };
}

export function forgotten(): void {
  localStorage.removeItem(KEY);
}
