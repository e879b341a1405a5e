import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { csv } from "../src/evening";
import { exported, forgotten, history, imported } from "../src/history";
import { freshBrowser } from "./browser";

beforeEach(freshBrowser);

const board = { key: "t/c/1", at: 1, number: 1, scoring: "imps", seat: "S", contract: "3NT" };
const rest = { declarer: "S", tricks: 9, score: 400, imps: 2, percent: null, par: 400, match: "" };
const file = JSON.stringify({ name: "Ada", boards: [{ ...board, ...rest, lin: "" }] });

test("what was exported is read back once", () => {
  localStorage.setItem("overtrick.history", JSON.stringify(JSON.parse(file).boards));
  const text = exported("Ada");
  forgotten();
  deepEqual(history(), []);
  deepEqual(imported(text), { boards: 1, name: "Ada" });
  deepEqual(imported(text), { boards: 0, name: "Ada" });
  equal(history()[0]?.contract, "3NT");
});

test("what is broken in the browser's store is no history", () => {
  for (const broken of ["{", '"text"', "7"]) {
    localStorage.setItem("overtrick.history", broken);
    deepEqual(history(), []);
  }
});

test("a spreadsheet takes no name for a formula, and commas stay in their cell", () => {
  const player = { name: "=1+1", place: 1, boards: 2, percent: 50, imps: 0, decisions: [] };
  const pair = { names: ["A, B", "C"], place: 1, boards: 2, percent: 50, imps: 1 };
  const text = csv({ pairs: [pair], players: [player], tables: [] } as never);
  equal(text.split("\r\n")[1], '"A, B - C",,1,2,50,1');
  equal(/^'=1\+1,/m.test(text), true);
});
