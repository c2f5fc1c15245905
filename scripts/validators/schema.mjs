// Judges JSON files by a JSON Schema of draft 2020-12: a line of JSON for each.
// The first argument is the schema.
import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2020.js";

const [schema, ...files] = process.argv.slice(2);
// Formats are not part of ajv; the patterns of the schemas say what matters.
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
// OpenAPI leaves open by $dynamicRef which dialect its schemas have. Nobody
// extends it here, so the reference means what stands in the document, which
// ajv does not find by itself.
const text = readFileSync(schema, "utf8").replaceAll('"$dynamicRef": "#meta"', '"$ref": "#/$defs/schema"');
const judge = ajv.compile(JSON.parse(text));
for (const file of files) {
  let ok = false;
  let message = "";
  try {
    ok = judge(JSON.parse(readFileSync(file, "utf8")));
    if (!ok) message = `${judge.errors[0].instancePath || "/"} ${judge.errors[0].message}`;
  } catch (e) {
    message = String(e);
  }
  console.log(JSON.stringify({ file, ok, message }));
}
