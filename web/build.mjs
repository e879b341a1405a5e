// Bundles the page into the Python package; `node build.mjs --watch` rebuilds while you work.
// The versions in package.json are exact: the same source gives the same bytes (OUT= builds
// elsewhere).
import { build, context } from "esbuild";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const out = process.env.OUT ?? join(import.meta.dirname, "../src/overtrick/web/static");
mkdirSync(out, { recursive: true });
for (const name of readdirSync(out)) rmSync(join(out, name), { recursive: true });
for (const name of readdirSync(join(import.meta.dirname, "public"))) {
  copyFileSync(join(import.meta.dirname, "public", name), join(out, name));
}
copyFileSync("node_modules/@fontsource-variable/figtree/LICENSE", join(out, "figtree-LICENSE.txt"));
copyFileSync(
  "node_modules/@fontsource-variable/source-serif-4/LICENSE",
  join(out, "source-serif-4-LICENSE.txt"),
);
// The catalogues: every line of texts/ is the English text and its three translations; sentences
// of the server have an id before them, by which they are found.
const catalogues = { de: {}, fr: {}, pl: {} };
for (const name of readdirSync(join(import.meta.dirname, "texts")).sort()) {
  const lines = readFileSync(join(import.meta.dirname, "texts", name), "utf8").split("\n");
  lines.forEach((line, i) => {
    if (!line.trim() || line.startsWith("#")) return;
    const parts = line.split(" | ").map((w) => w.trim());
    const key = name === "sentences.txt" ? `@${parts.shift()}` : parts[0];
    const words = parts.slice(1);
    if (words.length !== 3 || words.some((w) => !w))
      throw new Error(`texts/${name}:${i + 1} needs three translations`);
    for (const [k, code] of Object.keys(catalogues).entries()) catalogues[code][key] = words[k];
  });
}
for (const [code, texts] of Object.entries(catalogues))
  writeFileSync(join(out, `${code}.json`), JSON.stringify(texts));
const options = {
  entryPoints: { app: "src/main.ts", style: "src/all.css" },
  outdir: out,
  bundle: true,
  minify: true,
  target: "es2022",
  format: "esm",
  legalComments: "none",
  loader: { ".woff2": "file" },
  assetNames: "[name]",
  logLevel: "info",
};
if (process.argv.includes("--watch")) await (await context(options)).watch();
else await build(options);
