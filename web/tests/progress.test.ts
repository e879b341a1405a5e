import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answered, forgetAll, next, standing } from "../src/progress";
import { freshBrowser } from "./browser";

const MINUTE = 60_000;
const NAMES = ["a", "b", "c"];

beforeEach(freshBrowser);

test("new positions come in their order", () => {
  equal(next(NAMES, 0), 0);
  answered("a", true, 0);
  equal(next(NAMES, 0), 1);
});

test("what is due comes before what is new, and a wrong answer is due soon", () => {
  answered("b", false, 0);
  equal(next(NAMES, 5 * MINUTE), 0);
  equal(next(NAMES, 10 * MINUTE), 1);
});

test("right answers move a position up, one wrong answer sends it back", () => {
  for (const now of [0, 1, 2]) answered("a", true, now);
  equal(standing(NAMES, 3).known, 1);
  answered("a", false, 4);
  deepEqual(standing(NAMES, 5), {
    seen: 1,
    known: 0,
    due: 0,
    right: 3,
    wrong: 1,
    soonest: 4 + 10 * MINUTE,
  });
  forgetAll(["a"]);
  equal(standing(NAMES, 5).seen, 0);
});

test("when everything is learned nothing is asked", () => {
  for (const name of NAMES) answered(name, true, 0);
  equal(next(NAMES, 1), -1);
});
