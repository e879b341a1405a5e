// The unit tests of modules that need no page: bundled as the page is, run by Node's own runner.
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const here = join(import.meta.dirname, "tests");
const out = mkdtempSync(join(tmpdir(), "overtrick-web-"));
const names = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
await build({
  entryPoints: names.map((name) => join(here, name)),
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  logLevel: "warning",
});
const files = names.map((name) => join(out, name.replace(/ts$/, "mjs")));
const stream = run({ files, concurrency: true });
stream.on("test:fail", () => (process.exitCode = 1));
stream.compose(new spec()).pipe(process.stdout);
stream.on("end", () => rmSync(out, { recursive: true }));
