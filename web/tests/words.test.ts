import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import * as words from "../src/words";

test("calls and cards are said as players say them", () => {
  deepEqual(["1NT", "3NT", "1S", "4H", "X", "Pass"].map(words.callWords), [
    "1 no trump",
    "3 no trumps",
    "1 spade",
    "4 hearts",
    "double",
    "pass",
  ]);
  deepEqual(["ST", "HQ", "D2"].map(words.cardWords), [
    "10 of spades",
    "queen of hearts",
    "2 of diamonds",
  ]);
  equal(words.callLabel("X"), "X, double");
});

test("a hand is sorted by rank, colours alternate, trumps come first", () => {
  deepEqual(words.handOrder(), ["S", "H", "C", "D"]);
  deepEqual(words.handOrder("C"), ["C", "D", "S", "H"]);
  deepEqual(words.bySuit(["S2", "HT", "SA", "HK"], "H").slice(0, 1), [["H", ["HK", "HT"]]]);
  equal(words.points(["SA", "HK", "DQ", "CJ", "CT"]), 10);
});

test("seats, sides and vulnerability", () => {
  equal(words.plus("W", 1), "N");
  equal(words.partner("E"), "W");
  deepEqual(
    words.SEATS.map((seat) => words.isVul(seat, "EW")),
    [false, true, false, true],
  );
  deepEqual(["None", "NS", "EW", "All"].map(words.vulnerable), [
    "nobody",
    "North–South",
    "East–West",
    "everybody",
  ]);
});

test("numbers have a sign and a unit", () => {
  deepEqual([3, 0, -2].map(words.signed), ["+3", "0", "−2"]);
  deepEqual(["+1", "−1", 1, 2].map(words.impWords), ["+1 IMP", "−1 IMP", "1 IMP", "2 IMPs"]);
});
