// What a feed sends is data from outside: it is read as JSON, measured, and each
// value is held to the kind that its binding has. Nothing of it is run.
import { Color } from "three";
import type { Data } from "../scene.ts";

export const most = 256 << 10; // characters of one message
const deepest = 16, longest = 4096, widest = 1000;

// Refused says why a message or a value is not taken.
export class Refused extends Error {}

// read is a message as data.
export function read(text: string): Data {
  if (text.length > most) throw new Refused(`a message of more than ${most} characters`);
  let v: unknown;
  try {
    v = JSON.parse(text);
  } catch {
    throw new Refused("a message that is no JSON");
  }
  if (!flat(v, deepest)) throw new Refused(`a message more than ${deepest} levels deep`);
  return v as Data;
}

function flat(v: unknown, levels: number): boolean {
  if (typeof v !== "object" || v === null) return true;
  return levels > 0 && Object.values(v).every((e) => flat(e, levels - 1));
}

function own(v: Data | undefined, key: string): Data | undefined {
  return typeof v === "object" && v !== null && Object.hasOwn(v, key) ? (v as { [key: string]: Data })[key] : undefined;
}

// record is what a message says of one thing: of its name, of the element of a
// list with its id, else the whole.
export function record(v: Data, of?: string): Data | undefined {
  if (!of) return v;
  if (Array.isArray(v)) return v.find((e) => ["id", "device_id", "physical_id"].some((k) => own(e, k) === of));
  return own(v, of) ?? (["id", "device_id", "physical_id"].some((k) => own(v, k) !== undefined && own(v, k) !== of) ? undefined : v);
}

// find is the value at the first of some places that is there; a record that is a
// bare value is itself the value.
export function find(v: Data | undefined, places: string[][]): Data | undefined {
  if (typeof v !== "object" || v === null) return v;
  for (const path of places) {
    let at: Data | undefined = v;
    for (const key of path) at = own(at, key);
    if (at !== undefined && at !== null) return at;
  }
  return undefined;
}

// coloured says whether a text is a colour: the names that the library has are those of CSS.
function coloured(text: string): boolean { return Object.hasOwn(Color.NAMES, text) || /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(text); }

// fit is a value of a kind, or a refusal.
export function fit(v: Data, kind: string): Data {
  const no = () => new Refused(`${typeof v === "object" ? "a structure" : JSON.stringify(v).slice(0, 40)} where ${names[kind] ?? "a value"} is wanted`);
  const number = (x: unknown): x is number => typeof x === "number" && Number.isFinite(x);
  switch (kind) {
    case "number":
      if (!number(v)) throw no();
      return v;
    case "boolean":
      if (typeof v !== "boolean") throw no();
      return v;
    case "text": {
      const text = number(v) || typeof v === "boolean" ? String(v) : v;
      if (typeof text !== "string" || text.length > longest) throw no();
      return text;
    }
    case "color":
      if (typeof v !== "string" || !coloured(v.trim().toLowerCase())) throw no();
      return v;
    case "vector": {
      const list = Array.isArray(v) ? v : ["x", "y", "z"].map((k) => own(v, k));
      if (list.length !== 3 || !list.every(number)) throw no();
      return list as number[];
    }
    case "list":
      if (!Array.isArray(v) || v.length > widest) throw no();
      return v;
  }
  if (typeof v === "string" && v.length > longest) throw no();
  return v;
}

const names: { [kind: string]: string } = {
  number: "a number", boolean: "yes or no", text: "a text", color: "a colour", vector: "three numbers", list: "a list",
};
