// The bid decoder: type an auction, see what each call shows and what every next call would.
// Used at /decode.
import { h, later, render, type VNode } from "./dom";
import { ask, engines, type Meaning, type Offers } from "./net";
import { meaningView } from "./parts";
import { nameOf } from "./home";
import { bar } from "./shell";
import { SEAT_NAMES, type SeatLetter } from "./words";

interface Decoded {
  auction: string;
  calls: { seat: SeatLetter; call: string; meaning: Meaning | null }[];
  next: (Meaning & { call: string })[];
}

export class DecodePage {
  private auction = new URLSearchParams(location.hash.slice(1)).get("auction") ?? "1NT Pass 2H Pass";
  private bidder = "";
  private offers: Offers | null = null;
  private found: Decoded | null = null;
  private problem = "";
  private timer = 0;

  private readonly draw = later(() => {
    render(this.root, [bar(null, () => this.draw()), this.main()]);
  });

  constructor(private readonly root: HTMLElement) {
    this.draw();
    void engines().then((o) => {
      this.offers = o;
      this.bidder = o.bidders[0]!.spec;
      void this.ask();
    });
  }

  close(): void {}

  private async ask(): Promise<void> {
    try {
      this.found = await ask<Decoded>("/api/decode", { auction: this.auction, bidder: this.bidder });
      this.problem = "";
      history.replaceState(null, "", `/decode#auction=${encodeURIComponent(this.auction)}`);
    } catch (error) {
      this.problem = (error as Error).message;
    }
    this.draw();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask(), 250);
  }


  private main(): VNode {
    return h("main", { class: "decode" },
      h("h1", null, "What does it mean?"),
      h("div", { class: "fields wide" },
        h("label", { class: "field" }, h("span", null, "Auction, dealer first"),
          h("input", { value: this.auction, spellcheck: "false", oninput: (e: Event) => {
            this.auction = (e.target as HTMLInputElement).value;
            this.soon();
          } })),
        h("label", { class: "field" }, h("span", null, "System"),
          h("select", { value: this.bidder, onchange: (e: Event) => {
            this.bidder = (e.target as HTMLSelectElement).value;
            void this.ask();
          } }, (this.offers?.bidders ?? []).map((o) => h("option", { value: o.spec }, nameOf(o)))))),
      this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
      this.found ? [
        h("section", { class: "panel" }, h("h2", null, "The auction"),
          h("ol", { class: "decoded" }, this.found.calls.map((c) => h("li", null, meaningView(SEAT_NAMES[c.seat], c.call, c.meaning))))),
        this.found.next.length ? h("section", { class: "panel" }, h("h2", null, "What could come next"),
          h("ol", { class: "decoded grid" }, this.found.next.filter((c) => !c.words.startsWith("outside")).map((c) =>
            h("li", null, h("button", { class: "linklike", onclick: () => {
              this.auction = `${this.found!.auction} ${c.call}`;
              void this.ask();
            } }, meaningView("", c.call, c)))))) : null,
      ] : null);
  }
}
