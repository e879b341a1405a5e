import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { say, speak, told } from "../src/lang";

const GERMAN = {
  hearts: "Herz",
  "{n} tricks": "{n} Stiche",
  "a good hand": "ein gutes Blatt",
  NT: "SA",
  or: "oder",
  "@better": "{gain} besser als {other}",
};

test("a catalogue translates words, patterns and lists of statements", async () => {
  Object.assign(globalThis, { fetch: async () => ({ json: async () => GERMAN }) });
  await speak("de");
  equal(say("Hearts"), "Herz");
  equal(say("9 tricks; a good hand."), "9 Stiche; ein gutes Blatt.");
  equal(say("3NT+1"), "3SA+1");
  equal(say("something else"), "something else");
});

test("a sentence is made from its id and its values, an unknown one stays as it came", () => {
  const sentence = {
    id: "better",
    text: "1.5 better than hearts",
    args: { gain: 1.5, other: "hearts" },
  };
  equal(told(sentence), "1,5 besser als Herz");
  equal(told({ ...sentence, id: "unknown" }), "1.5 better than hearts");
});

test("English and unknown languages need no catalogue", async () => {
  for (const wanted of ["en", "xx", "../de"]) {
    await speak(wanted);
    deepEqual([say("Hearts"), say("9 tricks")], ["Hearts", "9 tricks"]);
  }
});
