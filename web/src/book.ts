// The system book: browse a system call by call, with the opponents in it, and its convention card.
// Used at /book; the place in the book is in the address.
import { h, later, render, type Child, type VNode } from "./dom";
import { choice, handLine } from "./forms";
import { ask } from "./net";
import { bar, link } from "./shell";
import { callLabel, callView, callWords, coloured, SEAT_NAMES } from "./words";
import type { BookPage as Page, SystemName } from "./wire";

export class BookPage {
  private systems: { name: string; title: string }[] = [];
  private system: string;
  private auction: string;
  private page: Page | null = null;
  private problem = "";
  private find = "";

  private readonly draw = later(() =>
    render(this.root, [bar(null, () => this.draw()), this.main()]),
  );

  constructor(private readonly root: HTMLElement) {
    const hash = new URLSearchParams(location.hash.slice(1));
    this.system = hash.get("system") ?? "two-over-one";
    this.auction = hash.get("auction") ?? "";
    this.draw();
    void ask<SystemName[]>("/api/systems").then(
      (found) => {
        this.systems = found;
        this.draw();
      },
      () => undefined,
    );
    void this.load();
  }

  close(): void {}

  private async load(): Promise<void> {
    const wish = { system: this.system, auction: this.auction };
    try {
      this.page = await ask<Page>("/api/book", wish);
      this.problem = "";
      history.replaceState(null, "", `/book#${new URLSearchParams(wish)}`);
    } catch (error) {
      this.problem = (error as Error).message;
    }
    this.draw();
  }

  private open(auction: string): void {
    this.auction = auction.trim();
    this.find = "";
    void this.load();
    scrollTo(0, 0);
  }

  private main(): VNode {
    const page = this.page;
    return h(
      "main",
      { class: "tool" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", null, page?.title ?? "System book"),
        h(
          "p",
          { class: "lead" },
          page
            ? `${page.rules.toLocaleString()} rules. The robots bid by this book: what stands ` +
                "here is what they do."
            : "Opening the book…",
        ),
      ),
      h(
        "div",
        { class: "book" },
        h(
          "aside",
          { class: "panel book-side" },
          choice(
            "System",
            this.system,
            (this.systems.length ? this.systems : [{ name: this.system, title: this.system }]).map(
              (s) => [s.name, s.title],
            ),
            (v) => {
              this.system = v;
              void this.load();
            },
          ),
          page ? this.conventions(page) : null,
        ),
        h(
          "section",
          { class: "panel book-page" },
          this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
          page ? [this.crumbs(page), this.calls(page)] : null,
        ),
      ),
    );
  }

  private crumbs(page: Page): VNode {
    const words = page.auction ? page.auction.split(" ") : [];
    return h(
      "nav",
      { class: "crumbs", "aria-label": "The auction so far" },
      h(
        "button",
        {
          class: "crumb",
          "aria-current": words.length ? null : "true",
          onclick: () => this.open(""),
        },
        "Openings",
      ),
      words.map((call, i) =>
        h(
          "button",
          {
            class: `crumb${i % 2 ? " theirs" : ""}`,
            key: i,
            "aria-current": i === words.length - 1 ? "true" : null,
            title: page.calls[i]?.words ?? "",
            onclick: () => this.open(words.slice(0, i + 1).join(" ")),
          },
          callView(call),
        ),
      ),
    );
  }

  private calls(page: Page): Child {
    const words = page.auction ? page.auction.split(" ") : [];
    const theirs = words.length % 2 === 1;
    const shown = page.next.filter(
      (c) =>
        !this.find ||
        `${c.call} ${c.words} ${c.convention}`.toLowerCase().includes(this.find.toLowerCase()),
    );
    const last = page.calls[page.calls.length - 1];
    return [
      last
        ? h(
            "p",
            { class: "soft" },
            h("b", null, `${SEAT_NAMES[last.seat]}'s ${callWords(last.call)}: `),
            coloured(last.words),
            last.ranges ? [" (", coloured(last.ranges), ")"] : null,
          )
        : null,
      h(
        "div",
        { class: "book-tools" },
        h(
          "label",
          { class: "field" },
          h("span", null, "Find"),
          h("input", {
            value: this.find,
            type: "search",
            oninput: (e: Event) => {
              this.find = (e.target as HTMLInputElement).value;
              this.draw();
            },
          }),
        ),
        theirs
          ? h(
              "button",
              { class: "button", onclick: () => this.open(`${page.auction} Pass`) },
              "They pass",
            )
          : null,
        choice(
          theirs ? "Or they call" : "Or we call",
          "",
          [
            ["", "choose…"],
            ...page.legal.filter((c) => c !== "Pass").map((c) => [c, c] as [string, string]),
          ],
          (v) => v && this.open(`${page.auction} ${v}`),
        ),
      ),
      h(
        "h2",
        null,
        theirs ? "What their calls would show" : words.length ? "Our calls" : "Opening calls",
      ),
      h(
        "div",
        { class: "scroll tall" },
        h(
          "table",
          { class: "list booked" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              ["Call", "Shows", "Such as"].map((t) => h("th", { scope: "col" }, t)),
            ),
          ),
          h(
            "tbody",
            null,
            shown.map((c) =>
              h(
                "tr",
                { key: c.call, class: c.alert ? "alerted" : null },
                h(
                  "td",
                  null,
                  h(
                    "button",
                    {
                      class: "linklike big-call",
                      "aria-label": `${callLabel(c.call)}, go on from there`,
                      onclick: () =>
                        this.open(
                          `${page.auction} ${c.call}${theirs || c.call === "Pass" ? "" : " Pass"}`,
                        ),
                    },
                    callView(c.call),
                  ),
                ),
                h(
                  "td",
                  null,
                  h("span", { class: "words" }, coloured(c.words)),
                  h(
                    "span",
                    { class: "under" },
                    coloured(c.ranges),
                    c.forcing !== "none"
                      ? ` · ${c.forcing === "sign-off" ? c.forcing : `forcing ${c.forcing}`}`
                      : "",
                    c.convention ? ` · ${c.convention.replace(/-/g, " ")}` : "",
                    c.alert ? " · alert" : "",
                  ),
                ),
                h("td", null, c.samples?.[0] ? handLine(c.samples[0]) : ""),
              ),
            ),
          ),
        ),
      ),
      page.next.length ? null : h("p", { class: "soft" }, "The auction is over."),
    ];
  }

  private conventions(page: Page): VNode {
    return h(
      "details",
      { class: "card-list", open: matchMedia("(min-width: 861px)").matches },
      h("summary", null, h("h2", null, "Convention card")),
      h(
        "ul",
        null,
        page.card.map((c) =>
          h(
            "li",
            { key: c.name, class: c.on ? "on" : "off" },
            h("span", { "aria-hidden": "true" }, c.on ? "✓" : "–"),
            h(
              "span",
              null,
              coloured(c.title),
              h("span", { class: "sr-only" }, c.on ? ", played" : ", not played"),
            ),
          ),
        ),
      ),
      link(
        `/decode#auction=${encodeURIComponent(page.auction)}`,
        { class: "button small" },
        "Open in the decoder",
      ),
    );
  }
}
