// A very small virtual DOM: `h` describes, `render` patches, keyed children keep their elements.
// Used by every page; patching (not rebuilding) keeps focus, hover and running animations. Texts
// are translated here; `translate: "no"` marks names, typed words and the like, which are not.
import { say } from "./lang";

export type Child = VNode | string | number | null | undefined | false | Child[];
// biome-ignore lint/suspicious/noExplicitAny: an event has the type of its element.
type Handler = (event: any) => void;
type Props = Record<string, unknown>;

export interface VNode {
  tag: string;
  props: Props;
  children: (VNode | string)[];
}

export function h(tag: string, props: Props | null, ...children: Child[]): VNode {
  const flat: (VNode | string)[] = [];
  const own = props?.translate === "no";
  const add = (c: Child): void => {
    if (c === null || c === undefined || c === false) return;
    if (Array.isArray(c)) c.forEach(add);
    else flat.push(typeof c === "number" ? String(c) : typeof c === "string" && !own ? say(c) : c);
  };
  children.forEach(add);
  const found = props ?? {};
  for (const name of SPOKEN) {
    const value = found[name];
    if (typeof value === "string" && !own) found[name] = say(value);
  }
  return { tag, props: found, children: flat };
}

const SPOKEN = ["aria-label", "title", "placeholder"];

interface Kept extends Element {
  _props?: Props;
  _key?: unknown;
}

const SVG = new Set(["svg", "use", "path", "g", "line", "rect", "circle", "text", "polyline"]);

export function render(root: Element, node: VNode | VNode[]): void {
  patchChildren(root, Array.isArray(node) ? node : [node]);
}

function create(node: VNode | string): Node {
  if (typeof node === "string") return document.createTextNode(node);
  const element = SVG.has(node.tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", node.tag)
    : document.createElement(node.tag);
  patch(element, node);
  return element;
}

function patch(element: Kept, node: VNode): void {
  const old = element._props ?? {};
  for (const name of Object.keys(old)) {
    if (!(name in node.props)) set(element, name, null, old[name]);
  }
  for (const [name, value] of Object.entries(node.props)) set(element, name, value, old[name]);
  element._props = node.props;
  element._key = node.props.key;
  patchChildren(element, node.children);
  // A select's value can only be set once its options are there.
  if (node.tag === "select" && "value" in node.props) {
    (element as unknown as HTMLSelectElement).value = String(node.props.value);
  }
}

function set(element: Kept, name: string, value: unknown, old: unknown): void {
  if (name === "key") return;
  if (name.startsWith("on")) {
    const event = name.slice(2);
    if (value === old) return;
    if (old) element.removeEventListener(event, old as Handler);
    if (value) element.addEventListener(event, value as Handler);
    return;
  }
  // An option without a value attribute would have its text as its value, a bar without one no
  // length.
  if ((name === "value" && !/^(option|progress)$/.test(element.localName)) || name === "checked") {
    const input = element as unknown as Record<string, unknown>;
    if (input[name] !== value) input[name] = value ?? "";
    return;
  }
  if (value === old) return;
  if (name === "style") {
    (element as HTMLElement).style.cssText = "";
    for (const [k, v] of Object.entries((value ?? {}) as Record<string, string>)) {
      (element as HTMLElement).style.setProperty(k, v);
    }
    return;
  }
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

function patchChildren(parent: Element, wanted: (VNode | string)[]): void {
  const keyed = new Map<unknown, Kept>();
  for (const child of Array.from(parent.children) as Kept[]) {
    if (child._key !== undefined) keyed.set(child._key, child);
  }
  let at: ChildNode | null = parent.firstChild;
  for (const node of wanted) {
    if (typeof node !== "string" && node.props.key !== undefined) {
      const known = keyed.get(node.props.key);
      if (known && known.localName === node.tag) {
        if (known !== at) parent.insertBefore(known, at);
        else at = at.nextSibling;
        patch(known, node);
        continue;
      }
      parent.insertBefore(create(node), at);
      continue;
    }
    const fits =
      at !== null &&
      (typeof node === "string"
        ? at.nodeType === 3
        : at.nodeType === 1 &&
          (at as Kept)._key === undefined &&
          (at as Element).localName === node.tag);
    if (!fits) {
      parent.insertBefore(create(node), at);
      continue;
    }
    const next: ChildNode | null = at!.nextSibling;
    if (typeof node === "string") {
      if (at!.nodeValue !== node) at!.nodeValue = node;
    } else patch(at as unknown as Kept, node);
    at = next;
  }
  while (at !== null) {
    const next: ChildNode | null = at.nextSibling;
    parent.removeChild(at);
    at = next;
  }
}

/** A drawing that happens once, soon, however often it is asked for; never inside another one
 * (removing a focused button fires its blur handler in the middle of a patch). */
export function later(work: () => void): () => void {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    queueMicrotask(() => {
      due = false;
      work();
    });
  };
}

let spoken = "";

/** Tell a screen reader; the same text twice is said twice. */
export function announce(text: string): void {
  const live = document.getElementById("live");
  if (!live || !text) return;
  text = say(text);
  spoken = text === spoken ? text + " " : text;
  live.textContent = spoken;
}
