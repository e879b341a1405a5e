// The other boards of an evening while one of them is looked at: next, previous, back to the list.
// Used by the review; the evening and the place in it are in the address.
import { h, type Child } from "./dom";
import { ask } from "./net";
import { link } from "./shell";
import type { EveningReport, TableRow as Table } from "./wire";

export class Siblings {
  evening = "";
  private at = -1;
  private player = "";
  private tables: Table[] = [];
  private asked = "";

  constructor(private readonly draw: () => void) {}

  open(evening: string, at: number, player: string): void {
    Object.assign(this, { evening, at, player });
  }

  /** What the address keeps of the evening. */
  address(): string {
    return this.evening
      ? `&evening=${this.evening}&at=${this.at}` +
          `${this.player ? `&player=${encodeURIComponent(this.player)}` : ""}`
      : "";
  }

  want(): void {
    if (this.asked === this.evening) return;
    this.asked = this.evening;
    void ask<EveningReport>(`/api/evenings/${this.evening}`).then(
      (found) => {
        this.tables = found.tables.filter((t) => !this.player || t.names.includes(this.player));
        this.draw();
      },
      () => undefined,
    );
  }

  bar(): Child {
    if (!this.evening) return null;
    const place = this.tables.findIndex((t) => t.table === this.at);
    const to = (t: Table | undefined, words: string): Child =>
      t
        ? link(
            boardAddress(this.evening, t, this.player),
            { class: "button small", rel: words === "Next" ? "next" : "prev" },
            words,
          )
        : h("span", { class: "button small", "aria-disabled": "true" }, words);
    const back =
      `/evening/${this.evening}` +
      `${this.player ? `?player=${encodeURIComponent(this.player)}` : ""}`;
    return h(
      "nav",
      { class: "siblings", "aria-label": "Boards of the evening" },
      link(back, { class: "button small" }, "All boards"),
      to(this.tables[place - 1], "Previous"),
      h("span", { class: "soft" }, place >= 0 ? `${place + 1} of ${this.tables.length}` : ""),
      to(this.tables[place + 1], "Next"),
    );
  }
}

/** Where one table's board is reviewed; `step` is a card, from one. */
export function boardAddress(
  evening: string,
  table: { table: number; text: string },
  player = "",
  step = 0,
): string {
  return (
    `/review#lin=${encodeURIComponent(table.text)}${step ? `&step=${step}` : ""}&evening=` +
    `${evening}&at=${table.table}${player ? `&player=${encodeURIComponent(player)}` : ""}`
  );
}
