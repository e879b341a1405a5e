// About oneself: name, every board played in this browser, averages, what goes wrong, as a file
// to keep.
// Used at /me; nothing of it leaves the browser unless somebody saves the file.
import { h, later, render, type Child, type VNode } from "./dom";
import { counted, fileButton, textField } from "./forms";
import { exported, forgotten, history, imported, type Done, type Faults } from "./history";
import { change, myName } from "./prefs";
import { locked, unlocked } from "./sealed";
import { bar, download, go, notice } from "./shell";
import { contractView, SEAT_NAMES, signed } from "./words";
import type { SeatLetter } from "./wire";

export class MePage {
  private name = myName();
  private phrase = "";
  private shown = 40;

  private readonly draw = later(() =>
    render(this.root, [bar(null, () => this.draw()), this.main()]),
  );

  constructor(private readonly root: HTMLElement) {
    this.draw();
  }

  close(): void {}

  private main(): VNode {
    const boards = history();
    return h(
      "main",
      { class: "tool" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", null, "Your bridge"),
        h(
          "p",
          { class: "lead" },
          "Every board you finish is kept in this browser, and nowhere else.",
        ),
      ),
      h(
        "section",
        { class: "panel" },
        textField(
          "Your name, as others see it",
          this.name,
          (v) => {
            this.name = v;
            change({ name: v });
          },
          { maxlength: "24", autocomplete: "nickname" },
        ),
      ),
      boards.length
        ? [this.figures(boards), this.faults(boards), this.trend(boards), this.list(boards)]
        : h("p", { class: "soft" }, "No board is finished yet."),
      this.moving(boards),
    );
  }

  private figures(boards: Done[]): VNode {
    const compared = boards.filter((d) => d.imps !== null);
    const mean = (xs: number[]): number =>
      xs.length ? xs.reduce((a, b) => a + b, 0) / xs.length : 0;
    const declared = (d: Done): boolean => d.declarer !== "" && same(d.declarer, d.seat);
    const rows: [string, Done[]][] = [
      ["All boards", compared],
      ["When your side plays", compared.filter(declared)],
      ["When your side defends", compared.filter((d) => d.contract !== "" && !declared(d))],
      [
        "Games and slams your side played",
        compared.filter((d) => declared(d) && isGame(d.contract)),
      ],
      ["Part-scores your side played", compared.filter((d) => declared(d) && !isGame(d.contract))],
      ["Against par", []],
    ];
    const par = boards.filter((d) => d.par !== null);
    return h(
      "section",
      { class: "panel" },
      h("h2", null, "How it goes"),
      h(
        "div",
        { class: "scroll", tabindex: "0" },
        h(
          "table",
          { class: "list" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              ["", "Boards", "IMPs a board", "Swings lost"].map((w) =>
                h("th", { scope: "col" }, w),
              ),
            ),
          ),
          h(
            "tbody",
            null,
            rows.map(([words, some]) => {
              if (words === "Against par") {
                return h(
                  "tr",
                  null,
                  h("th", { scope: "row" }, words),
                  h("td", { class: "num" }, par.length),
                  h("td", { class: "num" }, "–"),
                  h("td", { class: "num" }, `${par.filter((d) => d.score < d.par! - 100).length}`),
                );
              }
              return h(
                "tr",
                null,
                h("th", { scope: "row" }, words),
                h("td", { class: "num" }, some.length),
                h(
                  "td",
                  { class: "num" },
                  some.length ? signedMean(mean(some.map((d) => d.imps!))) : "–",
                ),
                h("td", { class: "num" }, some.filter((d) => d.imps! <= -6).length),
              );
            }),
          ),
        ),
      ),
      h(
        "p",
        { class: "soft" },
        "A swing lost is a board on which the other room did 6 IMPs better or more; against " +
          "par, more than 100 points worse.",
      ),
    );
  }

  /** What reviews of one's own boards called wrong, the latest twenty of them beside all. */
  private faults(boards: Done[]): VNode {
    const seen = boards.filter((d) => d.faults);
    if (!seen.length)
      return h(
        "section",
        { class: "panel" },
        h("h2", null, "What goes wrong"),
        h("p", { class: "soft" }, "Review a board of yours: what it calls wrong is counted here."),
      );
    const rows: [string, keyof Faults][] = [
      ["Calls", "call"],
      ["Opening leads", "lead"],
      ["Playing the hand", "declarer"],
      ["Defending", "defence"],
    ];
    const latest = seen.slice(-20);
    const sum = (some: Done[], kind: keyof Faults): number =>
      some.reduce((n, d) => n + d.faults![kind], 0);
    return h(
      "section",
      { class: "panel" },
      h("h2", null, "What goes wrong"),
      h(
        "div",
        { class: "scroll", tabindex: "0" },
        h(
          "table",
          { class: "list" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              ["", "Wrong", "A board", "The latest twenty"].map((w) =>
                h("th", { scope: "col" }, w),
              ),
            ),
          ),
          h(
            "tbody",
            null,
            rows.map(([words, kind]) =>
              h(
                "tr",
                null,
                h("th", { scope: "row" }, words),
                h("td", { class: "num" }, sum(seen, kind)),
                h("td", { class: "num" }, (sum(seen, kind) / seen.length).toFixed(2)),
                h("td", { class: "num" }, (sum(latest, kind) / latest.length).toFixed(2)),
              ),
            ),
          ),
        ),
      ),
      h("p", { class: "soft" }, `From ${counted(seen.length, "board")} that you have reviewed.`),
    );
  }

  /** Blocks of ten boards: better or worse than before? */
  private trend(boards: Done[]): Child {
    const compared = boards.filter((d) => d.imps !== null);
    if (compared.length < 10) return null;
    const blocks: number[] = [];
    for (let i = compared.length % 10; i + 10 <= compared.length; i += 10) {
      blocks.push(compared.slice(i, i + 10).reduce((sum, d) => sum + d.imps!, 0));
    }
    const most = Math.max(10, ...blocks.map(Math.abs));
    const last = blocks.slice(-20);
    return h(
      "section",
      { class: "panel" },
      h("h2", null, "Ten boards at a time"),
      h(
        "svg",
        {
          viewBox: `0 0 ${last.length * 30} 100`,
          class: "trend",
          role: "img",
          "aria-label": `IMPs in blocks of ten boards: ${last.map(signed).join(", ")}`,
        },
        h("line", {
          x1: 0,
          y1: 50,
          x2: last.length * 30,
          y2: 50,
          stroke: "currentColor",
          "stroke-opacity": "0.3",
        }),
        last.map((b, i) =>
          h("rect", {
            x: i * 30 + 5,
            width: 20,
            y: b > 0 ? 50 - (45 * b) / most : 50,
            height: Math.max(1, (45 * Math.abs(b)) / most),
            class: b < 0 ? "bad" : "good",
          }),
        ),
      ),
    );
  }

  private list(boards: Done[]): VNode {
    const newest = [...boards].reverse().slice(0, this.shown);
    return h(
      "section",
      { class: "panel" },
      h("h2", null, "Your boards"),
      h(
        "div",
        { class: "scroll", tabindex: "0" },
        h(
          "table",
          { class: "list" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              ["Day", "Seat", "Contract", "Score", "IMPs", "Par", ""].map((w) =>
                h("th", { scope: "col" }, w),
              ),
            ),
          ),
          h(
            "tbody",
            null,
            newest.map((d) =>
              h(
                "tr",
                { key: d.key },
                h("td", { translate: "no" }, new Date(d.at).toLocaleDateString()),
                h("td", null, SEAT_NAMES[d.seat as SeatLetter]),
                h(
                  "td",
                  null,
                  d.contract
                    ? [
                        contractView(d.contract),
                        " ",
                        h("span", null, SEAT_NAMES[d.declarer as SeatLetter]),
                      ]
                    : "passed out",
                ),
                h("td", { class: "num" }, signed(d.score)),
                h(
                  "td",
                  { class: `num ${(d.imps ?? 0) < 0 ? "minus" : "plus"}` },
                  d.imps === null ? "…" : signed(d.imps),
                ),
                h("td", { class: "num" }, d.par === null ? "" : signed(d.par)),
                h(
                  "td",
                  null,
                  h(
                    "button",
                    {
                      class: "linklike",
                      onclick: () => go(`/review#lin=${encodeURIComponent(d.lin)}`),
                    },
                    "Review",
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
      boards.length > this.shown
        ? h(
            "button",
            {
              class: "button small",
              onclick: () => {
                this.shown += 100;
                this.draw();
              },
            },
            "More",
          )
        : null,
    );
  }

  /** The history as a file, sealed with a passphrase where one is given. */
  private moving(boards: Done[]): VNode {
    const save = async (): Promise<void> => {
      const text = exported(myName());
      download("overtrick-history.json", this.phrase ? await locked(text, this.phrase) : text);
    };
    const read = async (text: string): Promise<void> => {
      try {
        const found = imported(await unlocked(text, this.phrase));
        if (found.name && !this.name) {
          this.name = found.name;
          change({ name: found.name });
        }
        notice(found.boards === 1 ? "1 new board" : `${found.boards} new boards`);
      } catch (error) {
        notice((error as Error).message || "The file could not be read.");
      }
      this.draw();
    };
    return h(
      "section",
      { class: "panel" },
      h("h2", null, "Move to another browser"),
      textField("Passphrase, if you want one", this.phrase, (v) => (this.phrase = v), {
        type: "password",
        autocomplete: "off",
      }),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            class: "button",
            "aria-disabled": boards.length ? null : "true",
            onclick: () => void save(),
          },
          "Save as a file",
        ),
        fileButton("Read a file", ".json", (text) => void read(text)),
        boards.length
          ? h(
              "button",
              {
                class: "button",
                onclick: () => {
                  if (!confirm("Forget all boards in this browser?")) return;
                  forgotten();
                  this.draw();
                },
              },
              "Forget all",
            )
          : null,
      ),
    );
  }
}

const same = (a: string, b: string): boolean => "NS".includes(a) === "NS".includes(b);
const isGame = (contract: string): boolean => {
  const [, level, strain] = /^([1-7])(NT|[CDHS])/.exec(contract) ?? [];
  const least: Record<string, number> = { NT: 3, S: 4, H: 4, D: 5, C: 5 };
  return level !== undefined && Number(level) >= least[strain!]!;
};
const signedMean = (x: number): string =>
  x > 0 ? `+${x.toFixed(1)}` : x < 0 ? `−${(-x).toFixed(1)}` : "0";
