// What all pages share: the bar on top, dialogs, the list of keys, notices, going to a page.
// Used by every page.
import { h, render, type Child, type VNode } from "./dom";
import { say } from "./lang";
import { panel } from "./prefs";

export function go(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

export function link(path: string, props: Record<string, unknown>, ...children: Child[]): VNode {
  return h(
    "a",
    {
      href: path,
      ...props,
      onclick: (e: MouseEvent) => {
        if (e.metaKey || e.ctrlKey || e.shiftKey || e.button !== 0) return;
        e.preventDefault();
        go(path);
      },
    },
    ...children,
  );
}

/** The tools: address, name, what it answers. */
export const TOOLS: [string, string, string][] = [
  ["/decode", "Bid decoder", "What does that auction mean?"],
  ["/book", "System book", "Every call of a system, browsed."],
  ["/card", "Your convention card", "What you play with the robot, switch by switch."],
  ["/suit", "Suit play", "The best line for any holding."],
  ["/deal", "Deals to order", "Hands you describe, and how rare they are."],
  ["/match", "Matches", "Robots compared in matches and tournaments."],
];
/** What people come for; the tools are behind the button beside them. */
const PLACES: [string, string][] = [
  ["/", "Play"],
  ["/practice", "Learn"],
  ["/review", "Review"],
  ["/club", "Club"],
  ["/me", "You"],
];

function places(all = false): VNode[] {
  const tools = all ? TOOLS.map(([path, name]): [string, string] => [path, name]) : [];
  return [...PLACES, ...tools].map(([path, name]) =>
    link(
      path,
      { class: "place-link", "aria-current": location.pathname === path ? "page" : null },
      name,
    ),
  );
}

function menu(): void {
  const box = dialog("Where to?", () =>
    h(
      "nav",
      { class: "menu", "aria-label": "All pages", onclick: () => box.close() },
      places(true),
    ),
  );
}

export function bar(middle: Child, update: () => void, ...actions: Child[]): VNode {
  return h(
    "header",
    { class: "bar" },
    h("button", { class: "skip", onclick: intoPage }, "To the content"),
    link(
      "/",
      { class: "brand", "aria-label": "Overtrick, start page" },
      h(
        "svg",
        { viewBox: "0 0 32 32", "aria-hidden": "true", class: "suit-brand" },
        h("use", { href: "#suit-S" }),
      ),
      h("span", null, "Overtrick"),
    ),
    middle
      ? h("div", { class: "bar-middle" }, middle)
      : h("nav", { class: "bar-middle places", "aria-label": "Pages" }, places()),
    h(
      "div",
      { class: "bar-actions" },
      ...actions,
      h(
        "button",
        { class: "quiet menu-button", onclick: menu, title: "All pages" },
        icon("M4 7h16M4 12h16M4 17h16"),
        h("span", { class: "sr-only" }, "All pages"),
      ),
      h(
        "button",
        { class: "quiet", onclick: () => settings(update), title: "Settings" },
        icon(
          "M12 15.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zm8-3.500 " +
            "2-1.500-2-3.500-2.400.8a7 7 0 0 0-1.600-1L15.500 4h-4l-.5 2.800a7 7 0 0 0-1.700 " +
            "1L7 7 5 10.500 7 12l-2 1.500L7 17l2.300-.8a7 7 0 0 0 1.700 1l.5 " +
            "2.800h4l.5-2.800a7 7 0 0 0 1.600-1L20 17l2-3.500z",
        ),
        h("span", { class: "sr-only" }, "Settings"),
      ),
      h(
        "button",
        { class: "quiet keys-button", onclick: keys, title: "Keys (?)" },
        "?",
        h("span", { class: "sr-only" }, " list of keys"),
      ),
    ),
  );
}

/** Whoever uses the keyboard goes on from the page itself, not from what is above it. */
export function intoPage(): void {
  const main = document.querySelector("main");
  main?.setAttribute("tabindex", "-1");
  main?.focus({ preventScroll: true });
}

export function icon(path: string): VNode {
  return h(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    h("path", {
      d: path,
      fill: "none",
      stroke: "currentColor",
      "stroke-width": "1.6",
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );
}

/** A modal dialog that draws itself again on demand; Escape and the button close it. */
export function dialog(title: string, content: (again: () => void) => Child): HTMLDialogElement {
  const box = document.createElement("dialog");
  box.setAttribute("aria-label", title);
  const draw = (): void =>
    render(box, [
      h("h2", null, title),
      h("div", { class: "dialog-body" }, content(draw)),
      h(
        "div",
        { class: "dialog-end" },
        h("button", { class: "button", onclick: () => box.close() }, "Close"),
      ),
    ]);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (e) => {
    if (e.target === box) box.close();
  });
  document.body.append(box);
  draw();
  box.showModal();
  return box;
}

export function settings(update: () => void): void {
  dialog("Settings", (again) =>
    panel(() => {
      again();
      update();
    }),
  );
}

const KEYS: [string, string][] = [
  ["1–7 then C D H S N", "bid, such as 1 then H for one heart"],
  ["P  X  R", "pass, double, redouble"],
  ["S then Q, or Q then S", "play a card; T or 0 is the ten"],
  ["Enter", "confirm; next board when it is over"],
  ["I", "hint: what would the robot do?"],
  ["U", "undo your last call or card"],
  ["M", "claim"],
  ["L", "look at the last trick"],
  ["V", "review the board when it is over"],
  ["G", "play the same board again"],
  ["← →  Home  End", "step through a review"],
  ["Tab", "reach every button; calls explain themselves"],
  ["Esc", "forget what you began to type, close a window"],
  ["?", "this list"],
];

export function keys(): void {
  if (document.querySelector("dialog[open]")) return;
  dialog("Keys", () =>
    h(
      "dl",
      { class: "keys" },
      KEYS.map(([key, words]) => [h("dt", null, h("kbd", null, key)), h("dd", null, words)]),
    ),
  );
}

let timer = 0;

export function notice(text: string): void {
  let box = document.getElementById("notice");
  if (!box) {
    box = document.createElement("div");
    box.id = "notice";
    box.setAttribute("role", "alert");
    document.body.append(box);
  }
  box.textContent = say(text);
  box.classList.add("up");
  clearTimeout(timer);
  timer = window.setTimeout(() => box!.classList.remove("up"), 4500);
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice(`${what} copied`);
  } catch {
    dialog(what, () =>
      h("textarea", { readonly: true, rows: 6, class: "wide", "aria-label": what, value: text }),
    );
  }
}

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
