// Policies of UCAN Delegation 1.0.0-rc.1 (SPEC 18.12).

import { bad, equal } from "./bytes.js";
import { Item, Link } from "./ipld.js";

type Step = { kind: "key"; key: string } | { kind: "at"; at: number } | { kind: "cut"; from?: number; to?: number };
type Part = { steps: Step | "all"; soft: boolean };

const part =
  /^(?:\.([A-Za-z_][A-Za-z0-9_]*)|\.?\["((?:[^"\\]|\\.)*)"\]|\.?\[(-?\d+)\]|\.?\[(-?\d*):(-?\d*)\]|\.?(\[\]))(\?*)/;

/** readSelector reads a selector; `.` is the whole. */
function readSelector(s: Item): Part[] {
  if (typeof s !== "string" || !s.startsWith(".")) throw bad("policy: selector");
  const out: Part[] = [];
  for (let rest = s === "." ? "" : s; rest !== ""; ) {
    const m = part.exec(rest);
    if (!m) throw bad("policy: selector");
    const [whole, word, quoted, at, from, to, all, soft] = m;
    const number = (x: string) => (x === "" ? undefined : Number(x));
    const key = word ?? (quoted === undefined ? undefined : unquote(quoted));
    let steps: Part["steps"] = { kind: "cut", from: number(from ?? ""), to: number(to ?? "") };
    if (key !== undefined) steps = { kind: "key", key };
    else if (at !== undefined) steps = { kind: "at", at: Number(at) };
    else if (all) steps = "all";
    out.push({ steps, soft: soft !== "" });
    rest = rest.slice(whole.length);
  }
  return out;
}

/** step goes one part further; undefined is what is not there. */
function step(v: Item, s: Part["steps"]): Item | undefined {
  if (s === "all") return Array.isArray(v) ? v : v instanceof Map ? [...v.values()] : undefined;
  if (s.kind === "key") return v instanceof Map ? v.get(s.key) : undefined;
  if (s.kind === "at") return Array.isArray(v) ? v.at(s.at) : undefined;
  return Array.isArray(v) || v instanceof Uint8Array ? v.slice(s.from, s.to) : undefined;
}

function select(v: Item, selector: Item): Item | undefined {
  for (const { steps, soft } of readSelector(selector)) {
    const next = step(v, steps);
    if (next === undefined && !soft) return undefined;
    v = next ?? null;
  }
  return v;
}

/** same compares values deeply; an integer and a float of one value are the same. */
function same(a: Item, b: Item): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equal(a, b);
  if (a instanceof Link) return b instanceof Link && a.cid === b.cid;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((x, i) => same(x, b[i]));
  if (a instanceof Map)
    return b instanceof Map && a.size === b.size && [...a].every(([k, x]) => b.has(k) && same(x, b.get(k)!));
  return a === b;
}

/** like matches a text with a pattern in which `*` is any text and `\\*` a star, in time linear in its stars. */
function like(v: string, pattern: string): boolean {
  const parts = [""];
  for (const [c] of pattern.matchAll(/\\\*|[^]/gu))
    if (c === "*") parts.push("");
    else parts[parts.length - 1] += c === "\\*" ? "*" : c;
  const [first, ...middle] = parts;
  const last = middle.pop();
  if (last === undefined) return v === first;
  if (!v.startsWith(first)) return false;
  let at = first.length;
  for (const m of middle) {
    const found = v.indexOf(m, at);
    if (found < 0) return false;
    at = found + m.length;
  }
  return v.length - at >= last.length && v.endsWith(last);
}

/** unquote reads what stands between the quotes of a selector. */
function unquote(s: string): string {
  try {
    return JSON.parse(`"${s}"`) as string;
  } catch {
    throw bad("policy: selector");
  }
}

const orders: Record<string, (a: number, b: number) => boolean> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

/** meets says whether a value satisfies one statement; what is no statement is refused. */
function meets(v: Item, statement: Item): boolean {
  if (!Array.isArray(statement)) throw bad("policy: statement");
  const [op, a, b] = statement;
  const size = op === "not" || op === "and" || op === "or" ? 2 : 3;
  if (typeof op !== "string" || statement.length !== size) throw bad("policy: statement");
  if (op === "not") return !meets(v, a);
  if (op === "and" || op === "or") {
    if (!Array.isArray(a)) throw bad("policy: statements");
    const found = a.map((s) => meets(v, s));
    return op === "and" ? found.every(Boolean) : found.length === 0 || found.some(Boolean);
  }
  const at = select(v, a);
  if (op === "all" || op === "any") {
    const items = at instanceof Map ? [...at.values()] : at;
    if (!Array.isArray(items)) return false;
    return op === "all" ? items.every((x) => meets(x, b)) : items.some((x) => meets(x, b));
  }
  if (op === "==" || op === "!=") return at === undefined ? false : same(at, b) === (op === "==");
  if (op === "like") {
    if (typeof b !== "string") throw bad("policy: pattern");
    return typeof at === "string" && like(at, b);
  }
  const order = orders[op];
  if (!order || typeof b !== "number") throw bad("policy: operator");
  return typeof at === "number" && order(at, b);
}

/** satisfied says whether arguments meet every statement of a policy. */
export const satisfied = (args: Item, policy: Item[]): boolean => policy.map((s) => meets(args, s)).every(Boolean);
