// Runs the published vectors: node build/vectors.js FOLDER.

import fs from "node:fs";
import path from "node:path";
import { Fault } from "./bytes.js";
import { checks } from "./checks.js";

type Vector = { name: string; in: unknown; out?: unknown; code?: string };

/** plain brings values into an order in which equal ones have equal texts. */
function plain(v: unknown): unknown {
  if (Array.isArray(v)) return v.map(plain);
  if (v === null || typeof v !== "object") return v;
  return Object.fromEntries(
    Object.entries(v)
      .filter(([, x]) => x !== undefined && x !== null && !(Array.isArray(x) && x.length === 0))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, x]) => [k, plain(x)]),
  );
}

const folder = process.argv[2];
let failed = 0;
let run = 0;
const unused = new Set(Object.keys(checks));
for (const sub of fs.readdirSync(folder).sort()) {
  if (!fs.statSync(path.join(folder, sub)).isDirectory()) continue;
  for (const file of fs.readdirSync(path.join(folder, sub)).sort()) {
    if (!file.endsWith(".json")) continue;
    const at = `${sub}/${file}`;
    const check = checks[at] ?? checks[sub];
    unused.delete(at in checks ? at : sub);
    if (!check) {
      console.log(`${at}: no check reads these vectors`);
      failed++;
      continue;
    }
    for (const v of JSON.parse(fs.readFileSync(path.join(folder, at), "utf8")) as Vector[]) {
      run++;
      let got: unknown;
      try {
        got = { out: check(v.in as never, v.out as never) };
      } catch (e) {
        if (!(e instanceof Fault)) console.log(at, v.name, e);
        got = { code: e instanceof Fault ? e.code : String(e) };
      }
      const want = v.code === undefined ? { out: v.out } : { code: v.code };
      if (JSON.stringify(plain(got)) === JSON.stringify(plain(want))) continue;
      failed++;
      const cut = (x: unknown) => JSON.stringify(plain(x)).slice(0, 600);
      console.log(`${at}: ${v.name}\n  want ${cut(want)}\n  got  ${cut(got)}`);
    }
  }
}
for (const at of unused) {
  console.log(`${at}: a check without vectors`);
  failed++;
}
console.log(`vectors: ${run} run, ${failed} failed`);
process.exit(failed ? 1 : 0);
