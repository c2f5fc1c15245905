// Judges glTF files with the format's own validator: a line of JSON for each.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import validator from "gltf-validator";

for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(dirname(file), decodeURIComponent(uri)))),
  }).catch((e) => ({ issues: { numErrors: 1, numWarnings: 0, messages: [{ severity: 0, code: "UNREADABLE", message: String(e) }] } }));
  const { numErrors, numWarnings, messages } = report.issues;
  const bad = messages.filter((m) => m.severity < 2).map((m) => `${m.code} ${m.pointer ?? ""} ${m.message}`);
  console.log(JSON.stringify({ file, ok: numErrors + numWarnings === 0, message: bad[0] ?? "" }));
}
