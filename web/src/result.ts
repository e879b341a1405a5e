// A board's result in words, beside the other room and par; the score sheet of a match.
// Used by the table page and the ranking page.
import { h, type Child, type VNode } from "./dom";
import { dialog, go, link } from "./shell";
import { callView, coloured, contractView, impWords, SEAT_NAMES, side, signed } from "./words";
import type { Judged, MatchShown as Match, SheetLine as Line, State } from "./wire";

/** "made with an overtrick", "two down". */
export function madeWords(made: string): string {
  if (made === "" || made === "=") return made ? "just made" : "";
  const n = Math.abs(Number(made));
  if (made.startsWith("+")) return n === 1 ? "made with an overtrick" : `made with ${n} overtricks`;
  return n === 1 ? "one down" : `${n} down`;
}

/** Who declares, in a letter where there is little room. */
const by = (name: string): VNode[] => [
  h("span", { class: "by long" }, name),
  h("span", { class: "by short", "aria-hidden": "true", translate: "no" }, name[0]!),
];

export function lineView(line: Line): Child {
  if (!line.contract) return "passed out";
  return [
    contractView(line.contract),
    " ",
    ...by(SEAT_NAMES[line.declarer as "N"]),
    h("span", { class: "made-short", translate: "no" }, ` ${line.made.replace("-", "−")}`),
  ];
}

const imps = (n: number): string => impWords(signed(n));
const share = (p: number): string => `${Number.isInteger(p) ? p : p.toFixed(1)} %`;

/** The running total, small enough for the bar. */
export function totalView(match: Match, scoring: string): Child {
  const value =
    scoring === "imps" ? signed(match.imps) : match.percent === null ? "–" : share(match.percent);
  return [
    h("b", { class: "total", key: value }, value),
    h("small", null, scoring === "imps" ? "IMPs" : "points"),
  ];
}

export function resultView(now: State, sheet: () => void, story: Child): VNode {
  const result = now.result!;
  const judged = result.judged;
  const bidding = result.tricks === null && now.contract !== null && now.play === null;
  const sign = side(now.seat) === "NS" ? 1 : -1;
  const points = sign * (judged ? judged.score_ns : (result.score_ns ?? 0));
  const row = now.match?.sheet.find((r) => r.index === now.match!.index) ?? null;
  return h(
    "div",
    { class: `result${judged ? " judged" : ""}` },
    h(
      "p",
      { class: "outcome" },
      now.contract
        ? [
            contractView(now.contract.text),
            " ",
            h("span", null, `by ${SEAT_NAMES[now.contract.declarer]}`),
          ]
        : "Passed out",
    ),
    now.contract && !bidding ? h("p", { class: "how" }, madeWords(overtricks(now))) : null,
    result.claimed ? h("p", { class: "soft claim-words" }, `Claimed: ${result.claim}`) : null,
    judged && judged.tricks !== null
      ? h("p", { class: "soft" }, `${judged.tricks} tricks double dummy`)
      : null,
    bidding && !judged
      ? h("p", { class: "soft" }, "Working out what it is worth…")
      : h(
          "p",
          { class: `score ${points > 0 ? "plus" : points < 0 ? "minus" : ""}` },
          signed(points),
        ),
    judged ? judgement(now, judged) : null,
    now.match ? compared(now, row, sheet, story) : story,
  );
}

function overtricks(now: State): string {
  const over = (now.result!.tricks ?? 0) - now.contract!.target;
  return over === 0 ? "=" : over > 0 ? `+${over}` : `${over}`;
}

/** A par contract, "4♠X North-1". */
export function parView(text: string): Child {
  const found = /^([1-7])(NT|[♠♥♦♣])(X{0,2}) (\w+)(=|[+-]\d+)?$/.exec(text);
  if (!found) return coloured(text);
  const strain = found[2] === "NT" ? "NT" : { "♠": "S", "♥": "H", "♦": "D", "♣": "C" }[found[2]!]!;
  return [
    contractView(`${found[1]}${strain}${found[3]}`),
    " ",
    ...by(found[4]!),
    h(
      "span",
      { translate: "no" },
      (found[5] ?? "=").replace("=", "").replace(/^-/, " −").replace("+", " +"),
    ),
  ];
}

const UNRANKED: Record<string, string> = {
  chosen: "the cards were chosen",
  known: "another hand was known",
  twice: "seen at another table",
};

/** What the other room did on these cards, par, and the match so far. */
function compared(
  now: State,
  row: Match["sheet"][number] | null,
  sheet: () => void,
  story: Child,
): VNode {
  const match = now.match!;
  const ours = now.scoring === "imps";
  if (!row?.robots) {
    return h(
      "div",
      { class: "compared" },
      h(
        "p",
        { class: "soft waiting", key: "waiting" },
        match.event
          ? "The other tables play it, too; what it is worth is told with the ranking."
          : "The other room is still playing this board…",
      ),
      story,
    );
  }
  const won = row.imps ?? 0;
  const tone = won > 0 ? "plus" : won < 0 ? "minus" : "";
  return h(
    "div",
    { class: "compared" },
    h(
      "p",
      { class: `swing ${tone}`, key: "swing" },
      ours ? imps(won) : row.percent === null ? "" : share(row.percent),
    ),
    story,
    h(
      "dl",
      { class: "rooms" },
      h("dt", null, "Other room"),
      h("dd", null, lineView(row.robots), h("b", null, signed(row.robots.score))),
      row.par === null
        ? null
        : [
            h("dt", null, "Par"),
            h(
              "dd",
              null,
              row.par_contracts.length ? parView(row.par_contracts[0]!) : null,
              h("b", null, signed(row.par)),
            ),
          ],
      ours
        ? [
            h("dt", null, "Matchpoints"),
            h(
              "dd",
              null,
              row.percent === null ? "–" : share(row.percent),
              h(
                "span",
                { class: "soft" },
                row.tables === 1 ? "against the robots" : `of ${row.tables + 1} tables`,
              ),
            ),
          ]
        : [h("dt", null, "IMPs"), h("dd", null, signed(won))],
      match.other
        ? [
            h("dt", null, ""),
            h(
              "dd",
              null,
              h(
                "button",
                {
                  class: "linklike",
                  onclick: () => go(`/review#lin=${encodeURIComponent(match.other)}`),
                },
                "See how they played it",
              ),
            ),
          ]
        : null,
      row.unranked
        ? [h("dt", null, "Not ranked"), h("dd", { class: "soft" }, UNRANKED[row.unranked])]
        : null,
      h("dt", null, "Match"),
      h("dd", null, h("button", { class: "linklike", onclick: sheet }, soFar(match, now.scoring))),
    ),
  );
}

function soFar(match: Match, scoring: string): string {
  const total =
    scoring === "imps" ? imps(match.imps) : match.percent === null ? "–" : share(match.percent);
  return `${total} after ${match.sheet.length} of ${match.boards} boards`;
}

/** A bidding board: beside par, beside the awards, beside the robots. */
function judgement(now: State, judged: Judged): VNode {
  const sign = side(now.seat) === "NS" ? 1 : -1;
  const robots = judged.robots;
  const awards = Object.entries(now.result!.awards)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 7);
  return h(
    "div",
    { class: "judgement" },
    judged.mark !== null
      ? h("p", { class: "award" }, h("b", null, judged.mark), " of 10 points")
      : null,
    h(
      "dl",
      { class: "rooms marks" },
      judged.award !== null
        ? [
            h("dt", null, "The contract"),
            h("dd", null, h("b", null, judged.award), ` of ${judged.best}`),
          ]
        : null,
      judged.field_imps !== null
        ? [
            h("dt", null, "Against the robots"),
            h(
              "dd",
              null,
              h("b", null, judged.field_imps === 0 ? "level" : imps(judged.field_imps)),
            ),
          ]
        : null,
      h("dt", null, "Against par"),
      h(
        "dd",
        null,
        h("b", null, judged.imps === 0 ? "level" : imps(judged.imps)),
        h(
          "span",
          { class: "soft" },
          judged.par.length ? [parView(judged.par[0]!), " "] : null,
          signed(sign * judged.par_ns),
        ),
      ),
    ),
    robots
      ? h(
          "p",
          { class: "soft" },
          "Two robots: ",
          robots.auction
            .split(" ")
            .filter((c, i, all) => c !== "Pass" || i < all.length - 3)
            .map((c, i) => [i ? " " : "", callView(c)]),
          ", ",
          robots.contract === "passed out" ? "passed out" : parView(robots.contract),
          ` ${signed(sign * robots.score_ns)}`,
          robots.mark !== null ? `, ${robots.mark} of 10 points` : "",
          ".",
        )
      : null,
    awards.length
      ? h(
          "p",
          { class: "awards" },
          awards.map(([c, n]) => h("span", { class: "tag" }, awardName(c), ` ${n}`)),
        )
      : null,
  );
}

function awardName(key: string): Child {
  if (key === "P") return "pass";
  const found = /^([NESW]?)([1-7])([CDHSN])(X*)P?$/.exec(key);
  return found
    ? [found[1]!, contractView(`${found[2]}${found[3] === "N" ? "NT" : found[3]}${found[4]}`)]
    : key;
}

/** The whole match, board by board; a friend plays the same boards by its link. */
export function scoreSheet(now: State, table: string): void {
  const match = now.match;
  if (!match) return;
  const ours = now.scoring === "imps";
  const box = dialog("Score sheet", () => [
    h(
      "p",
      { class: "lead-small" },
      soFar(match, now.scoring),
      match.ranked > 1 && match.place
        ? h("span", { class: "soft" }, ` · place ${match.place} of ${match.ranked}`)
        : null,
    ),
    h(
      "div",
      { class: "scroll", tabindex: "0" },
      h(
        "table",
        { class: "list sheet" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            ["Board", "You", "", "Other room", "", ours ? "IMPs" : "%", "Par"].map((w, i) =>
              h(
                "th",
                {
                  scope: "col",
                  class: i > 1 && i !== 3 && i !== 5 ? "points" : i === 5 ? "num" : null,
                },
                w,
              ),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          match.sheet.map((r) =>
            h(
              "tr",
              { key: r.index },
              h("th", { scope: "row" }, r.number),
              h(
                "td",
                null,
                lineView(r.line),
                r.unranked ? h("small", { class: "soft unranked" }, "not ranked") : null,
              ),
              h("td", { class: "num points" }, signed(r.line.score)),
              h("td", null, r.robots ? lineView(r.robots) : "…"),
              h("td", { class: "num points" }, r.robots ? signed(r.robots.score) : ""),
              h(
                "td",
                { class: `num ${(r.imps ?? 0) > 0 ? "plus" : (r.imps ?? 0) < 0 ? "minus" : ""}` },
                ours
                  ? r.imps === null
                    ? "…"
                    : signed(r.imps)
                  : r.percent === null
                    ? "…"
                    : share(r.percent),
              ),
              h("td", { class: "num points" }, r.par === null ? "" : signed(r.par)),
            ),
          ),
        ),
        h(
          "tfoot",
          null,
          h(
            "tr",
            null,
            h("th", { scope: "row" }, "Total"),
            h("td", null),
            h("td", { class: "points" }),
            h("td", null),
            h("td", { class: "points" }),
            h(
              "td",
              { class: "num" },
              ours ? signed(match.imps) : match.percent === null ? "–" : share(match.percent),
            ),
            h("td", { class: "points" }),
          ),
        ),
      ),
    ),
    match.sheet.length
      ? null
      : h(
          "p",
          { class: "soft" },
          "No board is finished yet. Robots play every board in the other room, with your " +
            "cards and the others'.",
        ),
    h(
      "div",
      { class: "row" },
      link(
        `/club/${match.contest}?table=${table}`,
        {
          class: "button",
          onclick: (e: Event) => {
            e.preventDefault();
            box.close();
            go(`/club/${match.contest}?table=${table}`);
          },
        },
        "Ranking and link for friends",
      ),
    ),
  ]);
}
