// A tournament: the table with ratings and their errors, who beat whom, every match to look into.
// Used by the match viewer.
import { interval } from "./charts";
import { h, type Child, type VNode } from "./dom";
import { link } from "./shell";
import { signed } from "./words";
import type {
  EncounterRow as Match,
  EnginePair as Pair,
  TournamentListed as ListedCup,
  TournamentReport as Cup,
  TournamentRow as Row,
} from "./wire";

const KIND = { "round-robin": "Round robin", swiss: "Swiss", pairs: "Pairs", ladder: "Ladder" };
const UNIT = {
  "round-robin": "victory points",
  swiss: "victory points",
  pairs: "matchpoints",
  ladder: "rung",
};

export const matchAddress = (file: string): string => `/match#name=${encodeURIComponent(file)}`;
export const cupAddress = (name: string): string => `/match#tournament=${encodeURIComponent(name)}`;

export function listedCup(cup: ListedCup): VNode {
  return h(
    "li",
    { key: cup.name },
    link(
      cupAddress(cup.name),
      {},
      `${cup.name}: ${KIND[cup.kind].toLowerCase()} of ${cup.engines.length} engines`,
    ),
    h(
      "span",
      { class: "soft" },
      ` ${cup.matches} matches of ${cup.boards} boards, ${scored(cup.method)}`,
    ),
  );
}

const scored = (method: string): string => (method === "dd" ? "double-dummy scores" : "played out");

/** The whole report; `name` tells an engine's name. */
export function cupReport(cup: Cup, name: (spec: string) => string): VNode {
  const engine = (i: number): string => name(cup.engines[i]!);
  return h(
    "div",
    { class: "stack cup" },
    table(cup, engine),
    cross(cup, engine),
    matches(cup, engine),
  );
}

function table(cup: Cup, engine: (i: number) => string): VNode {
  const deals = cup.deals === "random" ? `random deals, seed ${cup.seed}` : `deals of ${cup.deals}`;
  const wanted = (cup.engines.length * (cup.engines.length - 1)) / 2;
  const over = cup.matches.filter((m) => m.over).length;
  const all = cup.kind === "round-robin" || cup.kind === "pairs" ? wanted : cup.matches.length;
  const rounds = cup.kind === "swiss" || cup.kind === "ladder" ? `${cup.rounds} rounds, ` : "";
  const reach = Math.max(0.5, ...cup.rows.map((r) => Math.abs(r.rating) + 1.96 * (r.error ?? 0)));
  const chart = (r: Row): VNode =>
    interval(`${engine(r.engine)}: ${imps(r.rating)}`, r.rating, 1.96 * (r.error ?? 0), reach);
  const heads: [string, string][] = [
    ["", "place"],
    ["Robot", ""],
    [UNIT[cup.kind], "number"],
    ["Won", "number won"],
    ["IMPs a board ± error", "number rating"],
    ["95 % interval", "chart"],
  ];
  return h(
    "section",
    { class: "panel" },
    h("h2", null, `${KIND[cup.kind]} of ${cup.engines.length} engines`),
    h(
      "p",
      { class: "soft" },
      `${rounds}${cup.boards} boards a match, ${scored(cup.method)}, ${deals}.`,
      over < all ? h("b", null, ` Not over yet: ${over} of ${all} matches are.`) : null,
    ),
    h(
      "div",
      { class: "scroll tall" },
      h(
        "table",
        { class: "list places-table" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            heads.map(([words, kind]) =>
              h(words ? "th" : "td", { scope: words ? "col" : null, class: kind || null }, words),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          cup.rows.map((r) =>
            h(
              "tr",
              { key: r.engine },
              h("td", { class: "place" }, r.place),
              h(
                "th",
                { scope: "row" },
                engine(r.engine),
                h("div", { class: "narrow-chart" }, chart(r)),
              ),
              h(
                "td",
                { class: "number" },
                cup.kind === "pairs"
                  ? `${r.points.toFixed(1)} %`
                  : r.points.toFixed(cup.kind === "ladder" ? 0 : 2),
                r.points_error !== null
                  ? h("small", { class: "soft" }, ` ± ${r.points_error.toFixed(1)}`)
                  : null,
              ),
              h(
                "td",
                { class: "number won" },
                `${r.won} of ${r.matches}`,
                r.drawn ? h("small", { class: "soft" }, `, ${r.drawn} drawn`) : null,
              ),
              h(
                "td",
                { class: "number" },
                imps(r.rating),
                h("small", { class: "soft" }, r.error === null ? "" : ` ± ${r.error.toFixed(2)}`),
              ),
              h("td", { class: "chart" }, chart(r)),
            ),
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "soft" },
      "IMPs a board above the average of the field, from all boards at once: robots that met " +
        "on the same deals share their luck. Intervals that hardly overlap tell robots apart.",
    ),
  );
}

function cross(cup: Cup, engine: (i: number) => string): Child {
  const order = cup.rows.map((r) => r.engine);
  const found = new Map<string, Pair>();
  for (const p of cup.pairs) {
    found.set(`${p.a}-${p.b}`, p);
    found.set(`${p.b}-${p.a}`, { ...p, a: p.b, b: p.a, imps: -p.imps, mean: -p.mean });
  }
  const cell = (a: number, b: number): VNode => {
    const pair = found.get(`${a}-${b}`);
    if (a === b || !pair)
      return h("td", { class: a === b ? "self" : "number", key: b }, a === b ? "" : "–");
    const sure = pair.error !== null && Math.abs(pair.mean) > 1.96 * pair.error;
    const met = cup.matches.filter((m) => (m.a === a && m.b === b) || (m.a === b && m.b === a));
    const words =
      `${engine(a)} against ${engine(b)}: ${imps(pair.mean)} IMPs a board over ${pair.boards} ` +
      "boards";
    const value = [
      h("span", { class: "sr-only" }, `${engine(a)} against ${engine(b)}: `),
      h("b", null, imps(pair.mean)),
      h("small", { class: "soft" }, pair.error === null ? "" : ` ± ${pair.error.toFixed(2)}`),
    ];
    return h(
      "td",
      { class: `number ${sure ? (pair.mean > 0 ? "won-by" : "lost-to") : ""}`, key: b },
      met.length === 1
        ? link(matchAddress(met[0]!.file), { title: words }, value)
        : h("span", { title: words }, value),
    );
  };
  return h(
    "section",
    { class: "panel" },
    h("h2", null, "Who beat whom"),
    h(
      "div",
      { class: "scroll tall" },
      h(
        "table",
        { class: "list cross" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("td", null),
            order.map((e, i) =>
              h(
                "th",
                { scope: "col", key: e, title: engine(e), class: "number" },
                h("span", { class: "sr-only" }, engine(e)),
                h("span", { "aria-hidden": "true" }, cup.rows[i]!.place),
              ),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          order.map((a, i) =>
            h(
              "tr",
              { key: a },
              h("th", { scope: "row" }, `${cup.rows[i]!.place}. ${engine(a)}`),
              order.map((b) => cell(a, b)),
            ),
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "soft" },
      "IMPs a board of the row against the column ± standard error; coloured where it is " +
        "more than luck would show one time in twenty. Open one to see its boards.",
    ),
  );
}

function matches(cup: Cup, engine: (i: number) => string): VNode {
  const rounds = [...new Set(cup.matches.map((m) => m.round))].sort((x, y) => x - y);
  const heads = ["Match", "IMPs", "a board ± error", "victory points", "boards"];
  const row = (m: Match): VNode =>
    h(
      "tr",
      { key: m.file },
      h("td", null, link(matchAddress(m.file), {}, `${engine(m.a)} – ${engine(m.b)}`)),
      h("td", { class: "number" }, signed(m.imps)),
      h(
        "td",
        { class: "number" },
        imps(m.mean),
        m.error === null ? "" : h("small", { class: "soft" }, ` ± ${m.error.toFixed(2)}`),
      ),
      h("td", { class: "number more" }, `${m.points[0].toFixed(2)} : ${m.points[1].toFixed(2)}`),
      h(
        "td",
        { class: "number more" },
        m.boards,
        m.over ? "" : h("small", { class: "soft" }, " so far"),
      ),
    );
  return h(
    "section",
    { class: "panel" },
    h("h2", null, "Matches"),
    h(
      "div",
      { class: "scroll tall" },
      h(
        "table",
        { class: "list" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            heads.map((t, i) =>
              h("th", { scope: "col", class: i ? `number${i > 2 ? " more" : ""}` : null }, t),
            ),
          ),
        ),
        rounds.map((round) =>
          h(
            "tbody",
            { key: round },
            rounds.length > 1
              ? h(
                  "tr",
                  { class: "round" },
                  h(
                    "th",
                    { scope: "rowgroup", colspan: 5 },
                    `Round ${round}`,
                    cup.byes
                      .filter((b) => b.round === round - 1)
                      .map((b) => h("small", { class: "soft" }, ` ${engine(b.engine)} sits out`)),
                  ),
                )
              : null,
            cup.matches.filter((m) => m.round === round).map(row),
          ),
        ),
      ),
    ),
  );
}

const imps = (x: number): string => `${x >= 0 ? "+" : "−"}${Math.abs(x).toFixed(2)}`;
