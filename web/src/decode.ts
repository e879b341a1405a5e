// The bid decoder: type or click an auction, see what each call shows, with hands that would make
// it, and what every next call would mean.
// Used at /decode; the auction is in the address.
import { lang, say } from "./lang";
import { h, later, render, type Child, type VNode } from "./dom";
import { choice, handLine, offerChoice, textField } from "./forms";
import { ask, engines, type DrawnCall } from "./net";
import { auctionView, meaningView } from "./parts";
import { bar, copy } from "./shell";
import { coloured, plus, points, SEAT_NAMES } from "./words";
import type {
  DecodedAuction as Decoded,
  IllustratedCall as Told,
  Offered as Offers,
  SeatLetter,
} from "./wire";
export type { Told };

export class DecodePage {
  private auction: string;
  private bidder: string;
  private vul: string;
  private dealer: SeatLetter;
  private offers: Offers | null = null;
  private found: Decoded | null = null;
  private problem = "";
  private busy = false;
  private looking = -1;
  private timer = 0;
  private asked = 0;

  private readonly draw = later(() =>
    render(this.root, [bar(null, () => this.draw()), this.main()]),
  );

  constructor(private readonly root: HTMLElement) {
    const hash = new URLSearchParams(location.hash.slice(1));
    this.auction = hash.get("auction") ?? "1NT Pass 2H Pass";
    this.bidder = hash.get("bidder") ?? "";
    this.vul = hash.get("vul") ?? "None";
    this.dealer = (hash.get("dealer") as SeatLetter | null) ?? "N";
    this.draw();
    void engines().then((o) => {
      this.offers = o;
      if (!o.bidders.some((b) => b.spec === this.bidder)) this.bidder = o.bidders[0]!.spec;
      void this.ask();
    });
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private async ask(): Promise<void> {
    const mine = ++this.asked;
    this.busy = true;
    this.draw();
    try {
      const wish = {
        auction: this.auction,
        bidder: this.bidder,
        vul: this.vul,
        dealer: this.dealer,
      };
      const found = await ask<Decoded>("/api/decode", wish);
      if (mine !== this.asked) return;
      this.found = found;
      this.problem = "";
      this.looking = Math.max(
        0,
        found.calls.findLastIndex((c) => c.call !== "Pass"),
      );
      history.replaceState(null, "", `/decode#${new URLSearchParams(wish)}`);
    } catch (error) {
      if (mine === this.asked) this.problem = (error as Error).message;
    }
    if (mine === this.asked) this.busy = false;
    this.draw();
  }

  private set(auction: string): void {
    this.auction = auction;
    void this.ask();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask(), 300);
  }

  private main(): VNode {
    const found = this.found;
    return h(
      "main",
      { class: "tool" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", null, "What does it mean?"),
        h(
          "p",
          { class: "lead" },
          "Type an auction, or click on a call to go on. Every call is explained by the rule " +
            "that would make it, with hands that fit.",
        ),
      ),
      h(
        "div",
        { class: "tool-form panel" },
        textField(
          "Auction, dealer first",
          this.auction,
          (v) => {
            this.auction = v;
            this.soon();
          },
          { class: "mono", placeholder: "1NT Pass 2H Pass" },
        ),
        h(
          "div",
          { class: "thirds" },
          offerChoice("System", this.bidder, this.offers?.bidders ?? [], (v) => {
            this.bidder = v;
            void this.ask();
          }),
          choice(
            "Dealer",
            this.dealer,
            (["N", "E", "S", "W"] as SeatLetter[]).map((s) => [s, SEAT_NAMES[s]]),
            (v) => {
              this.dealer = v as SeatLetter;
              void this.ask();
            },
          ),
          choice(
            "Vulnerable",
            this.vul,
            [
              ["None", "nobody"],
              ["NS", "North–South"],
              ["EW", "East–West"],
              ["All", "everybody"],
            ],
            (v) => {
              this.vul = v;
              void this.ask();
            },
          ),
        ),
        h(
          "div",
          { class: "row" },
          h(
            "button",
            {
              class: "button small",
              onclick: () => this.set(this.auction.trim().split(/\s+/).slice(0, -1).join(" ")),
            },
            "One call back",
          ),
          h("button", { class: "button small", onclick: () => this.set("") }, "From the start"),
          h(
            "button",
            { class: "button small", onclick: () => void copy(location.href, "Link") },
            "Copy link",
          ),
          this.busy ? h("span", { class: "soft", role: "status" }, "Asking…") : null,
        ),
        this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
      ),
      found ? h("div", { class: "tool-columns" }, this.made(found), this.next(found)) : null,
    );
  }

  private made(found: Decoded): VNode {
    const calls: DrawnCall[] = found.calls.map((c) => ({
      seat: c.seat,
      call: c.call,
      alert: c.alert,
      meaning: c,
    }));
    const chosen = found.calls[this.looking];
    return h(
      "section",
      { class: "panel" },
      h("h2", null, "The auction"),
      auctionView({
        calls,
        dealer: this.dealer,
        vul: this.vul,
        turn: found.over ? null : found.turn,
        you: null,
        chosen: this.looking,
        look: (i) => {
          if (i < 0 || i === this.looking) return;
          this.looking = i;
          this.draw();
        },
      }),
      chosen
        ? h(
            "div",
            { class: "decoded-call" },
            meaningView(`${SEAT_NAMES[chosen.seat]} shows`, chosen.call, chosen),
            chosen.exact && chosen.exact !== "any hand" && spoken(`Exactly: ${chosen.exact}.`)
              ? h("p", { class: "soft" }, `Exactly: ${chosen.exact}.`)
              : null,
            chosen.denies?.length
              ? h(
                  "div",
                  { class: "denies" },
                  h("p", { class: "eyebrow" }, "Between the lines"),
                  h(
                    "ul",
                    null,
                    chosen.denies.map((d) => h("li", null, coloured(d))),
                  ),
                )
              : null,
            samples(chosen.samples),
          )
        : h("p", { class: "soft" }, "Nobody has called yet."),
    );
  }

  private next(found: Decoded): Child {
    const coming = found.next.filter((c) => !c.words.startsWith("outside"));
    if (!coming.length) return null;
    return h(
      "section",
      { class: "panel" },
      h("h2", null, `What ${SEAT_NAMES[found.turn]} could call`),
      h(
        "ol",
        { class: "decoded grid" },
        coming.map((c) =>
          h(
            "li",
            { key: c.call },
            h(
              "button",
              { class: "linklike", onclick: () => this.set(`${found.auction} ${c.call}`.trim()) },
              meaningView("", c.call, c),
              c.samples?.length ? h("p", { class: "sample" }, handLine(c.samples[0]!)) : null,
            ),
          ),
        ),
      ),
    );
  }
}

/** Exact conditions are said where the reader's language has all their words. */
const spoken = (text: string): boolean => lang() === "en" || say(text) !== text;

export function samples(hands: string[][] | undefined): Child {
  if (!hands?.length) return null;
  return h(
    "div",
    { class: "samples" },
    h("p", { class: "eyebrow" }, "Hands that would call so"),
    h(
      "ul",
      null,
      hands.map((cards) =>
        h("li", null, handLine(cards), h("small", { class: "soft" }, ` ${points(cards)} hcp`)),
      ),
    ),
  );
}

export const seatAfter = (dealer: SeatLetter, n: number): SeatLetter => plus(dealer, n);
