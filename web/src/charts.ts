// Small pictures of numbers: bars, a heat map of cards, a running total. All of them say what they
// show in words, too.
// Used by the review and the tools.
import { h, type VNode } from "./dom";
import { percent } from "./forms";
import { cardWords, pip, RANKS, shownRank, SUITS } from "./words";

export interface Bars {
  label: string;
  values: number[];
  from?: number;
  mark?: number | undefined;
  every?: number;
}

/** A histogram; `mark` is the column of what really was. */
export function bars({ label, values, from = 0, mark, every = 1 }: Bars): VNode {
  // A few columns only would be as wide as walls.
  const padded = values.concat(Array(Math.max(0, from + 9 - values.length)).fill(0));
  const shown = padded.slice(from);
  const most = Math.max(0.001, ...shown);
  const n = Math.max(shown.length, 1);
  const w = 100 / n;
  const likely = shown
    .map((v, i) => [v, i + from] as const)
    .sort((a, b) => b[0] - a[0])
    .slice(0, 3)
    .filter(([v]) => v > 0)
    .map(([v, i]) => `${i}: ${percent(v)}`)
    .join(", ");
  const truth = mark === undefined ? "" : `; it was ${mark}`;
  return h(
    "figure",
    { class: "bars", role: "img", "aria-label": `${label}, likeliest ${likely}${truth}` },
    h(
      "svg",
      { viewBox: "0 0 100 34", preserveAspectRatio: "none", "aria-hidden": "true" },
      shown.map((v, i) =>
        h("rect", {
          key: i,
          x: i * w + w * 0.08,
          width: w * 0.84,
          y: 34 - (33 * v) / most,
          height: (33 * v) / most,
          class: i + from === mark ? "bar true" : "bar",
        }),
      ),
    ),
    h(
      "div",
      { class: "ticks", "aria-hidden": "true" },
      shown.map((_, i) =>
        h(
          "span",
          { class: i + from === mark ? "true" : null },
          i + from === mark ||
            ((i + from) % every === 0 && (every === 1 || Math.abs(i + from - (mark ?? -9)) > 1))
            ? i + from
            : "",
        ),
      ),
    ),
  );
}

/** The chance of every card, darker is likelier; what really was there is underlined. */
export function heat(
  label: string,
  chances: Record<string, number>,
  truth: Set<string>,
  shown: Set<string>,
): VNode {
  const top = Object.entries(chances)
    .filter(([c]) => !shown.has(c))
    .sort((a, b) => b[1] - a[1])
    .slice(0, 6)
    .map(([c, p]) => `${cardWords(c)} ${percent(p)}`)
    .join(", ");
  return h(
    "div",
    { class: "heat", role: "img", "aria-label": `${label}: ${top}` },
    SUITS.map((suit) =>
      h(
        "div",
        { class: "heat-row", key: suit, "aria-hidden": "true" },
        pip(suit),
        [...RANKS].map((rank) => {
          const card = suit + rank;
          const p = chances[card] ?? 0;
          if (!p && !truth.has(card)) return h("span", { class: "cell none" }, "");
          const classes = `cell${truth.has(card) ? " true" : ""}${shown.has(card) ? " out" : ""}`;
          return h(
            "span",
            { class: classes, style: { "--p": `${Math.round(100 * p)}%` }, title: `${percent(p)}` },
            shownRank(rank),
          );
        }),
      ),
    ),
  );
}

/** A value with its interval on a scale from −reach to +reach, nothing in the middle. */
export function interval(label: string, value: number, half: number, reach: number): VNode {
  const x = (v: number): number => 50 + (49 * Math.max(-reach, Math.min(reach, v))) / reach;
  const words = `${label}, 95 % from ${(value - half).toFixed(2)} to ${(value + half).toFixed(2)}`;
  return h(
    "figure",
    { class: "interval", role: "img", "aria-label": words },
    h(
      "svg",
      { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
      h("path", { class: "zero", d: "M50,0 L50,12" }),
      h("rect", {
        class: "reach",
        x: x(value - half),
        width: Math.max(0.5, x(value + half) - x(value - half)),
        y: 3.5,
        height: 5,
      }),
      h("rect", { class: "dot", x: x(value) - 0.7, width: 1.4, y: 1.5, height: 9 }),
    ),
  );
}

/** A running total over boards with the band that luck alone would give. */
export function running(label: string, values: number[]): VNode {
  let sum = 0;
  let squares = 0;
  const totals = values.map((v) => (sum += v));
  for (const v of values) squares += v * v;
  const deviation = Math.sqrt(squares / Math.max(1, values.length));
  const n = Math.max(1, values.length);
  const reach = Math.max(10, ...totals.map(Math.abs), 1.96 * deviation * Math.sqrt(n));
  const x = (i: number): number => (100 * i) / n;
  const y = (v: number): number => 30 - (28 * v) / reach;
  const band = [...Array(21).keys()].map((k) => (k * n) / 20);
  const edge = (sign: number): string =>
    band
      .map((i) => `${x(i).toFixed(2)},${y(sign * 1.96 * deviation * Math.sqrt(i)).toFixed(2)}`)
      .join(" ");
  const points = totals.map((t, i) => `L${x(i + 1).toFixed(2)},${y(t).toFixed(2)}`);
  const path = `M0,30 ${points.join(" ")}`;
  return h(
    "figure",
    {
      class: "running",
      role: "img",
      "aria-label": `${label}: ${sum > 0 ? "+" : ""}${sum} IMPs after ${values.length} boards`,
    },
    h(
      "svg",
      { viewBox: "0 0 100 60", preserveAspectRatio: "none", "aria-hidden": "true" },
      h("path", { class: "band", d: `M${edge(1)} L${edge(-1).split(" ").reverse().join(" ")} Z` }),
      h("path", { class: "zero", d: "M0,30 L100,30" }),
      h("path", { class: "line", d: path }),
    ),
  );
}
