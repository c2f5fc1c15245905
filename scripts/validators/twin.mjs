// Judges descriptions of twins: a line of JSON for each.
//   dtdl  the parser of the format resolves every interface
//   wot   the JSON Schema that the W3C publishes for Thing Descriptions
//   aas   the core library reads the environment, and none of the metamodel's
//         constraints is broken; every submodel that a shell names is there
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Ajv from "ajv";

const require = createRequire(import.meta.url);
const [kind, ...files] = process.argv.slice(2);

async function dtdl(text) {
  const { createParser, ModelParsingOption } = require("@azure/dtdl-parser");
  try {
    const model = await createParser(ModelParsingOption.PermitAnyTopLevelElement).parse([text]);
    const found = Object.values(model).filter((e) => e.entityKind === "interface").length;
    const wanted = JSON.parse(text).length;
    return found === wanted ? "" : `${found} of ${wanted} interfaces`;
  } catch (e) {
    const first = (e.errors ?? e._parsingErrors)?.[0];
    return first ? `${first.cause} ${first.primaryId ?? ""}` : String(e);
  }
}

// The schema is a dependency: W3C Software and Document License. Its formats are
// words of draft 7 that say nothing of what the format is for.
const { $id, "$schema ": _, ...schema } = require("wot-thing-description-types/schema/td-json-schema-validation.json");
const fits = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);

function wot(text) {
  const thing = JSON.parse(text);
  if (!fits(thing)) return fits.errors.slice(0, 3).map((e) => `${e.instancePath} ${e.message}`).join("; ");
  for (const list of [thing.properties, thing.actions, thing.events]) {
    for (const m of Object.values(list ?? {})) for (const f of m.forms) if (!URL.canParse(f.href, thing.base)) return `${f.href} is no address`;
  }
  return thing.security.every((s) => Object.hasOwn(thing.securityDefinitions, s)) ? "" : "security is not defined";
}

function aas(text) {
  const { jsonization, verification } = require("@aas-core-works/aas-core3.0-typescript");
  const read = jsonization.environmentFromJsonable(JSON.parse(text));
  if (read.error !== null) return `${read.error.path} ${read.error.message}`;
  const environment = read.mustValue();
  for (const e of verification.verify(environment)) return `${e.path} ${e.message}`;
  const ids = new Set(environment.submodels?.map((s) => s.id));
  for (const shell of environment.assetAdministrationShells ?? []) {
    for (const r of shell.submodels ?? []) if (!ids.has(r.keys[0].value)) return `${r.keys[0].value} is not there`;
  }
  return "";
}

for (const file of files) {
  let message;
  try {
    message = await { dtdl, wot, aas }[kind](readFileSync(file, "utf8"));
  } catch (e) {
    message = String(e).split("\n")[0];
  }
  console.log(JSON.stringify({ file, ok: message === "", message }));
}
