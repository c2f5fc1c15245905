// src/babylon/module.ts
import {
  Camera as Camera2,
  Color4 as Color42,
  ColorCurves,
  DefaultRenderingPipeline,
  Engine as Drawing,
  FreeCamera as FreeCamera2,
  ImageProcessingConfiguration,
  Quaternion as Quaternion3,
  Ray as Beam,
  Vector3 as Vector33,
  WebXRExperienceHelper,
  WebXRState
} from "@babylonjs/core";

// src/grades.ts
var kinds = /* @__PURE__ */ new Set(["bloom", "vignette", "chromatic_aberration", "film_grain", "color_grading"]);
function shown(list3) {
  return (list3 ?? []).filter((e) => kinds.has(e.kind));
}
function grades(list3) {
  const get = (kind, fallback, off, ...keys) => {
    const e = list3.find((x) => x.kind === kind);
    if (!e) return off;
    const p = e.params ?? {};
    for (const k of keys) if (typeof p[k] === "number" && Number.isFinite(p[k])) return p[k];
    return fallback;
  };
  return {
    bloom: get("bloom", 1, 0, "intensity", "strength"),
    threshold: get("bloom", 0.8, 0, "threshold"),
    vignette: get("vignette", 0.5, 0, "intensity", "darkness"),
    extent: get("vignette", 0.4, 0.4, "offset", "extent"),
    fringe: get("chromatic_aberration", 0.5, 0, "intensity", "offset"),
    grain: get("film_grain", 0.2, 0, "intensity"),
    brightness: 1 + get("color_grading", 0, 0, "brightness", "exposure"),
    contrast: get("color_grading", 1, 1, "contrast"),
    saturation: get("color_grading", 1, 1, "saturation")
  };
}

// src/run/limits.ts
var limits = {
  MaxTurn: 1e4,
  MaxLong: 1e5,
  MaxStep: 2e5,
  MaxInit: 5e7,
  MaxHosted: 1e4,
  MaxCalls: 128,
  MaxEvents: 1e4,
  MaxText: 1 << 20,
  MaxItems: 1e5,
  MaxStack: 4096,
  MaxAlloc: 8 << 20,
  MaxHeld: 64 << 20,
  MaxWaiting: 1e4,
  MaxSpawned: 1e4,
  MaxRows: 2e5,
  MaxTrace: 1e5,
  MaxDepth: 64,
  MaxDocument: 32 << 20,
  MaxFunctions: 1e5,
  MaxCode: 1 << 20,
  MaxTotalCode: 4 << 20,
  MaxConsts: 1 << 20,
  MaxEntries: 1e5,
  MaxLocals: 4096,
  MaxNesting: 64,
  ChargeElements: 64,
  ChargeBytes: 512,
  ChargeRows: 8
};

// src/run/value.ts
var List = class {
  constructor(items) {
    this.items = items;
  }
  items;
  turn = 0;
};
var Obj = class {
  constructor(map = /* @__PURE__ */ new Map()) {
    this.map = map;
  }
  map;
  turn = 0;
};
var NodeRef = class {
  constructor(id) {
    this.id = id;
  }
  id;
};
var StateOf = class {
  constructor(id) {
    this.id = id;
  }
  id;
};
var Closure = class {
  constructor(fn, boxes2) {
    this.fn = fn;
    this.boxes = boxes2;
  }
  fn;
  boxes;
};
var Box = class {
  constructor(v, turn2) {
    this.v = v;
    this.turn = turn2;
  }
  v;
  turn;
};
var Iter = class {
  constructor(items) {
    this.items = items;
  }
  items;
  at = 0;
};
function truthy(v) {
  if (v === null || v === false || v === "") return false;
  return typeof v !== "number" || v !== 0 && v === v;
}
function bytesOf(s) {
  let n = s.length;
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i);
    if (c < 128) continue;
    if (c < 2048) n += 1;
    else if (c >= 55296 && c < 56320 && i + 1 < s.length) {
      n += 2;
      i++;
    } else n += 2;
  }
  return n;
}
function runesOf(s) {
  let n = s.length;
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i);
    if (c >= 55296 && c < 56320) n--;
  }
  return n;
}
function wellFormed(s) {
  return s.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (m) => m.length === 2 ? m : "\uFFFD");
}
var Budget = class {
  constructor(left) {
    this.left = left;
  }
  left;
};
function equal(a, b, depth, left) {
  if (--left.left < 0 || depth < 0) return false;
  if (a instanceof List) {
    if (!(b instanceof List) || a.items.length !== b.items.length) return false;
    if (a === b) return true;
    for (let i = 0; i < a.items.length; i++) if (!equal(a.items[i], b.items[i], depth - 1, left)) return false;
    return true;
  }
  if (a instanceof Obj) {
    if (!(b instanceof Obj) || a.map.size !== b.map.size) return false;
    if (a === b) return true;
    for (const [k, v] of a.map) {
      const w = b.map.get(k);
      if (w === void 0 || !equal(v, w, depth - 1, left)) return false;
    }
    return true;
  }
  if (a instanceof NodeRef) return b instanceof NodeRef && a.id === b.id;
  if (a instanceof StateOf) return b instanceof StateOf && a.id === b.id;
  if (a instanceof Iter || a instanceof Box) return false;
  if (typeof a === "string" && typeof b === "string" && a.length * 3 >= limits.ChargeBytes) {
    const size = bytesOf(a);
    if (size === bytesOf(b)) left.left -= Math.floor(size / limits.ChargeBytes);
  }
  return a === b;
}
function sameValue(a, b) {
  return equal(a, b, limits.MaxDepth, new Budget(limits.MaxItems));
}
function asNumber(v) {
  if (typeof v === "number") return v;
  if (v === null || v === false) return 0;
  return v === true ? 1 : void 0;
}
function formatNumber(n) {
  return n === 0 ? "0" : String(n);
}
var brokenAt = "\u2026";
var Printer = class {
  parts = [];
  size = 0;
  put(s) {
    this.parts.push(s);
    this.size += bytesOf(s);
  }
  show(v, depth, left) {
    if (left <= 0 || depth < 0) return this.put(brokenAt);
    const was = this.size;
    if (v === null) this.put("null");
    else if (typeof v === "boolean") this.put(v ? "true" : "false");
    else if (typeof v === "number") this.put(formatNumber(v));
    else if (typeof v === "string") this.put(quote(v));
    else if (v instanceof NodeRef) this.put(v.id);
    else if (v instanceof StateOf) this.put(v.id + ".state");
    else if (v instanceof List) {
      this.put("[");
      for (let i = 0; i < v.items.length; i++) {
        if (i > 0) this.put(",");
        if (this.size - was > left) {
          this.put(brokenAt);
          break;
        }
        this.show(v.items[i], depth - 1, left - (this.size - was));
      }
      this.put("]");
    } else if (v instanceof Obj) {
      this.put("{");
      let i = 0;
      for (const [k, e] of v.map) {
        if (i++ > 0) this.put(",");
        if (this.size - was > left) {
          this.put(brokenAt);
          break;
        }
        this.put(quote(k));
        this.put(":");
        this.show(e, depth - 1, left - (this.size - was));
      }
      this.put("}");
    } else if (v instanceof Closure) this.put("function");
    else this.put("null");
  }
};
function textOf(v) {
  if (typeof v === "string") return v;
  const p = new Printer();
  p.show(v, limits.MaxDepth, limits.MaxText);
  return p.parts.join("");
}
function showOf(v) {
  return typeof v === "string" ? quote(v) : textOf(v);
}
function quote(s) {
  let out = '"';
  for (const r of s) {
    const c = r.codePointAt(0);
    if (r === '"' || r === "\\") out += "\\" + r;
    else if (r === "\n") out += "\\n";
    else if (r === "	") out += "\\t";
    else if (c < 32 || c === 127) out += "\\u00" + (c >> 4).toString(16) + (c & 15).toString(16);
    else out += r;
  }
  return out + '"';
}
function typeName(v) {
  if (v === null) return "null";
  if (typeof v === "boolean" || typeof v === "number" || typeof v === "string") return typeof v;
  if (v instanceof List) return "list";
  if (v instanceof Closure) return "function";
  return v instanceof NodeRef ? "node" : "object";
}
function clip(s) {
  if (s.length <= 200 || runesOf(s) <= 200) return s;
  return [...s].slice(0, 200).join("") + "\u2026";
}
var maxNoted = 4096;
function short(s) {
  if (s.length <= maxNoted && bytesOf(s) <= maxNoted) return s;
  let size = 0, out = "";
  for (const r of s) {
    size += bytesOf(r);
    if (size > maxNoted) break;
    out += r;
  }
  return out + "\u2026";
}
function copyValue(v, depth) {
  if (depth < 0) return null;
  if (v instanceof List) return new List(v.items.map((e) => copyValue(e, depth - 1)));
  if (v instanceof Obj) return new Obj(new Map([...v.map].map(([k, e]) => [k, copyValue(e, depth - 1)])));
  return v;
}
function compareText(a, b) {
  if (a === b) return 0;
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    let x = a.charCodeAt(i), y = b.charCodeAt(i);
    if (x === y) continue;
    if (x >= 55296 && x < 57344) x += 65536;
    if (y >= 55296 && y < 57344) y += 65536;
    return x < y ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

// src/run/json.ts
var word = /[^\s,\]}:]+/y;
function parse(s) {
  if (s.length > limits.MaxText || bytesOf(s) > limits.MaxText) return void 0;
  try {
    JSON.parse(s);
  } catch {
    return void 0;
  }
  let at2 = 0;
  const skip = () => {
    while (at2 < s.length && " 	\n\r".includes(s[at2])) at2++;
  };
  const text3 = () => {
    let end = at2 + 1;
    while (s[end] !== '"') end += s[end] === "\\" ? 2 : 1;
    const raw = s.slice(at2, end + 1);
    at2 = end + 1;
    return wellFormed(JSON.parse(raw));
  };
  const value = (depth) => {
    skip();
    const c = s[at2];
    if (c === '"') return text3();
    if (c !== "[" && c !== "{") {
      word.lastIndex = at2;
      const w = word.exec(s)[0];
      at2 += w.length;
      const v = JSON.parse(w);
      if (typeof v === "number" && !Number.isFinite(v)) throw new RangeError("number");
      return v;
    }
    if (depth === 0) throw new RangeError("depth");
    at2++;
    const items = [], map = /* @__PURE__ */ new Map();
    for (skip(); s[at2] !== "]" && s[at2] !== "}"; skip()) {
      if (s[at2] === ",") at2++;
      if (c === "[") items.push(value(depth - 1));
      else {
        skip();
        const k = text3();
        skip();
        at2++;
        map.set(k, value(depth - 1));
      }
      if (items.length > limits.MaxItems || map.size > limits.MaxItems) throw new RangeError("size");
    }
    at2++;
    return c === "[" ? new List(items) : new Obj(map);
  };
  try {
    return value(limits.MaxDepth);
  } catch {
    return void 0;
  }
}
function fromPlain(v, depth = limits.MaxDepth) {
  if (depth < 0) return null;
  if (typeof v === "string") return wellFormed(v).slice(0, limits.MaxText / 4);
  if (typeof v === "number" || typeof v === "boolean") return v;
  if (Array.isArray(v)) return new List(v.slice(0, limits.MaxItems).map((e) => fromPlain(e, depth - 1)));
  if (typeof v === "object" && v !== null) return new Obj(new Map(Object.entries(v).slice(0, limits.MaxItems).map(([k, e]) => [wellFormed(k), fromPlain(e, depth - 1)])));
  return null;
}
function toPlain(v, depth = limits.MaxDepth) {
  if (depth < 0) return null;
  if (v === null || typeof v !== "object") return v;
  if (v instanceof List) return v.items.map((e) => toPlain(e, depth - 1));
  if (v instanceof Obj) {
    const out = /* @__PURE__ */ Object.create(null);
    for (const [k, e] of v.map) out[k] = toPlain(e, depth - 1);
    return out;
  }
  return v instanceof NodeRef || v instanceof StateOf ? v.id : null;
}

// src/run/fault.ts
var Fault = class {
  constructor(code, message) {
    this.code = code;
    this.message = message;
  }
  code;
  message;
  function = "";
  line = 0;
  column = 0;
  thrown = null;
  // value is what a catch sees.
  value() {
    if (this.code === "RUN006" && typeof this.thrown !== "string") return this.thrown;
    return new Obj(/* @__PURE__ */ new Map([["message", this.message], ["code", this.code]]));
  }
};
var tooLong = (text3) => new Fault("RUN001", text3);
var tooDeep = (text3) => new Fault("RUN002", text3);
var tooMany = (text3) => new Fault("RUN003", text3);
var wrongKind = (text3) => new Fault("RUN004", text3);
var tooLarge = (text3) => new Fault("RUN007", text3);

// src/run/program.ts
var programVersion = "program/1";
var table = `const c 0 1|pop - 1 0|dup - 1 2|load l 0 1|store l 1 0|cell l 0 1|self - 0 1|node t 0 1|get s 0 1|set s 1 0|comp x 0 1|mem t 1 1|putmem t 2 0|idx - 2 1|putidx - 3 0|arr n 0 1 m|obj n 0 1 d|concat - 2 1|merge - 2 1|tpl n 0 1 m|add - 2 1|sub - 2 1|mul - 2 1|div - 2 1|mod - 2 1|pow - 2 1|neg - 1 1|and - 2 1|or - 2 1|xor - 2 1|shl - 2 1|shr - 2 1|compl - 1 1|not - 1 1|eq - 2 1|ne - 2 1|lt - 2 1|le - 2 1|gt - 2 1|ge - 2 1|in - 2 1|range - 2 1|jmp j 0 0|jz j 1 0|jnz j 1 0|jnull j 1 1|call fn 0 1 m|host hn 0 1 m|method tn 1 1 m|fn fn 0 1 m|callv n 1 1 m|ret - 1 0|throw - 1 0|try j 0 0|endtry - 0 0|emit n 0 0 m|await - 1 1|spawn t 2 1|iter - 1 1|next j 1 2|calls - 2 1|methods t 2 1|hosts h 1 1`;
var shapes = table.split("|").map((row2) => {
  const [, args, pop, add2, kind] = row2.split(" ");
  return { args: args === "-" ? "" : args, pop: +pop, add: +add2, many: kind !== void 0, double: kind === "d" };
});
var width = shapes.map((s) => s.args.length);
var treeTypes = [
  "sequence",
  "selector",
  "parallel",
  "random_selector",
  "inverter",
  "repeater",
  "retry",
  "cooldown",
  "guard",
  "timeout",
  "succeeder",
  "until_fail",
  "condition",
  "action",
  "wait"
];
function refuse(text3) {
  throw new Error(`program refused: ${text3}`);
}
function need(ok, text3) {
  if (!ok) refuse(text3);
}
var forms = {
  program: {
    v: "text",
    seed: "list",
    rates: "object",
    consts: "list",
    host: "list",
    state: "list",
    functions: "list",
    computed: "list",
    watches: "list",
    binds: "list",
    handlers: "list",
    subscriptions: "list",
    wires: "list",
    schedules: "list",
    timelines: "list",
    machines: "list",
    trees: "list",
    templates: "list"
  },
  rates: { spatial: "whole", cognitive: "whole" },
  state: { owner: "text", key: "text", init: "any", persist: "flag" },
  functions: { name: "text", owner: "text", params: "whole", rest: "flag", locals: "whole", code: "list", lines: "list" },
  computed: { owner: "text", key: "text", fn: "whole" },
  watches: { state: "whole", fn: "whole" },
  binds: { node: "text", property: "text", fn: "whole" },
  handlers: { node: "text", event: "text", fn: "whole" },
  subscriptions: { from: "text", event: "text", owner: "text", fn: "whole" },
  wires: { from: "text", event: "text", set: "whole", fn: "whole", args: "list" },
  schedules: { fn: "whole", after: "number", every: "number", forever: "flag" },
  timelines: { id: "text", loop: "flag", autoplay: "flag", steps: "list" },
  machines: { node: "text", initial: "whole", states: "list" },
  states: { name: "text", parent: "whole", entry: "whole", exit: "whole", after: "list", on: "list" },
  on: { event: "text", to: "whole", guard: "whole", action: "whole" },
  trees: { node: "text", rate: "number", restart: "flag", root: "object" },
  templates: { name: "text", nodes: "list" },
  tree: { type: "text", params: "object", fn: "whole", children: "list" },
  params: { times: "whole", duration: "number", policy: "text" }
};
var empty = { text: "", whole: 0, number: 0, flag: false, list: void 0, object: void 0, any: { fn: 0 } };
var optional = /* @__PURE__ */ new Set(["persist", "rest", "set", "args", "after", "times", "duration", "policy"]);
function shaped(v, form) {
  need(typeof v === "object" && v !== null && !Array.isArray(v), `${form} is no object`);
  const out = v;
  const keys = forms[form];
  for (const k of Object.keys(out)) need(Object.hasOwn(keys, k), `${form} has the key ${JSON.stringify(k).slice(0, 40)}`);
  for (const [k, kind] of Object.entries(keys)) {
    let x = out[k];
    if (x === void 0 || x === null && kind !== "any") {
      if (optional.has(k)) {
        delete out[k];
        continue;
      }
      x = out[k] = kind === "list" ? [] : kind === "object" ? {} : empty[kind];
    }
    const ok = kind === "text" ? typeof x === "string" : kind === "flag" ? typeof x === "boolean" : kind === "list" ? Array.isArray(x) : kind === "whole" ? Number.isSafeInteger(x) : kind === "number" ? typeof x === "number" && Number.isFinite(x) : true;
    need(ok, `${form}.${k} is of the wrong kind`);
  }
  return out;
}
function list(v, form) {
  for (const x of v) shaped(x, form);
}
function whole(v, n) {
  return Array.isArray(v) && (n === void 0 || v.length === n) && v.every((x) => Number.isSafeInteger(x));
}
function load(from) {
  if (typeof from === "string" && from.length > limits.MaxDocument) refuse("it is too large");
  const doc = typeof from === "string" ? JSON.parse(from) : from;
  const v = typeof doc === "object" && doc !== null ? doc.v : void 0;
  need(v === programVersion, `it is ${JSON.stringify(v)?.slice(0, 40)}; this reader knows ${programVersion}`);
  const p = shaped(doc, "program");
  shaped(p.rates, "rates");
  need(whole(p.seed) && p.seed.length <= 4 && p.seed.every((n) => n >= 0 && n < 2 ** 32), "the seed is no four numbers");
  while (p.seed.length < 4) p.seed.push(0);
  for (const k of ["state", "functions", "computed", "watches", "binds", "handlers", "subscriptions", "wires", "schedules", "timelines", "machines", "trees", "templates"]) {
    need(p[k].length <= limits.MaxEntries, `more than ${limits.MaxEntries} ${k}`);
    list(p[k], k);
  }
  need(p.host.length <= limits.MaxEntries && p.host.every((h) => typeof h === "string"), "host operations are texts");
  for (const f of p.functions) {
    need(whole(f.code) && f.lines.every((l) => whole(l) && l.length <= 3), "code is whole numbers");
    for (const l of f.lines) while (l.length < 3) l.push(0);
  }
  for (const m of p.machines) {
    list(m.states, "states");
    for (const s of m.states) list(s.on, "on");
  }
  verify(p);
  return p;
}
function verify(p) {
  const r = p.rates;
  need(r.spatial >= 60 && r.spatial <= 90 && r.cognitive >= 2 && r.cognitive <= 10, "rates out of range");
  need(p.consts.length <= limits.MaxConsts && p.functions.length <= limits.MaxFunctions, "too many constants or functions");
  for (const c of p.consts) {
    const ok = c === null || typeof c === "boolean" || typeof c === "number" && Number.isFinite(c) || typeof c === "string" && c.length <= limits.MaxText;
    need(ok, "a constant is neither null, boolean, number nor text");
  }
  let total = 0;
  const captured = new Array(p.functions.length).fill(0);
  p.functions.forEach((f, i) => {
    total += f.code.length;
    need(total <= limits.MaxTotalCode && f.code.length <= limits.MaxCode, "too much code");
    verifyFunction(p, f, captured, i);
  });
  p.functions.forEach((f, i) => need(f.params + captured[i] <= f.locals, `function ${i} has no room for its boxes`));
  verifyTables(p);
}
function verifyTables(p) {
  const fn = (i, none2 = false) => need(Number.isSafeInteger(i) && (none2 && i === -1 || i >= 0 && i < p.functions.length), `there is no function ${String(i)}`);
  const seconds = (t) => t >= 0 && t <= 1e9;
  const within2 = (i, n) => i >= 0 && i < n;
  for (const s of p.state) {
    if (typeof s.init === "number") need(Number.isSafeInteger(s.init) && within2(s.init, p.consts.length), "state without a first value");
    else {
      const init = s.init;
      need(typeof init === "object" && init !== null && Object.keys(init).length === 1, "state without a first value");
      fn(init.fn);
    }
  }
  for (const k of ["computed", "watches", "binds", "handlers", "subscriptions", "wires", "schedules"]) for (const x of p[k]) fn(x.fn);
  for (const w of p.watches) need(within2(w.state, p.state.length), "a watch on no state");
  for (const w of p.wires) {
    need(w.set === void 0 || within2(w.set, p.state.length), "a wire sets no state");
    need((w.args ?? []).length <= limits.MaxStack / 2, "a wire passes too much");
    for (const a of w.args ?? []) need(Number.isSafeInteger(a) && within2(a, p.consts.length), "a wire passes no constant");
  }
  for (const s of p.schedules) need(seconds(s.after) && seconds(s.every), "a schedule has a wrong time");
  for (const t of p.timelines) {
    need(t.steps.length <= limits.MaxEntries, "a timeline is too long");
    t.steps.forEach((s, j) => {
      need(Array.isArray(s) && s.length === 2 && typeof s[0] === "number" && seconds(s[0]) && (j === 0 || s[0] >= t.steps[j - 1][0]), "a timeline has a wrong step");
      fn(s[1]);
    });
  }
  for (const m of p.machines) verifyMachine(p, m, fn, seconds);
  for (const t of p.trees) {
    need(t.rate > 0 && t.rate <= 60, "a tree has a wrong rate");
    const left = { n: limits.MaxEvents };
    verifyTree(t.root, 0, left, fn);
  }
  verifyTemplates(p);
}
function verifyTemplates(p) {
  const names2 = /* @__PURE__ */ new Set(), nodes = /* @__PURE__ */ new Set();
  for (const t of p.templates) {
    need(t.name !== "" && !names2.has(t.name), "a template has no name of its own");
    names2.add(t.name);
    need(t.nodes.length > 0 && nodes.size + t.nodes.length <= limits.MaxEntries, "a template has no nodes, or too many");
    for (const id of t.nodes) {
      need(typeof id === "string" && id !== "" && id !== "scene" && id !== "*" && !nodes.has(id), "a template has a node that is none of its own");
      nodes.add(id);
    }
  }
}
function verifyMachine(_, m, fn, seconds) {
  const n = m.states.length;
  need(m.initial >= 0 && m.initial < n && n <= limits.MaxEntries, "a machine without its initial state");
  m.states.forEach((s, i) => {
    need(s.parent >= -1 && s.parent < i, "a state lies in no state");
    const after = s.after ?? [];
    const [t, to] = after;
    need(after.length === 0 || after.length === 2 && typeof t === "number" && seconds(t) && Number.isSafeInteger(to) && to >= -1 && to < n, "a state has a wrong time-out");
    fn(s.entry, true);
    fn(s.exit, true);
    for (const t2 of s.on) {
      need(t2.to >= 0 && t2.to < n, "a transition leads to no state");
      fn(t2.guard, true);
      fn(t2.action, true);
    }
  });
}
function verifyTree(raw, depth, left, fn) {
  need(--left.n >= 0 && depth <= limits.MaxNesting, "a tree is too large or too deep");
  const n = shaped(raw, "tree");
  shaped(n.params, "params");
  const kind = treeTypes.indexOf(n.type), many = n.children.length;
  need(kind >= 0, "a tree has a node of no kind");
  need(kind < 4 ? many > 0 : kind < 12 ? many === 1 : many === 0, "a tree node has a wrong number of children");
  const { duration: duration2 = 0, times = 0, policy = "" } = n.params;
  need(duration2 >= 0 && duration2 <= 1e9 && times >= 0 && ["", "all", "any"].includes(policy), "a tree node has wrong settings");
  fn(n.fn, !["guard", "condition", "action"].includes(n.type));
  for (const c of n.children) verifyTree(c, depth + 1, left, fn);
}
function verifyFunction(p, f, captured, index2) {
  const code = f.code;
  const bad = (text3) => refuse(`function ${index2}: ${text3}`);
  if (f.params < 0 || f.locals < f.params || f.locals > limits.MaxLocals || code.length === 0 || f.rest && f.params === 0) bad("wrong counts");
  f.lines.forEach((l, i) => {
    if (l[0] < 0 || l[0] >= code.length || i > 0 && l[0] < f.lines[i - 1][0]) bad("lines out of order");
  });
  const most2 = {
    c: p.consts.length,
    t: p.consts.length,
    l: f.locals,
    s: p.state.length,
    x: p.computed.length,
    j: code.length,
    f: p.functions.length,
    h: p.host.length,
    n: limits.MaxStack
  };
  const starts = new Uint8Array(code.length);
  for (let pc = 0; pc < code.length; ) {
    const s = shapes[code[pc]] ?? bad(`no instruction ${code[pc]} at ${pc}`);
    starts[pc] = 1;
    if (pc + s.args.length >= code.length) bad("code ends within an instruction");
    for (let i = 0; i < s.args.length; i++) {
      const a = s.args[i], v = code[pc + 1 + i];
      if (v < 0 || v >= most2[a]) bad(`operand ${v} out of range at ${pc}`);
      if (a === "t" && typeof p.consts[v] !== "string") bad(`constant ${v} is no text`);
    }
    pc += 1 + s.args.length;
  }
  const heights = new Int32Array(code.length).fill(-1), tries = new Int32Array(code.length);
  const work = [];
  const reach = (pc, h, t) => {
    if (pc < 0 || pc >= code.length || !starts[pc]) bad(`a way leads to ${pc}, where no instruction begins`);
    if (h > limits.MaxStack || t > limits.MaxCalls) bad(`stack too high at ${pc}`);
    if (heights[pc] < 0) {
      heights[pc] = h;
      tries[pc] = t;
      work.push(pc);
    } else if (heights[pc] !== h || tries[pc] !== t) bad(`ways with unlike stacks meet at ${pc}`);
  };
  reach(0, 0, 0);
  while (work.length > 0) {
    const pc = work.pop(), op = code[pc], s = shapes[op];
    const next = pc + 1 + s.args.length;
    const pop = s.pop + (s.many ? code[next - 1] * (s.double ? 2 : 1) : 0);
    if (heights[pc] < pop) bad(`stack too low at ${pc}`);
    const h = heights[pc] - pop + s.add;
    let t = tries[pc];
    switch (op) {
      case 49 /* Fn */:
        captured[code[pc + 1]] = Math.max(captured[code[pc + 1]], code[pc + 2]);
        break;
      case 55 /* Emit */:
        if (code[pc + 1] !== 1 && code[pc + 1] !== 2) bad("emit of a wrong number of values");
        break;
      case 42 /* Jmp */:
        reach(code[pc + 1], h, t);
        continue;
      case 43 /* Jz */:
      case 44 /* Jnz */:
      case 45 /* Jnull */:
        reach(code[pc + 1], h, t);
        break;
      case 59 /* Next */:
        reach(code[pc + 1], h - 2, t);
        break;
      case 53 /* Try */:
        reach(code[pc + 1], h + 1, t);
        t++;
        break;
      case 54 /* EndTry */:
        if (--t < 0) bad(`endtry without try at ${pc}`);
        break;
      case 51 /* Ret */:
      case 52 /* Throw */:
        continue;
    }
    reach(next, h, t);
  }
}

// src/run/operators.ts
function arithmetic(op, x, y) {
  const a = asNumber(x), b = asNumber(y);
  if (a === void 0) throw wrongKind(`arithmetic needs numbers, not ${typeName(x)}`);
  if (b === void 0) throw wrongKind(`arithmetic needs numbers, not ${typeName(y)}`);
  switch (op) {
    case 20 /* Add */:
      return a + b;
    case 21 /* Sub */:
      return a - b;
    case 22 /* Mul */:
      return a * b;
    case 23 /* Div */:
      return a / b;
    case 24 /* Mod */:
      return a % b;
  }
  return Math.pow(a, b);
}
function bits(op, x, y) {
  const a = asNumber(x), b = asNumber(y);
  if (a === void 0 || b === void 0) throw wrongKind("operators on bits need numbers");
  switch (op) {
    case 27 /* And */:
      return a & b;
    case 28 /* Or */:
      return a | b;
    case 29 /* Xor */:
      return a ^ b;
    case 30 /* Shl */:
      return a << b;
  }
  return a >> b;
}
function order(m, op, x, y) {
  let c;
  if (typeof x === "string" && typeof y === "string") {
    m.chargeText(x.length < y.length ? x : y);
    c = compareText(x, y);
  } else {
    const a = asNumber(x), b = asNumber(y);
    if (a === void 0 || b === void 0) throw wrongKind(`${typeName(x)} and ${typeName(y)} have no order`);
    if (a !== a || b !== b) return false;
    c = a < b ? -1 : a > b ? 1 : 0;
  }
  return op === 36 /* Lt */ ? c < 0 : op === 37 /* Le */ ? c <= 0 : op === 38 /* Gt */ ? c > 0 : c >= 0;
}
function within(m, x, y) {
  if (y instanceof List) return m.find(y.items, x) >= 0;
  if (y instanceof Obj) return y.map.has(m.printed(x));
  if (typeof y === "string") {
    m.chargeText(y);
    return y.includes(m.printed(x));
  }
  throw wrongKind(`nothing can be in ${typeName(y)}`);
}
function rangeOf(m, x, y) {
  if (typeof x !== "number" || typeof y !== "number" || x !== x || y !== y) throw wrongKind("a range needs numbers");
  if (y - x > limits.MaxItems) throw tooLarge(`range of ${formatNumber(y - x)} elements`);
  const items = [];
  for (let v = x; v < y && items.length <= limits.MaxItems; v++) items.push(v);
  return m.list(items);
}
function merge(m, x, y) {
  if (y === null && x instanceof Obj) return x;
  if (!(x instanceof Obj) || !(y instanceof Obj)) throw wrongKind(`only an object can be spread into an object, not ${typeName(y)}`);
  if (x.map.size + y.map.size > limits.MaxItems) throw tooLarge(`object of ${x.map.size + y.map.size} fields`);
  const out = new Obj(new Map(x.map));
  for (const [k, v] of y.map) out.map.set(k, v);
  m.alloc(out.map.size + 1);
  return out;
}
function iterate(m, v) {
  let items = [];
  if (v instanceof List) items = v.items.slice();
  else if (v instanceof Obj) items = [...v.map.keys()];
  else if (typeof v === "string") {
    if (runesOf(v) > limits.MaxItems) throw tooLarge("too many characters to walk over");
    items = [...v];
  } else if (v !== null) throw wrongKind(`cannot walk over ${typeName(v)}`);
  m.alloc(items.length + 1);
  return new Iter(items);
}
function position(v, n) {
  return typeof v === "number" && Number.isInteger(v) && v >= 0 && v < n ? v : -1;
}
function index(m, x, i) {
  if (x instanceof List) {
    const at2 = position(i, x.items.length);
    return at2 >= 0 ? x.items[at2] : null;
  }
  if (typeof x === "string") {
    const rs = [...x];
    m.alloc(rs.length);
    const at2 = position(i, rs.length);
    return at2 >= 0 ? rs[at2] : null;
  }
  if (x === null) throw wrongKind(`null has no element ${clip(m.printed(i))}`);
  return member(m, x, m.printed(i));
}
function putIndex(m, x, i, v) {
  if (!(x instanceof List)) return putMember(m, x, m.printed(i), v);
  if (typeof i === "number" && i === x.items.length && i < limits.MaxItems) {
    m.touch(x);
    x.items.push(v);
    return m.alloc(1);
  }
  const at2 = position(i, x.items.length);
  if (at2 < 0) throw wrongKind(`a list of ${x.items.length} elements has no place ${clip(m.printed(i))}`);
  m.touch(x);
  x.items[at2] = v;
}
function axis(l, name3) {
  const i = name3.length === 1 ? "xyzw".indexOf(name3) : -1;
  return l.items.length <= 4 && i < l.items.length ? i : -1;
}
function member(m, x, name3) {
  if (x instanceof Obj) return x.map.get(name3) ?? null;
  if (x instanceof List) {
    if (name3 === "length" || name3 === "count") return x.items.length;
    const i = axis(x, name3);
    return i >= 0 ? x.items[i] : null;
  }
  if (typeof x === "string") return name3 === "length" ? runesOf(x) : null;
  if (x instanceof NodeRef) return m.nodeMember(x.id, name3);
  if (x instanceof StateOf) return m.stateMember(x.id, name3);
  if (x === null) throw wrongKind(`null has no member '${clip(name3)}'`);
  return null;
}
function putMember(m, x, name3, v) {
  if (x instanceof Obj) {
    if (!x.map.has(name3) && x.map.size >= limits.MaxItems) throw tooLarge(`object of ${x.map.size} fields`);
    m.touch(x);
    x.map.set(name3, v);
    return m.alloc(1);
  }
  if (x instanceof List) {
    const i = axis(x, name3);
    if (i >= 0) {
      m.touch(x);
      x.items[i] = v;
      return;
    }
  }
  if (x instanceof NodeRef) return m.putNode(x.id, name3, v);
  if (x instanceof StateOf) return m.putState(x.id, name3, v);
  throw wrongKind(`${typeName(x)} cannot take a member '${clip(name3)}'`);
}
function callable(v) {
  if (v instanceof Closure) return v;
  throw wrongKind(`${typeName(v)} is not a function`);
}

// src/run/methods.ts
var first = (a) => a[0] ?? null;
var at = (a, i) => a[i] ?? null;
var light = /* @__PURE__ */ new Set(["push", "append", "add", "pop", "at", "first", "last", "length", "count", "set", "clear"]);
function method(m, x, name3, a) {
  if (x instanceof List) {
    if (!light.has(name3)) m.charge(Math.floor(x.items.length / limits.ChargeElements));
    return listMethod(m, x, name3, a);
  }
  if (typeof x === "string") {
    m.chargeText(x);
    return textMethod(m, x, name3, a);
  }
  if (x instanceof Obj) {
    const c = x.map.get(name3);
    if (c instanceof Closure) return m.invoke(c, a);
    return objectMethod(m, x, name3, a);
  }
  if (typeof x === "number") {
    if (name3 === "toFixed" || name3 === "to_fixed") return fixed(x, m.numbers(a, 1)[0]);
    if (name3 === "toString" || name3 === "to_string") return formatNumber(x);
  }
  if (x instanceof NodeRef) return nodeMethod(m, x, name3, a);
  if (x instanceof StateOf) return m.invoke(m.stateMember(x.id, name3), a);
  if (x === null) throw wrongKind(`null has no method '${clip(name3)}'`);
  throw wrongKind(`${typeName(x)} has no method '${clip(name3)}'`);
}
function fixed(x, digits) {
  const d = Math.trunc(Math.max(0, Math.min(20, digits === digits ? digits : 0)));
  if (x !== x || Math.abs(x) >= 1e21) return formatNumber(x);
  return (x === 0 ? 0 : x).toFixed(d);
}
function bound(v, n, otherwise) {
  if (typeof v !== "number" || v !== v) return otherwise;
  return Math.max(0, Math.min(n, Math.trunc(v < 0 ? v + n : v)));
}
function listMethod(m, l, name3, a) {
  const items = l.items;
  const out = [];
  const each = (f) => {
    const copy = items.slice();
    for (let i = 0; i < copy.length; i++) if (!f(i, copy[i], m.invoke(first(a), [copy[i], i]))) break;
    m.alloc(items.length);
  };
  const flat2 = (v) => {
    if (v instanceof List) for (const e of v.items) out.push(e);
    else out.push(v);
    return out.length <= limits.MaxItems;
  };
  switch (name3) {
    case "push":
    case "append":
    case "add":
    case "unshift":
    case "pop":
    case "shift":
    case "splice":
    case "sort":
    case "reverse":
    case "remove":
    case "delete":
    case "set":
    case "clear":
      return changeList(m, l, name3, a);
    case "map":
      each((_i, _v, r) => {
        out.push(r);
        return true;
      });
      return m.list(out);
    case "flatMap":
    case "flat_map":
      each((_i, _v, r) => flat2(r));
      return m.list(out);
    case "filter":
      each((_i, v, r) => {
        if (truthy(r)) out.push(v);
        return true;
      });
      return m.list(out);
    case "forEach":
    case "each":
    case "for_each":
      each(() => true);
      return null;
    case "find":
    case "findIndex":
    case "find_index":
    case "some":
    case "every": {
      let found = null, where = -1;
      const want = name3 !== "every";
      each((i, v, r) => {
        if (truthy(r) !== want) return true;
        found = v;
        where = i;
        return false;
      });
      return name3 === "find" ? found : name3 === "some" ? where >= 0 : name3 === "every" ? where < 0 : where;
    }
    case "reduce": {
      let acc = at(a, 1), from = 0;
      if (a.length < 2) {
        if (items.length === 0) throw wrongKind("nothing to reduce");
        acc = items[0];
        from = 1;
      }
      const copy = items.slice();
      for (let i = from; i < copy.length; i++) acc = m.invoke(first(a), [acc, copy[i], i]);
      return acc;
    }
    case "indexOf":
    case "index_of":
      return m.find(items, first(a));
    case "includes":
    case "contains":
    case "has":
      return m.find(items, first(a)) >= 0;
    case "join": {
      const sep = a.length > 0 ? m.printed(a[0]) : ",";
      const gap = bytesOf(sep);
      let text3 = "", size = 0;
      for (let i = 0; i < items.length; i++) {
        if (i > 0) {
          text3 += sep;
          size += gap;
        }
        const t = m.printed(items[i]);
        text3 += t;
        size += bytesOf(t);
        if (size > limits.MaxText) break;
      }
      return m.text(text3);
    }
    case "slice": {
      const from = bound(at(a, 0), items.length, 0);
      return m.list(items.slice(from, Math.max(from, bound(at(a, 1), items.length, items.length))));
    }
    case "concat":
      for (const v of items) out.push(v);
      for (const v of a) if (!flat2(v)) break;
      return m.list(out);
    case "at": {
      const i = first(a);
      return index(m, l, typeof i !== "number" ? 0 : i < 0 ? i + items.length : i);
    }
    case "first":
      return items[0] ?? null;
    case "last":
      return items[items.length - 1] ?? null;
    case "length":
    case "count":
      return items.length;
    case "flat":
      for (const v of items) if (!flat2(v)) break;
      return m.list(out);
    case "keys":
      return m.list(items.map((_, i) => i));
    case "values":
      return m.list(items.slice());
    case "toString":
    case "to_string":
      return m.text(m.printed(l));
  }
  throw wrongKind(`a list has no method '${clip(name3)}'`);
}
function room(n) {
  if (n > limits.MaxItems) throw tooLarge(`list of ${n} elements`);
}
function changeList(m, l, name3, a) {
  m.touch(l);
  const n = l.items.length;
  switch (name3) {
    case "push":
    case "append":
    case "add":
      room(n + a.length);
      l.items.push(...a);
      m.alloc(a.length);
      return l.items.length;
    case "unshift":
      room(n + a.length);
      l.items = [...a, ...l.items];
      m.alloc(l.items.length);
      return l.items.length;
    case "pop":
      return l.items.pop() ?? null;
    case "shift":
      return l.items.shift() ?? null;
    case "splice": {
      const from = bound(at(a, 0), n, 0);
      const c = at(a, 1);
      const count2 = typeof c === "number" ? Math.trunc(Math.max(0, Math.min(n - from, c === c ? c : 0))) : n - from;
      const added = a.slice(2);
      const cut2 = l.items.slice(from, from + count2);
      room(n - count2 + added.length);
      l.items = [...l.items.slice(0, from), ...added, ...l.items.slice(from + count2)];
      return m.list(cut2);
    }
    case "sort":
      return sort(m, l, first(a));
    case "reverse":
      l.items = l.items.slice().reverse();
      return l;
    case "remove":
    case "delete": {
      const i = m.find(l.items, first(a));
      if (i >= 0) l.items = [...l.items.slice(0, i), ...l.items.slice(i + 1)];
      return i >= 0;
    }
    case "set":
      putIndex(m, l, first(a), at(a, 1));
      return null;
  }
  l.items = [];
  return null;
}
function sort(m, l, by) {
  const after = (x, y) => {
    m.charge(1);
    m.checkBudget();
    if (by !== null) return (asNumber(m.invoke(by, [x, y])) ?? 0) > 0;
    if (typeof x === "number" && typeof y === "number") return x > y;
    if (typeof x === "number") return false;
    if (typeof y === "number") return true;
    return compareText(m.printed(x), m.printed(y)) > 0;
  };
  let from = l.items.slice(), to = new Array(from.length);
  for (let width2 = 1; width2 < from.length; width2 *= 2) {
    for (let lo = 0; lo < from.length; lo += 2 * width2) {
      const mid = Math.min(lo + width2, from.length), hi = Math.min(lo + 2 * width2, from.length);
      for (let i = lo, j = mid, k = lo; k < hi; k++) {
        if (i < mid && (j >= hi || !after(from[i], from[j]))) to[k] = from[i++];
        else to[k] = from[j++];
      }
    }
    [from, to] = [to, from];
  }
  l.items = from;
  return l;
}
function objectMethod(m, o, name3, a) {
  switch (name3) {
    case "keys":
      return m.list([...o.map.keys()]);
    case "values":
      return m.list([...o.map.values()]);
    case "entries":
      return m.list([...o.map].map((e) => new List(e)));
    case "has":
    case "contains":
    case "hasOwnProperty":
      return o.map.has(m.printed(first(a)));
    case "get":
      return o.map.get(m.printed(first(a))) ?? null;
    case "set":
      putMember(m, o, m.printed(first(a)), at(a, 1));
      return null;
    case "delete":
    case "remove": {
      const k = m.printed(first(a));
      m.charge(Math.floor(o.map.size / limits.ChargeElements));
      m.touch(o);
      return o.map.delete(k);
    }
    case "clear":
      m.touch(o);
      o.map = /* @__PURE__ */ new Map();
      return null;
    case "toString":
    case "to_string":
      return m.text(m.printed(o));
    case "stop":
      m.stop = true;
      return null;
  }
  throw wrongKind(`an object has no method '${clip(name3)}'`);
}
function nodeMethod(m, n, name3, a) {
  const fn = m.functionOf(n.id, name3);
  if (fn >= 0) return m.call(m.functions[fn], a, []);
  switch (name3) {
    case "emit":
      m.emit(n.id, m.printed(first(a)), at(a, 1));
      return null;
    case "show":
    case "hide":
      m.setProperty(n.id, "visible", name3 === "show");
      return null;
    case "set_text":
      m.setProperty(n.id, "text", first(a));
      return null;
  }
  const v = m.nodeMember(n.id, name3);
  if (v instanceof Closure) return m.invoke(v, a);
  return m.hostCall("", n.id, name3, a);
}
function cased(s, up) {
  let out = "";
  for (const r of s) {
    const c = up ? r.toUpperCase() : r.toLowerCase();
    out += runesOf(c) === 1 ? c : r;
  }
  return out;
}
var spaces = new Set("	\n\v\f\r \x85\xA0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000");
function trim(s) {
  let i = 0, j = s.length;
  while (i < j && spaces.has(s[i])) i++;
  while (j > i && spaces.has(s[j - 1])) j--;
  return s.slice(i, j);
}
function count(s, part) {
  if (part === "") return runesOf(s) + 1;
  let n = 0;
  for (let i = s.indexOf(part); i >= 0; i = s.indexOf(part, i + part.length)) n++;
  return n;
}
function textMethod(m, s, name3, a) {
  const arg = (i) => m.printed(at(a, i));
  switch (name3) {
    case "toUpperCase":
    case "uppercase":
    case "upper":
    case "to_upper":
      return m.text(cased(s, true));
    case "toLowerCase":
    case "lowercase":
    case "lower":
    case "to_lower":
      return m.text(cased(s, false));
    case "trim":
      return m.text(trim(s));
    case "split": {
      if (a.length === 0) return m.list([s]);
      const sep = arg(0);
      if (count(s, sep) >= limits.MaxItems) throw tooLarge("too many parts");
      return m.list(sep === "" ? [...s] : s.split(sep));
    }
    case "replace": {
      const [old, by] = [arg(0), arg(1)];
      const i = s.indexOf(old);
      return m.text(i < 0 ? s : s.slice(0, i) + by + s.slice(i + old.length));
    }
    case "replaceAll":
    case "replace_all": {
      const [old, by] = [arg(0), arg(1)];
      const size = count(s, old) * bytesOf(by);
      if (size > limits.MaxText) throw tooLarge(`text of ${size} bytes`);
      return m.text(old === "" ? by + [...s].map((r) => r + by).join("") : s.split(old).join(by));
    }
    case "includes":
    case "contains":
      return s.includes(arg(0));
    case "startsWith":
    case "starts_with":
      return s.startsWith(arg(0));
    case "endsWith":
    case "ends_with":
      return s.endsWith(arg(0));
    case "indexOf":
    case "index_of": {
      const i = s.indexOf(arg(0));
      return i < 0 ? -1 : runesOf(s.slice(0, i));
    }
    case "slice":
    case "substring":
    case "substr": {
      const rs = [...s];
      const from = bound(at(a, 0), rs.length, 0);
      return m.text(rs.slice(from, Math.max(from, bound(at(a, 1), rs.length, rs.length))).join(""));
    }
    case "charAt":
    case "at":
      return index(m, s, first(a));
    case "repeat": {
      const v = first(a), n = typeof v === "number" ? v : 0;
      if (!(n >= 0) || n * bytesOf(s) > limits.MaxText || n > limits.MaxText) throw tooLarge(`text repeated ${formatNumber(n)} times`);
      return m.text(s.repeat(Math.trunc(n)));
    }
    case "padStart":
    case "padEnd":
    case "pad_start":
    case "pad_end": {
      const v = first(a), n = typeof v === "number" && v === v ? v : 0;
      const fill = a.length > 1 ? arg(1) : " ";
      const missing = Math.trunc(Math.min(n, limits.MaxText)) - runesOf(s);
      if (missing <= 0 || fill === "") return s;
      const rs = [...fill];
      const pad = fill.repeat(Math.floor(missing / rs.length)) + rs.slice(0, missing % rs.length).join("");
      return m.text(name3.toLowerCase().endsWith("start") ? pad + s : s + pad);
    }
    case "concat":
      return m.text(s + arg(0));
    case "toString":
    case "to_string":
      return s;
  }
  throw wrongKind(`a text has no method '${clip(name3)}'`);
}

// src/run/library.ts
var first2 = (a) => a[0] ?? null;
var logged = (m, owner, a) => {
  const words = a.map((v) => short(m.printed(v)));
  m.log(owner, words.join(" "));
  m.alloc(words.reduce((n, w) => n + m.bytes(w), 0));
  return null;
};
function target(owner, a) {
  const n = a[0];
  return n instanceof NodeRef ? [n.id, a.slice(1)] : [owner, a];
}
var decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
function toNumber(a) {
  const v = first2(a);
  if (typeof v === "string") {
    const t = trim(v);
    return decimal.test(t) ? Number(t) : NaN;
  }
  return asNumber(v) ?? NaN;
}
function fold(m, a, start, f) {
  return m.numbers(a, a.length).reduce((x, y) => f(x, y), start);
}
var clamp = (x, lo, hi) => Math.max(lo, Math.min(hi, x));
function ease(name3, u) {
  u = clamp(u, 0, 1);
  switch (name3.toLowerCase().replace(/[-_ ]/g, "")) {
    case "easein":
    case "easeinquad":
      return u * u;
    case "easeout":
    case "easeoutquad":
      return 1 - (1 - u) * (1 - u);
    case "easeinout":
    case "easeinoutquad":
      return u * u * (3 - 2 * u);
    case "easeincubic":
      return u * u * u;
    case "easeoutcubic":
      return 1 - (1 - u) * (1 - u) * (1 - u);
    case "easeinoutcubic":
      return u < 0.5 ? 4 * u * u * u : 1 - 4 * (1 - u) * (1 - u) * (1 - u);
    case "easeinsine":
      return 1 - Math.cos(u * Math.PI / 2);
    case "easeoutsine":
      return Math.sin(u * Math.PI / 2);
    case "easeinoutsine":
      return (1 - Math.cos(u * Math.PI)) / 2;
    case "step":
      return u < 1 ? 0 : 1;
  }
  return u;
}
function between(m, x, y, u) {
  if (x instanceof List && y instanceof List) {
    const n = Math.min(x.items.length, y.items.length);
    const out = [];
    for (let i = 0; i < n; i++) out.push(between(m, scalar(x.items[i]), scalar(y.items[i]), u));
    return m.list(out);
  }
  const [a, b] = m.numbers([x, y], 2);
  return a + (b - a) * u;
}
function scalar(v) {
  return v instanceof List ? 0 : v;
}
var library = new Map(Object.entries({
  "log": logged,
  "print": logged,
  "console.log": logged,
  clamp: (m, _o, a) => {
    const [x, lo, hi] = m.numbers(a, 3);
    return clamp(x, lo, hi);
  },
  lerp: (m, _o, a) => between(m, first2(a), a[1] ?? null, m.numbers(a.slice(2), 1)[0]),
  ease: (m, _o, a) => typeof first2(a) === "string" ? ease(first2(a), m.numbers(a.slice(1), 1)[0]) : ease(m.printed(a[1] ?? null), m.numbers(a, 1)[0]),
  map_range: (m, _o, a) => {
    const [x, a0, a1, b0, b1] = m.numbers(a, 5);
    return a1 === a0 ? b0 : b0 + (b1 - b0) * ((x - a0) / (a1 - a0));
  },
  random: (m, _o, a) => {
    if (a.length === 0) return m.random();
    if (a.length === 1) return m.random() * m.numbers(a, 1)[0];
    const [lo, hi] = m.numbers(a, 2);
    return lo + m.random() * (hi - lo);
  },
  random_int: (m, _o, a) => {
    const n = m.numbers(a, 2), lo = Math.ceil(n[0]), hi = Math.floor(n[1]);
    return lo + Math.floor(m.random() * (hi - lo + 1));
  },
  choose: (m, _o, a) => {
    const from = a.length === 1 && a[0] instanceof List ? a[0].items : a;
    return from.length === 0 ? null : from[Math.floor(m.random() * from.length)];
  },
  now: (m) => m.time,
  current_time: (m) => m.time,
  wait: (_m, _o, a) => first2(a),
  generate_id: (m) => `id${++m.serial}`,
  distance: (m, _o, a) => {
    if (a.length < 2) throw wrongKind("distance needs two places");
    const places = a.slice(0, 2).map((v) => {
      const at2 = v instanceof NodeRef ? m.property(v.id, "position") : v;
      if (!(at2 instanceof List)) throw wrongKind(`distance needs places, not ${typeName(at2)}`);
      return at2.items;
    });
    let sum = 0;
    for (let i = 0; i < Math.min(places[0].length, places[1].length); i++) {
      const [x, y] = m.numbers([places[0][i], places[1][i]], 2);
      sum += (x - y) * (x - y);
    }
    return Math.sqrt(sum);
  },
  typeof: (_m, _o, a) => typeName(first2(a)),
  set_timeout: (m, owner, a) => {
    let c, seconds = 0;
    for (const v of a) {
      if (v instanceof Closure) c = v;
      else if (typeof v === "number") seconds = v;
    }
    if (!c) throw wrongKind("set_timeout needs a function");
    if (m.sleepers >= limits.MaxWaiting) throw tooMany(`more than ${limits.MaxWaiting} turns wait`);
    m.later(c, Math.min(Math.max(seconds === seconds ? seconds : 0, 0), 1e9), owner);
    return null;
  },
  get_node: (m, _o, a) => {
    const name3 = m.printed(first2(a));
    for (const id of m.named(name3, true)) return new NodeRef(id);
    return null;
  },
  find_all: (m, _o, a) => {
    const name3 = m.printed(first2(a));
    return m.list([...m.named(name3, false)].map((id) => new NodeRef(id)));
  },
  instances: (m, _o, a) => m.instances(m.printed(first2(a))),
  show: (m, owner, a) => {
    m.setProperty(target(owner, a)[0], "visible", true);
    return null;
  },
  hide: (m, owner, a) => {
    m.setProperty(target(owner, a)[0], "visible", false);
    return null;
  },
  set_text: (m, owner, a) => {
    const [n, rest] = target(owner, a);
    m.setProperty(n, "text", first2(rest));
    return null;
  },
  destroy: (m, owner, a) => {
    if (a.length === 0) m.destroy(owner);
    else if (a[0] instanceof NodeRef) m.destroy(a[0].id);
    return null;
  },
  tween: (m, owner, a) => {
    const [n, rest] = target(owner, a);
    m.tween(n, rest);
    return null;
  },
  move_to: (m, owner, a) => {
    const [n, rest] = target(owner, a);
    m.tween(n, ["position", ...rest]);
    return null;
  },
  transition: (m, owner, a) => {
    const [n, rest] = target(owner, a);
    m.emit(n, "transition", first2(rest));
    return null;
  },
  play: (m, owner, a) => m.play(owner, "play", a),
  stop: (m, owner, a) => m.play(owner, "stop", a),
  llm_call: (m, owner, a) => m.model(owner, a),
  calls: (m, _o, a) => m.calls.get(m.printed(first2(a))) ?? 0,
  "JSON.stringify": (m, _o, a) => m.text(m.shown(first2(a))),
  "JSON.parse": (m, _o, a) => {
    const s = first2(a);
    if (typeof s !== "string") throw wrongKind("JSON.parse needs a text");
    const v = parse(s);
    if (v === void 0) throw wrongKind("this is not JSON");
    m.alloc(m.bytes(s));
    return v;
  },
  "Object.keys": (m, _o, a) => method(m, first2(a), "keys", []),
  "Object.values": (m, _o, a) => method(m, first2(a), "values", []),
  "Object.entries": (m, _o, a) => method(m, first2(a), "entries", []),
  Number: (_m, _o, a) => toNumber(a),
  parseFloat: (_m, _o, a) => toNumber(a),
  parse_number: (_m, _o, a) => toNumber(a),
  parseInt: (_m, _o, a) => Math.trunc(toNumber(a)),
  String: (m, _o, a) => m.text(m.printed(first2(a))),
  Boolean: (_m, _o, a) => truthy(first2(a)),
  "Math.min": (m, _o, a) => fold(m, a, Infinity, Math.min),
  "Math.max": (m, _o, a) => fold(m, a, -Infinity, Math.max),
  "Math.random": (m) => m.random(),
  "Math.pow": (m, _o, a) => {
    const [x, y] = m.numbers(a, 2);
    return Math.pow(x, y);
  },
  "Math.atan2": (m, _o, a) => {
    const [y, x] = m.numbers(a, 2);
    return Math.atan2(y, x);
  },
  "Math.hypot": (m, _o, a) => Math.sqrt(m.numbers(a, a.length).reduce((s, x) => s + x * x, 0)),
  "Math.round": (m, _o, a) => Math.floor(m.numbers(a, 1)[0] + 0.5)
}));
for (const name3 of ["abs", "floor", "ceil", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "log2", "log10", "trunc", "cbrt", "sign"]) {
  library.set(`Math.${name3}`, (m, _o, a) => Math[name3](m.numbers(a, 1)[0]));
}

// src/run/random.ts
var Random = class {
  a;
  b;
  c;
  d;
  constructor(seed) {
    [this.a, this.b, this.c, this.d] = [0, 1, 2, 3].map((i) => seed[i] | 0);
    for (let i = 0; i < 12; i++) this.next();
  }
  next() {
    const t = this.a + this.b + this.d | 0;
    this.d = this.d + 1 | 0;
    this.a = this.b ^ this.b >>> 9;
    this.b = this.c + (this.c << 3) | 0;
    this.c = this.c << 21 | this.c >>> 11;
    this.c = this.c + t | 0;
    return t >>> 0;
  }
  float() {
    return this.next() / 4294967296;
  }
};

// src/run/states.ts
function chain(d, state) {
  const out = [];
  for (; state >= 0; state = d.states[state].parent) out.push(state);
  return out;
}
var Machines = class {
  constructor(m) {
    this.m = m;
  }
  m;
  running = [];
  // start lets machines enter their first states.
  start(list3, of) {
    for (const d of list3) {
      const r = { d, node: of ? of.node(d.node) : d.node, of, state: -1, since: 0, fired: false };
      this.running.push(r);
      this.move(r, d.initial, -1);
    }
  }
  // forget lets go of the machines of nodes that are no more.
  forget(dead) {
    this.running = this.running.filter((r) => !dead.has(r.node));
  }
  // hears says whether a machine of a node waits for an event.
  hears(node, event) {
    return this.running.some((r) => r.node === node && r.d.states.some((s) => s.on.some((t) => t.event === event)));
  }
  // current is the name of the state of a node's machine.
  current(node) {
    const r = this.running.find((r2) => r2.node === node && r2.state >= 0);
    return r?.d.states[r.state].name;
  }
  // move leaves the states that are not around the new one, runs the action and
  // enters, the outer states first.
  move(r, to, action) {
    const { m } = this, { d, node, of } = r, from = r.state;
    const old = chain(d, from), now = chain(d, to);
    let common = 0;
    if (from !== to) {
      while (common < old.length && common < now.length && old[old.length - 1 - common] === now[now.length - 1 - common]) common++;
    } else common = Math.max(0, now.length - 1);
    const act = (fn) => {
      if (fn >= 0) m.begin(node, of ? of.fn(fn) : fn, []);
    };
    for (const s of old.slice(0, old.length - common)) act(d.states[s].exit);
    act(action);
    Object.assign(r, { state: to, since: m.steps, fired: false });
    for (let j = now.length - 1 - common; j >= 0; j--) act(d.states[now[j]].entry);
    m.note("state", node, d.states[to].name, null);
    if (from >= 0 && m.heard("state_exit")) m.queue.push({ node, name: "state_exit", payload: d.states[from].name });
    if (m.heard("state_enter")) m.queue.push({ node, name: "state_enter", payload: d.states[to].name });
  }
  // event offers an event to the machines of its node and of those above; one
  // that goes within a node to the machines there and below.
  event(e) {
    const { m } = this;
    for (const r of this.running) if (e.node === Everywhere || (e.within ? m.lies(r.node, e.node) : m.lies(e.node, r.node))) this.offer(r, e);
  }
  // offer takes the first transition whose guard holds.
  offer(r, e) {
    const { d, of } = r;
    const places = chain(d, r.state);
    d.states.forEach((s, j) => {
      if (s.name === "*") places.push(j);
    });
    for (const s of places) {
      for (const t of d.states[s].on) {
        if (t.event !== e.name || t.guard >= 0 && !this.holds(r.node, of ? of.fn(t.guard) : t.guard, e.payload)) continue;
        this.move(r, t.to, t.action);
        return true;
      }
    }
    if (e.name !== "transition") return false;
    const to = d.states.findIndex((s) => s.name === e.payload && s.name !== "*");
    if (to < 0) return false;
    this.move(r, to, -1);
    return true;
  }
  holds(owner, fn, payload2) {
    let yes = false;
    const held = this.m.atomically(owner, () => {
      yes = truthy(this.m.call(this.m.functions[fn], [payload2], []));
    });
    return held && yes;
  }
  // timers lets the states time out that were held for long enough.
  timers() {
    const { m } = this;
    for (const r of this.running) {
      const { d } = r;
      for (const s of chain(d, r.state)) {
        const after = d.states[s].after ?? [];
        if (after.length === 0 || r.fired || (m.steps - r.since) / m.p.rates.spatial < after[0] - 1e-9) continue;
        r.fired = true;
        m.handler = false;
        if (!this.offer(r, { node: r.node, name: "timeout", payload: null }) && after[1] >= 0) this.move(r, after[1], -1);
        m.flush();
        break;
      }
    }
  }
};

// src/run/clock.ts
var Clock = class {
  constructor(m) {
    this.m = m;
  }
  m;
  due = [];
  lines = [];
  moving = [];
  start({ schedules, timelines }, of) {
    const { m } = this;
    for (const d of schedules) this.due.push({ d, fn: of ? of.fn(d.fn) : d.fn, due: m.after(d.after), on: true });
    for (const d of timelines) this.lines.push({ d, of, on: d.autoplay, since: m.steps, next: 0 });
  }
  // forget lets go of what begins at nodes that are no more, and of what moves them.
  forget(dead) {
    const { m } = this, gone = (fn) => dead.has(m.functions[fn].owner);
    this.due = this.due.filter((s) => !gone(s.fn));
    this.lines = this.lines.filter(({ d, of }) => d.steps.length === 0 || !gone(of ? of.fn(d.steps[0][1]) : d.steps[0][1]));
    this.moving = this.moving.filter((t) => !dead.has(t.node));
  }
  begin(fn) {
    this.m.handler = false;
    this.m.begin(this.m.functions[fn].owner, fn, []);
    this.m.flush();
  }
  // schedules begins what is due, in the order of the source.
  schedules() {
    const { m } = this;
    for (const s of this.due) {
      if (!s.on || s.due > m.steps || m.tight) continue;
      const { d } = s;
      if (d.forever) s.due = m.steps + 1;
      else if (d.every > 0) s.due = Math.max(m.after(d.every), m.steps + 1);
      else s.on = false;
      this.begin(s.fn);
    }
  }
  timelines() {
    const { m } = this;
    for (let i = 0; i < this.lines.length; i++) {
      const { d, of } = this.lines[i];
      for (; ; ) {
        const t2 = this.lines[i];
        if (!t2.on || m.tight || t2.next >= d.steps.length || !((m.steps - t2.since) / m.p.rates.spatial >= d.steps[t2.next][0] - 1e-9)) break;
        const fn = d.steps[t2.next++][1];
        this.begin(of ? of.fn(fn) : fn);
      }
      const t = this.lines[i];
      if (t.next === d.steps.length) {
        t.on = t.on && d.loop && d.steps.length > 0;
        t.since = m.steps;
        t.next = 0;
      }
    }
  }
  // turnOn starts timelines from their beginning or stops them; false without one of the name.
  turnOn(id, on) {
    const { m } = this;
    const old = this.lines;
    if (!old.some((t) => t.d.id === id)) return false;
    this.lines = old.map((t) => t.d.id === id ? { ...t, on, since: m.steps, next: 0 } : t);
    m.addUndo(() => {
      this.lines = old;
    });
    return true;
  }
  // tween sends a property of a node to a value: property, value, seconds and
  // easing, the last two also by name.
  tween(node, a) {
    const { m } = this;
    let seconds = a[2] ?? null, easing = a[3] ?? null;
    const named2 = a.length > 2 ? a[a.length - 1] : null;
    if (named2 instanceof Obj) {
      if (seconds === named2) seconds = null;
      if (easing === named2) easing = null;
      seconds = named2.map.get("duration") ?? seconds;
      easing = named2.map.get("easing") ?? easing;
    }
    const key = m.printed(a[0] ?? null), to = copyValue(a[1] ?? null, limits.MaxDepth);
    const t = {
      node,
      key,
      from: copyValue(m.property(node, key), limits.MaxDepth),
      to,
      since: m.steps,
      seconds: seconds === null ? 1 : Math.max(0, Math.min(1e9, asNumber(seconds) ?? 1)) || 0,
      easing: easing === null ? "linear" : m.printed(easing)
    };
    const old = this.moving;
    const kept = old.filter((o) => o.node !== node || o.key !== key);
    if (kept.length >= limits.MaxWaiting) throw tooMany(`more than ${limits.MaxWaiting} properties move`);
    this.moving = [...kept, t];
    m.charge(Math.floor(kept.length / limits.ChargeElements));
    m.addUndo(() => {
      this.moving = old;
    });
  }
  tweens() {
    const { m } = this;
    for (const t of this.moving) {
      if (m.tight) return;
      const u = t.seconds > 0 ? Math.min(1, (m.steps - t.since) / m.p.rates.spatial / t.seconds) : 1;
      m.handler = false;
      const ok = m.atomically(t.node, () => m.setProperty(t.node, t.key, step(m, t, u)));
      m.flush();
      if (ok && u < 1) continue;
      this.moving = this.moving.filter((o) => o !== t);
      if (ok && m.heard("animation_end")) m.inject({ node: t.node, name: "animation_end", payload: t.key });
    }
  }
};
function step(m, t, u) {
  if (u >= 1) return copyValue(t.to, limits.MaxDepth);
  const both = t.from instanceof List && t.to instanceof List || typeof t.from === "number" && typeof t.to === "number";
  return both ? between(m, t.from, t.to, ease(t.easing, u)) : t.from;
}

// src/run/templates.ts
var Instance = class {
  constructor(of, ids, block) {
    this.of = of;
    this.ids = ids;
    this.block = block;
  }
  of;
  ids;
  block;
  dead = false;
  get root() {
    return this.ids.get(this.of.nodes[0]);
  }
  node(id) {
    return this.ids.get(id) ?? id;
  }
  slot(i) {
    return moved(this.of.stateAt, this.block.state, i);
  }
  computed(i) {
    return moved(this.of.computedAt, this.block.computed, i);
  }
  fn(i) {
    return moved(this.of.functionAt, this.block.functions, i);
  }
};
function moved(places, from, i) {
  const at2 = places.get(i);
  return at2 === void 0 ? i : from + at2;
}
var none = () => ({ handlers: [], subscriptions: [], wires: [], watches: [], binds: [], schedules: [], timelines: [], machines: [], trees: [] });
function apart(p) {
  const live = none(), templates = /* @__PURE__ */ new Map(), owners = /* @__PURE__ */ new Map();
  for (const { name: name3, nodes } of p.templates) {
    const t = {
      name: name3,
      nodes,
      state: [],
      computed: [],
      functions: [],
      stateAt: /* @__PURE__ */ new Map(),
      computedAt: /* @__PURE__ */ new Map(),
      functionAt: /* @__PURE__ */ new Map(),
      rows: none(),
      size: nodes.length,
      free: []
    };
    templates.set(name3, t);
    for (const id of nodes) owners.set(id, t);
  }
  const keep = (owner, i, list3, places) => {
    const t = owners.get(owner);
    if (!t) return;
    t[places].set(i, t[list3].length);
    t[list3].push(i);
    t.size++;
  };
  p.state.forEach((s, i) => keep(s.owner, i, "state", "stateAt"));
  p.computed.forEach((c, i) => keep(c.owner, i, "computed", "computedAt"));
  p.functions.forEach((f, i) => keep(f.owner, i, "functions", "functionAt"));
  const sort2 = (k) => {
    for (const row2 of p[k]) {
      const t = owners.get(ownerOf(p.functions, k, row2));
      (t ? t.rows : live)[k].push(row2);
      if (t) t.size++;
    }
  };
  for (const k of Object.keys(live)) sort2(k);
  return { live, templates, owners };
}
function ownerOf(functions, table2, row2) {
  const r = row2;
  if (table2 === "subscriptions") return r.owner;
  if (table2 === "timelines") return r.steps.length > 0 ? functions[r.steps[0][1]].owner : "";
  return r.node ?? functions[r.fn].owner;
}

// src/run/spawn.ts
var Spawner = class {
  // by root
  constructor(m, templates, prototypes) {
    this.m = m;
    this.templates = templates;
    this.prototypes = prototypes;
  }
  m;
  templates;
  prototypes;
  spawned = /* @__PURE__ */ new Set();
  born = [];
  // made and not yet running
  ending = [];
  // destroyed and not yet forgotten
  rows = 0;
  // of living instances
  instances = /* @__PURE__ */ new Map();
  // spawn makes a node of a template's name, with all that the template has. What
  // it makes runs from the end of the turn on.
  spawn(owner, name3, place, overrides) {
    const { m } = this, t = this.templates.get(name3), size = t?.size ?? 0;
    if (this.spawned.size + (t?.nodes.length ?? 1) > limits.MaxSpawned) throw tooLarge(`more than ${limits.MaxSpawned} nodes`);
    if (this.rows + size > limits.MaxRows) throw tooLarge(`more than ${limits.MaxRows} rows are spawned`);
    m.charge(Math.floor(size / limits.ChargeRows));
    const above = owner !== m.scene ? m.nodes.get(owner)?.parent ?? "" : "";
    return new NodeRef(m.attempt(() => this.make(t, name3, above, place, overrides instanceof Obj ? overrides.map : /* @__PURE__ */ new Map())));
  }
  make(t, name3, above, place, overrides) {
    const { m } = this, ids = /* @__PURE__ */ new Map();
    for (const like of t?.nodes ?? [""]) {
      const p = this.prototypes.get(like), root2 = ids.get(t?.nodes[0] ?? ""), id = `s${++m.serial}`;
      this.arrive({ id, parent: root2 === void 0 ? above : ids.get(p?.parent ?? "") ?? root2, name: root2 === void 0 ? name3 : p?.name ?? like }, like);
      ids.set(like, id);
      for (const [k, v] of p?.props ?? []) m.putProp(id, k, copyValue(v, limits.MaxDepth));
    }
    const [root] = ids.values(), i = t && this.instance(t, ids);
    const keys = [...overrides], state = (k) => m.slotOf.get(root)?.has(k) ?? false;
    if (place !== null) m.setProperty(root, "position", place);
    for (const [k, v] of keys) if (!state(k)) m.setProperty(root, k, v);
    if (i) this.begin(i);
    for (const [k, v] of keys) if (state(k)) m.putNode(root, k, v);
    return root;
  }
  // arrive gives a node its place among the others.
  arrive(n, like) {
    const { m } = this;
    this.spawned.add(n.id);
    m.nodes.set(n.id, n);
    m.addUndo(() => this.forget(n.id));
    m.note("spawn", n.id, n.name, null);
    m.host.spawned?.(n.id, n.name, n.parent, like);
  }
  // instance gives an instance its place in the tables of the machine.
  instance(t, ids) {
    const { m } = this;
    const block = t.free.pop() ?? { state: m.states.length, computed: m.computeds.length, functions: m.functions.length };
    const i = new Instance(t, ids, block), { program: p } = m;
    t.functions.forEach((k, at2) => {
      const f = p.functions[k], owner = i.node(f.owner);
      m.functions[block.functions + at2] = { ...f, owner, of: i };
      name2(m.byName, owner, f.name, block.functions + at2);
    });
    t.state.forEach((k, at2) => {
      const s = p.state[k], owner = i.node(s.owner);
      m.states[block.state + at2] = { owner, key: s.key };
      m.slots[block.state + at2] = null;
      name2(m.slotOf, owner, s.key, block.state + at2);
    });
    t.computed.forEach((k, at2) => {
      const c = p.computed[k], owner = i.node(c.owner);
      m.computeds[block.computed + at2] = { owner, key: c.key, fn: i.fn(c.fn), v: null, fresh: false, busy: false, version: 0 };
      name2(m.computedOf, owner, c.key, block.computed + at2);
    });
    this.instances.set(i.root, i);
    this.rows += t.size;
    this.born.push(i);
    m.addUndo(() => {
      this.born = this.born.filter((o) => o !== i);
      this.end(i);
    });
    return i;
  }
  // begin gives the state of an instance its first values.
  begin(i) {
    const { m } = this, p = m.program;
    i.of.state.forEach((k, at2) => {
      const { init } = p.state[k], slot = i.block.state + at2;
      m.slots[slot] = typeof init === "number" ? p.consts[init] : m.call(m.functions[i.fn(init.fn)], [], []);
      m.host.state?.(m.states[slot].owner, m.states[slot].key, m.slots[slot]);
    });
  }
  // end gives back the block of an instance.
  end(i) {
    const { m } = this, { of: t, block } = i;
    i.dead = true;
    for (let at2 = 0; at2 < t.state.length; at2++) {
      m.slots[block.state + at2] = null;
      m.states[block.state + at2] = { owner: "", key: "" };
    }
    for (let at2 = 0; at2 < t.computed.length; at2++) Object.assign(m.computeds[block.computed + at2], { v: null, fresh: false });
    t.free.push(block);
    this.rows -= t.size;
    this.instances.delete(i.root);
    for (const id of i.ids.values()) for (const names2 of [m.slotOf, m.byName, m.computedOf]) names2.delete(id);
  }
  // forget lets go of a spawned node.
  forget(id) {
    const { m } = this;
    m.nodes.delete(id);
    m.gone.delete(id);
    this.spawned.delete(id);
    m.dropProps(id);
    m.dropProps(id + "\0state");
    for (const names2 of [m.slotOf, m.byName, m.computedOf]) names2.delete(id);
    m.host.destroyed?.(id);
  }
  // birth lets an instance run: its rows, its machines, and what it does first.
  birth(i) {
    const { m } = this, { live } = m, rows = i.of.rows;
    if (m.gone.has(i.root)) return;
    for (const h of rows.handlers) live.handlers.push({ ...h, node: i.node(h.node), fn: i.fn(h.fn) });
    for (const s of rows.subscriptions) live.subscriptions.push({ ...s, from: i.node(s.from), owner: i.node(s.owner), fn: i.fn(s.fn) });
    for (const w of rows.wires) live.wires.push({ ...w, from: i.node(w.from), set: w.set === void 0 ? void 0 : i.slot(w.set), fn: i.fn(w.fn) });
    for (const w of rows.watches) live.watches.push({ state: i.slot(w.state), fn: i.fn(w.fn) });
    const binds = rows.binds.map((b) => ({ ...b, node: i.node(b.node), fn: i.fn(b.fn) }));
    for (const b of binds) live.binds.push(b);
    m.bind(binds);
    m.machines.start(rows.machines, i);
    m.trees.start(rows.trees, i);
    m.clock.start(rows, i);
    m.raiseFirst({ node: i.root, within: true });
    m.flush();
  }
  // bury lets go of what was destroyed, with all that lies below it.
  bury() {
    const { m } = this, { live } = m, dead = new Set(this.ending);
    this.ending = [];
    for (const [id, n] of m.nodes) if (dead.has(n.parent)) dead.add(id);
    for (const k of Object.keys(live)) {
      const rows = live[k];
      live[k] = rows.filter((row2) => !dead.has(ownerOf(m.functions, k, row2)));
    }
    m.machines.forget(dead);
    m.trees.forget(dead);
    m.clock.forget(dead);
    m.dropThreads(dead);
    for (const id of [...dead].reverse()) {
      if (!this.spawned.has(id)) {
        m.host.destroyed?.(id);
        continue;
      }
      const i = this.instances.get(id);
      if (i) this.end(i);
      this.forget(id);
    }
  }
};

// src/run/trees.ts
var Visit = class _Visit {
  constructor(node, of) {
    this.node = node;
    this.fn = of ? of.fn(node.fn) : node.fn;
    this.children = node.children.map((c) => new _Visit(c, of));
  }
  node;
  children;
  at = 0;
  // the child that runs
  order = null;
  // of random_selector
  since = -1;
  // the step in which it began
  times = 0;
  until = 0;
  // end of a cooldown
  done = null;
  fn;
  // reset makes a node as if it had not begun; a cooldown goes on.
  reset() {
    this.at = this.times = 0;
    this.order = this.done = null;
    this.since = -1;
    for (const c of this.children) c.reset();
  }
};
var Trees = class {
  constructor(m) {
    this.m = m;
  }
  m;
  walks = [];
  left = 0;
  start(list3, of) {
    for (const tree of list3) this.walks.push({ tree, node: of ? of.node(tree.node) : tree.node, root: new Visit(tree.root, of), next: 0, over: false });
  }
  // forget lets go of the trees of nodes that are no more.
  forget(dead) {
    this.walks = this.walks.filter((w) => !dead.has(w.node));
  }
  // run ticks the trees whose time has come.
  run() {
    const { m } = this;
    for (const w of this.walks) {
      if (w.over || m.tight || m.steps < w.next - 1e-9) continue;
      w.next = Math.max(w.next, m.steps - 1) + m.p.rates.spatial / w.tree.rate;
      this.left = limits.MaxEvents;
      m.handler = false;
      if (this.tick(w.node, w.root) !== "running") {
        w.root.reset();
        w.over = !w.tree.restart;
      }
      if (this.left < 0) m.report(w.node, tooMany(`a tick takes more than ${limits.MaxEvents} tree nodes`));
      m.flush();
    }
  }
  elapsed(v) {
    return (this.m.steps - v.since) / this.m.p.rates.spatial >= (v.node.params.duration ?? 0) - 1e-9;
  }
  tick(owner, v) {
    if (--this.left < 0) return "failure";
    const { m } = this, n = v.node;
    if (v.since < 0) v.since = m.steps;
    const child = () => this.tick(owner, v.children[0]);
    switch (n.type) {
      case "sequence":
      case "selector":
      case "random_selector":
        return this.inOrder(owner, v);
      case "parallel":
        return this.all(owner, v);
      case "inverter": {
        const r = child();
        return r === "running" ? r : r === "success" ? "failure" : "success";
      }
      case "succeeder":
        return child() === "running" ? "running" : "success";
      case "repeater":
      case "retry":
      case "until_fail":
        return again(v, child());
      case "cooldown": {
        if (m.steps < v.until) return "failure";
        const r = child();
        if (r !== "running") {
          v.until = m.after(n.params.duration ?? 0);
          v.children[0].reset();
        }
        return r;
      }
      case "guard":
        if (m.machines.holds(owner, v.fn, null)) return child();
        v.children[0].reset();
        return "failure";
      case "timeout": {
        const r = child();
        if (r !== "running" || !this.elapsed(v)) return r;
        v.children[0].reset();
        return "failure";
      }
      case "condition":
        return m.machines.holds(owner, v.fn, null) ? "success" : "failure";
      case "wait":
        return this.elapsed(v) ? "success" : "running";
    }
    return this.action(owner, v.fn);
  }
  // action calls the function of a leaf: what it gives is the result by name.
  action(owner, fn) {
    let out = "failure";
    this.m.atomically(owner, () => {
      const v = this.m.call(this.m.functions[fn], [], []);
      if (v === false || v === "failure") return;
      out = v === "running" ? "running" : "success";
    });
    return out;
  }
  // inOrder goes through the children until one decides, and comes back to the
  // one that runs.
  inOrder(owner, v) {
    const goOn = v.node.type === "sequence" ? "success" : "failure";
    if (v.node.type === "random_selector" && v.order === null) v.order = this.shuffled(v.children.length);
    while (v.at < v.children.length) {
      const c = v.children[v.order ? v.order[v.at] : v.at];
      const r = this.tick(owner, c);
      if (r === "running") return r;
      c.reset();
      if (r !== goOn) {
        v.at = 0;
        v.order = null;
        return r;
      }
      v.at++;
    }
    v.at = 0;
    v.order = null;
    return goOn;
  }
  shuffled(n) {
    const out = Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const j = Math.floor(this.m.random() * (i + 1));
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }
  // all runs the children side by side. Policy all succeeds when all do and fails
  // with the first; any is the other way round.
  all(owner, v) {
    const done = v.done ??= v.children.map(() => "running");
    const [decides, otherwise] = v.node.params.policy === "any" ? ["success", "failure"] : ["failure", "success"];
    let running = false;
    for (let i = 0; i < done.length; i++) {
      if (done[i] === "running") done[i] = this.tick(owner, v.children[i]);
      if (done[i] === decides) {
        v.reset();
        return decides;
      }
      running ||= done[i] === "running";
    }
    if (running) return "running";
    v.reset();
    return otherwise;
  }
};
function again(v, r) {
  if (r === "running") return r;
  v.children[0].reset();
  v.times++;
  if (v.node.type === "until_fail") return r === "failure" ? "success" : "running";
  if (v.node.type === "retry" && r === "success") {
    v.times = 0;
    return r;
  }
  const most2 = v.node.params.times ?? 0;
  if (most2 > 0 && v.times >= most2) {
    v.times = 0;
    return r;
  }
  return "running";
}

// src/run/machine.ts
var SceneOwner = "scene";
var Everywhere = "*";
var Asleep = class {
  constructor(seconds) {
    this.seconds = seconds;
  }
  seconds;
};
var going = /* @__PURE__ */ Symbol("going");
var Machine = class {
  constructor(p, o = {}) {
    this.p = p;
    this.host = o.host ?? {};
    this.tracing = o.trace ?? false;
    this.stepLimit = o.hosted ? limits.MaxHosted : limits.MaxStep;
    this.turnLimit = o.long ? limits.MaxLong : limits.MaxTurn;
    this.rng = new Random(o.seed ?? p.seed);
    const { live, templates, owners } = apart(p), infos = /* @__PURE__ */ new Map();
    for (const n of o.nodes ?? []) {
      if (owners.has(n.id)) {
        infos.set(n.id, n);
        continue;
      }
      this.nodes.set(n.id, n);
      for (const [k, v] of n.props ?? []) this.putProp(n.id, k, copyValue(v, limits.MaxDepth));
    }
    this.program = p;
    this.live = live;
    this.prototypes = owners;
    this.functions = p.functions.slice();
    this.states = p.state.slice();
    this.slots = new Array(p.state.length).fill(null);
    this.computeds = p.computed.map((c) => ({ ...c, v: null, fresh: false, busy: false, version: 0 }));
    p.state.forEach((s, i) => {
      if (!owners.has(s.owner)) name2(this.slotOf, s.owner, s.key, i);
    });
    p.functions.forEach((f, i) => {
      if (!owners.has(f.owner)) name2(this.byName, f.owner, f.name, i);
    });
    p.computed.forEach((c, i) => {
      if (!owners.has(c.owner)) name2(this.computedOf, c.owner, c.key, i);
    });
    this.spawner = new Spawner(this, templates, infos);
    this.clock = new Clock(this);
    this.machines = new Machines(this);
    this.trees = new Trees(this);
  }
  p;
  nodes = /* @__PURE__ */ new Map();
  calls = /* @__PURE__ */ new Map();
  clock;
  machines;
  trees;
  scene = SceneOwner;
  program;
  host;
  live;
  // the rows that run
  // The tables of the program, to which spawn adds.
  functions;
  states;
  computeds;
  slots;
  slotOf = /* @__PURE__ */ new Map();
  byName = /* @__PURE__ */ new Map();
  computedOf = /* @__PURE__ */ new Map();
  gone = /* @__PURE__ */ new Set();
  trace = [];
  dropped = 0;
  steps = 0;
  serial = 0;
  spent = 0;
  stop = false;
  handler = false;
  stepLimit;
  queue = [];
  rng;
  props = /* @__PURE__ */ new Map();
  propCount = 0;
  version = 0;
  waiting = [];
  ready = [];
  depth = 0;
  budget = 0;
  turnLimit;
  turn = 0;
  made = 0;
  held = 0;
  cascade = 0;
  spawner;
  prototypes;
  undo = [];
  changed = [];
  faulted = false;
  unknown = /* @__PURE__ */ new Set();
  tracing;
  // start gives the state its first values, enters the machines and raises init,
  // mount and start.
  start() {
    const limit = this.turnLimit;
    this.turnLimit = limits.MaxLong;
    for (const [i, s] of this.p.state.entries()) {
      if (this.prototypes.has(s.owner)) continue;
      if (typeof s.init === "number") {
        this.slots[i] = this.p.consts[s.init];
        continue;
      }
      const fn = s.init.fn;
      if (this.spent > limits.MaxInit) {
        this.report(s.owner, tooLong(`the first values take more than ${limits.MaxInit} instructions`));
        break;
      }
      this.atomically(s.owner, () => {
        this.slots[i] = null;
        this.slots[i] = this.call(this.functions[fn], [], []);
      });
    }
    this.changed = [];
    this.bindAll();
    this.turnLimit = limit;
    this.machines.start(this.live.machines);
    this.trees.start(this.live.trees);
    this.clock.start(this.live);
    this.raiseFirst({ node: Everywhere });
    this.drain();
  }
  // raiseFirst raises what nodes hear first.
  raiseFirst(at2) {
    for (const name3 of ["init", "mount", "start"]) if (this.heard(name3)) this.queue.push({ ...at2, name: name3, payload: null });
  }
  // entries are the keys of the state with their values.
  *entries() {
    for (const [owner, keys] of this.slotOf) for (const [key, i] of keys) yield [owner, key, this.slots[i]];
  }
  heard(name3) {
    return this.live.handlers.some((h) => h.event === name3);
  }
  get time() {
    return this.steps / this.p.rates.spatial;
  }
  after(seconds) {
    return this.steps + Math.ceil(seconds * this.p.rates.spatial - 1e-9);
  }
  inject(e) {
    if (this.queue.length < limits.MaxEvents) this.queue.push(e);
  }
  get busy() {
    return this.queue.length > 0 || this.ready.length > 0 || this.spawner.born.length > 0;
  }
  get sleepers() {
    return this.waiting.length;
  }
  random() {
    return this.rng.float();
  }
  get tight() {
    return this.spent >= this.stepLimit;
  }
  // step advances the time by one spatial step.
  step() {
    this.steps++;
    this.spent = this.cascade = 0;
    this.clock.schedules();
    this.clock.timelines();
    const kept = [];
    for (const w of this.waiting) {
      if (w.at <= this.steps) this.ready.push(w.thread);
      else kept.push(w);
    }
    this.waiting = kept;
    this.machines.timers();
    this.drain();
    this.clock.tweens();
    this.trees.run();
    if (this.heard("update") && !this.tight && !this.queue.some((e) => e.name === "update" && e.node === Everywhere)) {
      this.queue.push({ node: Everywhere, name: "update", payload: 1 / this.p.rates.spatial });
    }
    this.drain();
  }
  drain() {
    const { spawner } = this;
    while (this.spent < this.stepLimit) {
      const born = spawner.born.shift();
      if (born) {
        if (!this.follows()) return;
        spawner.birth(born);
        continue;
      }
      const t = this.ready.shift();
      if (t) {
        this.budget = this.turnLimit;
        this.carry(t.frames[0].fn.owner, t);
        this.flush();
        continue;
      }
      const e = this.queue.shift();
      if (!e) {
        if (spawner.ending.length > 0) spawner.bury();
        this.cascade = 0;
        return;
      }
      if (!this.follows()) return;
      this.turnOf(e);
    }
  }
  // follows counts what follows from each other. Too much of it is let go.
  follows() {
    if (++this.cascade <= limits.MaxEvents) return true;
    this.report(SceneOwner, tooMany(`more than ${limits.MaxEvents} events follow from each other`));
    this.queue = [];
    this.spawner.born = [];
    this.cascade = 0;
    return false;
  }
  turnOf(e) {
    this.note("event", e.node, e.name, e.payload);
    this.stop = false;
    this.budget = this.turnLimit;
    this.handler = true;
    if (e.within) this.handlers(e, (node) => this.lies(node, e.node));
    else this.spread(e);
    this.machines.event(e);
    this.flush();
    this.handler = false;
  }
  // spread brings an event to its node, along the wires, to the nodes above, and to
  // those that subscribed to it.
  spread(e) {
    const everywhere = e.node === Everywhere;
    this.handlers(e, (node) => everywhere || node === e.node);
    for (const w of this.live.wires) if (w.event === e.name && (everywhere || w.from === e.node)) this.wire(w, e);
    if (!everywhere) {
      for (let at2 = this.parent(e.node); at2 !== "" && !this.stop; at2 = this.parent(at2)) this.handlers(e, (node) => node === at2);
    }
    if (!this.stop) {
      for (const s of this.live.subscriptions) if (s.event === e.name && (everywhere || s.from === e.node)) this.begin(s.owner, s.fn, [e.payload]);
    }
  }
  // lies says whether a node is another one or lies below it.
  lies(node, top) {
    for (let at2 = node; at2 !== ""; at2 = this.parent(at2)) if (at2 === top) return true;
    return false;
  }
  handlers(e, at2) {
    for (const h of this.live.handlers) if (h.event === e.name && at2(h.node)) this.begin(h.node, h.fn, [e.payload]);
  }
  // parent is the node above; above the topmost nodes and modules is the scene.
  parent(node) {
    if (node === SceneOwner || node === Everywhere) return "";
    return this.nodes.get(node)?.parent || SceneOwner;
  }
  wire(w, e) {
    const fn = this.functions[w.fn], { owner } = fn;
    const slot = w.set;
    if (slot !== void 0) {
      this.atomically(owner, () => this.set(slot, this.call(fn, [e.payload], [])));
      return;
    }
    this.begin(owner, w.fn, [...(w.args ?? []).map((a) => this.p.consts[a]), e.payload]);
  }
  // begin runs a function as a turn that may wait.
  begin(owner, fn, args) {
    if (!this.handler) this.budget = this.turnLimit;
    this.carry(owner, { frames: [frame(this.functions[fn], args, [], 0)], stack: [], depth: 0 });
  }
  later(c, seconds, owner) {
    if (c.fn.of?.dead) return;
    const thread = { frames: [frame(c.fn, [], c.boxes, 0)], stack: [], depth: 0 };
    this.waiting.push({ at: this.after(seconds), thread, owner });
  }
  carry(owner, t) {
    this.atomically(owner, () => {
      const v = this.resume(t);
      if (!(v instanceof Asleep)) return;
      if (this.waiting.length + this.ready.length >= limits.MaxWaiting) throw tooMany(`more than ${limits.MaxWaiting} turns wait`);
      this.waiting.push({ at: this.after(v.seconds), thread: t, owner });
    });
  }
  // atomically runs a handler: when it faults, nothing that it wrote stays.
  atomically(owner, work) {
    this.turn++;
    this.made = 0;
    this.undo = [];
    const events = this.queue.length, changes = this.changed.length, waits = this.waiting.length, depth = this.depth;
    if (!this.handler) this.budget = this.turnLimit;
    let f;
    try {
      work();
      this.held += this.made;
      if (this.held > limits.MaxHeld && (this.held = this.measure()) > limits.MaxHeld) f = tooLarge("the state is too large");
    } catch (e) {
      if (!(e instanceof Fault)) throw e;
      f = e;
    }
    this.depth = depth;
    if (!f) {
      for (const c of this.changed.slice(changes)) {
        const s = this.states[c.slot];
        this.note("set", s.owner, s.key, this.slots[c.slot]);
        this.host.state?.(s.owner, s.key, this.slots[c.slot]);
      }
      return true;
    }
    this.goBack(0);
    this.version++;
    this.queue.length = Math.min(events, this.queue.length);
    this.changed.length = changes;
    this.waiting.length = Math.min(waits, this.waiting.length);
    this.report(owner, f);
    return false;
  }
  // report brings a fault to the nearest on_error.
  report(owner, f) {
    this.note("fault", owner, f.code, f.message, f);
    this.host.fault?.(owner, f);
    if (this.faulted) return;
    this.faulted = true;
    find: for (let at2 = owner; at2 !== ""; at2 = this.parent(at2)) {
      for (const h of this.live.handlers) {
        if (h.event !== "error" || h.node !== at2) continue;
        const budget = this.budget;
        this.budget = this.turnLimit;
        this.carry(at2, { frames: [frame(this.functions[h.fn], [f.value()], [], 0)], stack: [], depth: this.depth });
        this.budget = budget;
        break find;
      }
    }
    this.faulted = false;
  }
  get(slot) {
    return this.slots[slot];
  }
  set(slot, v) {
    const old = this.slots[slot];
    this.undo.push(() => {
      this.slots[slot] = old;
    });
    this.slots[slot] = v;
    this.version++;
    if (!(v instanceof List) && !(v instanceof Obj) && sameValue(old, v)) return;
    if (!this.changed.some((c) => c.slot === slot)) this.changed.push({ slot, old });
  }
  // put sets a state key of the scene from outside, as a turn of its own.
  put(key, v) {
    const slot = this.slotOf.get(SceneOwner)?.get(key);
    if (slot === void 0) return;
    this.handler = false;
    this.atomically(SceneOwner, () => this.set(slot, v));
    this.flush();
  }
  // touch saves a list or an object before it changes, once in a turn.
  touch(v) {
    this.version++;
    if (v.turn === this.turn) return;
    v.turn = this.turn;
    if (v instanceof List) {
      const old = v.items.slice();
      this.made += old.length;
      this.undo.push(() => {
        v.items = old;
      });
    } else {
      const old = new Map(v.map);
      this.made += old.size;
      this.undo.push(() => {
        v.map = old;
      });
    }
  }
  computed(i) {
    const c = this.computeds[i];
    if (c.fresh && c.version === this.version) return c.v;
    if (c.busy) throw tooDeep(`computed '${c.key}' needs itself`);
    c.busy = true;
    try {
      const v = this.call(this.functions[c.fn], [], []);
      Object.assign(c, { v, fresh: true, version: this.version });
      return v;
    } finally {
      c.busy = false;
    }
  }
  // flush runs the watches of what changed, and then the bound properties.
  flush() {
    if (this.changed.length === 0) return;
    const changed = this.changed;
    this.changed = [];
    for (const w of this.live.watches) {
      for (const c of changed) {
        if (c.slot !== w.state) continue;
        this.handler = false;
        this.begin(this.functions[w.fn].owner, w.fn, [this.slots[w.state], c.old]);
      }
    }
    this.bindAll();
    const again2 = this.changed;
    this.changed = [];
    if (again2.length > 0) this.bindAll();
  }
  bindAll() {
    this.bind(this.live.binds);
  }
  bind(list3) {
    for (const b of list3) {
      this.handler = false;
      this.atomically(b.node, () => {
        const v = this.call(this.functions[b.fn], [], []);
        if (!sameValue(this.property(b.node, b.property), v)) this.setProperty(b.node, b.property, v);
      });
    }
  }
  property(node, key) {
    return this.props.get(node)?.get(key) ?? null;
  }
  dropProps(node) {
    this.propCount -= this.props.get(node)?.size ?? 0;
    this.props.delete(node);
  }
  putProp(node, key, v) {
    let of = this.props.get(node);
    if (!of) this.props.set(node, of = /* @__PURE__ */ new Map());
    if (!of.has(key)) this.propCount++;
    of.set(key, v);
  }
  setProperty(node, key, v) {
    const of = this.props.get(node);
    const there = of?.has(key) ?? false, old = of?.get(key) ?? null;
    if (!there && this.propCount >= limits.MaxItems * 4) throw tooLarge("too many properties");
    this.version++;
    this.undo.push(() => {
      if (there) this.putProp(node, key, old);
      else if (this.props.get(node)?.delete(key)) this.propCount--;
      this.host.property?.(node, key);
    });
    this.putProp(node, key, v);
    const shown2 = node.split("\0", 1)[0];
    this.note("property", shown2, key, v);
    this.host.property?.(node, key);
    this.alloc(1);
  }
  // place keeps what physics did to a body, outside of any turn.
  place(node, key, v) {
    this.putProp(node, key, v);
    this.version++;
  }
  stateMember(node, name3) {
    const i = this.slotOf.get(node)?.get(name3);
    return i !== void 0 ? this.slots[i] : this.property(node + "\0state", name3);
  }
  nodeMember(node, name3) {
    switch (name3) {
      case "id":
        return node;
      case "name":
        return this.nodes.get(node)?.name ?? node;
      case "state":
        return new StateOf(node);
      case "parent": {
        const p = this.parent(node);
        return p === "" ? null : new NodeRef(p);
      }
      case "current_state": {
        const s = this.machines.current(node);
        if (s !== void 0) return s;
      }
    }
    const v = this.props.get(node)?.get(name3);
    if (v !== void 0) return v;
    const slot = this.slotOf.get(node)?.get(name3);
    if (slot !== void 0) return this.slots[slot];
    const c = this.computedOf.get(node)?.get(name3);
    if (c !== void 0) return this.computed(c);
    const n = this.nodes.get(node);
    return n && name3 === "instances" ? this.instances(n.name) : null;
  }
  putNode(node, name3, v) {
    const i = this.slotOf.get(node)?.get(name3);
    if (i !== void 0) this.set(i, v);
    else this.setProperty(node, name3, v);
  }
  putState(node, name3, v) {
    const i = this.slotOf.get(node)?.get(name3);
    if (i !== void 0) this.set(i, v);
    else this.setProperty(node + "\0state", name3, v);
  }
  emit(node, name3, payload2) {
    if (this.queue.length >= limits.MaxEvents) throw tooMany(`more than ${limits.MaxEvents} events wait`);
    this.queue.push({ node, name: name3, payload: payload2 });
    this.alloc(1);
  }
  // destroy hides a node; then it is no longer found, and when nothing is left to
  // do it is forgotten with what lies below it.
  destroy(node) {
    this.setProperty(node, "visible", false);
    if (this.gone.has(node)) return;
    const { ending } = this.spawner;
    this.gone.add(node);
    ending.push(node);
    this.undo.push(() => {
      this.gone.delete(node);
      ending.pop();
    });
    if (this.heard("unmount")) this.queue.push({ node, name: "unmount", payload: null, within: true });
  }
  // dropThreads lets go of turns that wait in nodes that are no more.
  dropThreads(dead) {
    const kept = (t) => !t.frames.some((f) => dead.has(f.fn.owner));
    this.waiting = this.waiting.filter((w) => kept(w.thread));
    this.ready = this.ready.filter(kept);
  }
  // named are the nodes of a name that are still there, in their order.
  *named(name3, byID) {
    for (const [id, n] of this.nodes) if ((n.name === name3 || byID && id === name3) && !this.gone.has(id)) yield id;
  }
  // instances are the nodes that spawn made of a template.
  instances(name3) {
    return this.list([...this.named(name3, false)].filter((id) => this.spawner.spawned.has(id)).map((id) => new NodeRef(id)));
  }
  tween(node, a) {
    this.clock.tween(node, a);
  }
  addUndo(f) {
    this.undo.push(f);
  }
  // attempt takes back what it wrote when it throws, for a catch that goes on.
  attempt(work) {
    const writes = this.undo.length, changes = this.changed.length;
    try {
      return work();
    } catch (e) {
      this.goBack(writes);
      this.changed.length = changes;
      throw e;
    }
  }
  goBack(to) {
    while (this.undo.length > to) this.undo.pop()();
  }
  // play starts or stops a timeline; everything else is the host's.
  play(owner, what, a) {
    if (typeof a[0] === "string" && this.clock.turnOn(a[0], what === "play")) return null;
    return this.outside("", owner, what, a);
  }
  // model asks the host's model. Without one the answer says which question it
  // was asked, the same everywhere.
  model(owner, a) {
    this.note("host", owner, "llm_call", new List(a.slice()));
    const v = this.host.call?.("llm_call", owner, a);
    if (v !== void 0) return v;
    const prompt = this.printed(a[0] ?? null);
    this.chargeText(prompt);
    let h = 2166136261;
    for (const b of new TextEncoder().encode(prompt)) h = Math.imul(h ^ b, 16777619);
    return `stub ${(h >>> 0).toString(16).padStart(8, "0")}`;
  }
  functionOf(owner, name3) {
    return this.byName.get(owner)?.get(name3) ?? -1;
  }
  hostCall(fn, owner, name3, a) {
    this.calls.set(name3, (this.calls.get(name3) ?? 0) + 1);
    const op = library.get(name3);
    return op ? op(this, owner, a) : this.outside(fn, owner, name3, a);
  }
  outside(fn, owner, name3, a) {
    this.note("host", owner, name3, new List(a.slice()));
    if (!this.host.call) return null;
    const v = this.host.call(name3, owner, a);
    if (v !== void 0) return v;
    if (!this.unknown.has(name3)) {
      this.unknown.add(name3);
      const f = new Fault("RUN005", `the host has no operation '${clip(name3)}'`);
      f.function = fn;
      this.note("fault", owner, f.code, f.message, f);
      this.host.fault?.(owner, f);
    }
    return null;
  }
  // call runs a function to its end; it may not wait.
  call(fn, args, boxes2) {
    if (this.depth >= limits.MaxCalls) throw tooDeep(`more than ${limits.MaxCalls} calls within calls`);
    this.depth++;
    try {
      const v = this.resume({ frames: [frame(fn, args, boxes2, 0)], stack: [], depth: this.depth });
      if (v instanceof Asleep) throw wrongKind("await is not allowed here");
      return v;
    } finally {
      this.depth--;
    }
  }
  invoke(v, args) {
    const c = callable(v);
    return c.fn.of?.dead ? null : this.call(c.fn, args, c.boxes);
  }
  // resume runs a thread until it ends or waits; faults are thrown.
  resume(t) {
    const outer = this.depth;
    try {
      for (; ; ) {
        try {
          for (; ; ) {
            this.depth = t.depth + t.frames.length;
            const v = this.instruction(t);
            if (v !== going) return v;
          }
        } catch (e) {
          if (!(e instanceof Fault)) throw e;
          const top = t.frames[t.frames.length - 1];
          if (e.function === "") {
            e.function = top.fn.name;
            [e.line, e.column] = placeOf(top.fn, top.pc);
          }
          if (e.code === "RUN001" || !caught(t, e)) throw e;
        }
      }
    } finally {
      this.depth = outer;
    }
  }
  // charge counts work beyond one instruction.
  charge(n) {
    this.budget -= n;
    this.spent += n;
  }
  chargeText(s) {
    if (s.length * 3 >= limits.ChargeBytes) this.charge(Math.floor(bytesOf(s) / limits.ChargeBytes));
  }
  checkBudget() {
    if (this.budget < 0) throw tooLong(`the turn takes more than ${this.turnLimit} instructions`);
  }
  alloc(n) {
    this.made += n;
    this.charge(Math.floor(n / limits.ChargeBytes));
    if (this.made > limits.MaxAlloc) throw tooLarge(`a turn makes more than ${limits.MaxAlloc}`);
  }
  bytes(s) {
    return bytesOf(s);
  }
  text(s) {
    const n = bytesOf(s);
    if (n > limits.MaxText) throw tooLarge(`text of ${n} bytes`);
    this.alloc(n);
    return s;
  }
  list(items) {
    if (items.length > limits.MaxItems) throw tooLarge(`list of ${items.length} elements`);
    this.alloc(items.length + 1);
    return new List(items);
  }
  // printed is a value as text; printing a large one is work.
  printed(v) {
    if (typeof v === "string") return v;
    const s = textOf(v);
    if (v instanceof List || v instanceof Obj) this.chargeText(s);
    return s;
  }
  shown(v) {
    return typeof v === "string" ? quote(v) : this.printed(v);
  }
  same(a, b) {
    const left = new Budget(limits.MaxItems);
    const yes = equal(a, b, limits.MaxDepth, left);
    this.charge(Math.floor((limits.MaxItems - left.left) / limits.ChargeElements));
    return yes;
  }
  // find is the place of a value in a list, -1 without one.
  find(items, x) {
    for (let i = 0; i < items.length; i++) {
      if (i % limits.ChargeElements === limits.ChargeElements - 1) this.charge(1);
      if (this.same(items[i], x)) return i;
      this.checkBudget();
    }
    return -1;
  }
  // numbers are the first arguments as numbers; those that are not given are 0.
  numbers(a, n) {
    const out = new Array(n).fill(0);
    for (let i = 0; i < Math.min(n, a.length); i++) {
      const v = asNumber(a[i]);
      if (v === void 0) throw wrongKind(`argument ${i + 1} is ${typeName(a[i])}, not a number`);
      out[i] = v;
    }
    return out;
  }
  log(node, text3) {
    this.note("log", node, "", text3);
    this.host.log?.(node, short(text3));
  }
  // note appends to the trace. Values are printed at once: they may change later.
  note(kind, node, name3, value, f) {
    if (!this.tracing) return;
    if (this.trace.length >= limits.MaxTrace || this.made > limits.MaxAlloc) {
      this.dropped++;
      return;
    }
    let text3;
    if (value instanceof List || value instanceof Obj || value instanceof Closure) text3 = short(showOf(value));
    else if (typeof value === "string") text3 = quote(short(value));
    else text3 = showOf(value);
    this.trace.push({ at: this.time, kind, node, name: name3, text: text3, function: f?.function ?? "", line: f?.line ?? 0, column: f?.column ?? 0 });
  }
  // instruction runs one instruction of a thread.
  instruction(t) {
    if (--this.budget < 0) throw tooLong(`the turn takes more than ${this.turnLimit} instructions`);
    this.spent++;
    const fr = t.frames[t.frames.length - 1], { code, of } = fr.fn, s = t.stack, p = this.p;
    const op = code[fr.pc], a = code[fr.pc + 1], b = code[fr.pc + 2];
    let next = fr.pc + 1 + width[op];
    if (s.length >= limits.MaxStack) throw tooLarge(`stack of more than ${limits.MaxStack} values`);
    switch (op) {
      case 0 /* Const */:
        s.push(p.consts[a]);
        break;
      case 1 /* Pop */:
        s.pop();
        break;
      case 2 /* Dup */:
        s.push(s[s.length - 1]);
        break;
      case 3 /* Load */: {
        const v = fr.locals[a];
        s.push(v instanceof Box ? v.v : v);
        break;
      }
      case 4 /* Store */: {
        const v = s.pop(), box3 = fr.locals[a];
        if (box3 instanceof Box) {
          this.touchBox(box3);
          box3.v = v;
        } else fr.locals[a] = v;
        break;
      }
      case 5 /* Cell */: {
        let box3 = fr.locals[a];
        if (!(box3 instanceof Box)) fr.locals[a] = box3 = new Box(box3, this.turn);
        s.push(box3);
        break;
      }
      case 6 /* Self */:
        s.push(new NodeRef(fr.fn.owner));
        break;
      case 7 /* Node */:
        s.push(new NodeRef(of ? of.node(p.consts[a]) : p.consts[a]));
        break;
      case 8 /* Get */:
        s.push(this.slots[of ? of.slot(a) : a]);
        break;
      case 9 /* Set */:
        this.set(of ? of.slot(a) : a, s.pop());
        break;
      case 10 /* Comp */:
        s.push(this.computed(of ? of.computed(a) : a));
        break;
      case 11 /* Mem */:
        s.push(member(this, s.pop(), p.consts[a]));
        break;
      case 12 /* PutMem */: {
        const v = s.pop();
        putMember(this, s.pop(), p.consts[a], v);
        break;
      }
      case 13 /* Idx */: {
        const i = s.pop();
        s.push(index(this, s.pop(), i));
        break;
      }
      case 14 /* PutIdx */: {
        const v = s.pop(), i = s.pop();
        putIndex(this, s.pop(), i, v);
        break;
      }
      case 15 /* Arr */:
        s.push(this.list(take(s, a)));
        break;
      case 16 /* Obj */: {
        const pairs = take(s, 2 * a), o = new Obj();
        for (let i = 0; i < pairs.length; i += 2) o.map.set(this.printed(pairs[i]), pairs[i + 1]);
        s.push(o);
        this.alloc(a + 1);
        break;
      }
      case 17 /* Concat */: {
        const y = s.pop(), x = s.pop();
        if (!(x instanceof List) || !(y instanceof List)) throw wrongKind(`only a list can be spread into a list, not ${typeName(y)}`);
        s.push(this.list([...x.items, ...y.items]));
        break;
      }
      case 18 /* Merge */: {
        const y = s.pop();
        s.push(merge(this, s.pop(), y));
        break;
      }
      case 19 /* Tpl */: {
        let text3 = "", size = 0;
        for (const v of take(s, a)) {
          const one = this.printed(v);
          text3 += one;
          size += bytesOf(one);
          if (size > limits.MaxText) break;
        }
        s.push(this.text(text3));
        break;
      }
      case 20 /* Add */: {
        const y = s.pop(), x = s.pop();
        s.push(typeof x === "string" || typeof y === "string" ? this.text(this.printed(x) + this.printed(y)) : arithmetic(op, x, y));
        break;
      }
      case 21 /* Sub */:
      case 22 /* Mul */:
      case 23 /* Div */:
      case 24 /* Mod */:
      case 25 /* Pow */: {
        const y = s.pop();
        s.push(arithmetic(op, s.pop(), y));
        break;
      }
      case 26 /* Neg */: {
        const v = s.pop(), n = asNumber(v);
        if (n === void 0) throw wrongKind(`- needs a number, not ${typeName(v)}`);
        s.push(-n);
        break;
      }
      case 27 /* And */:
      case 28 /* Or */:
      case 29 /* Xor */:
      case 30 /* Shl */:
      case 31 /* Shr */: {
        const y = s.pop();
        s.push(bits(op, s.pop(), y));
        break;
      }
      case 32 /* Compl */: {
        const v = s.pop(), n = asNumber(v);
        if (n === void 0) throw wrongKind(`~ needs a number, not ${typeName(v)}`);
        s.push(~n);
        break;
      }
      case 33 /* Not */:
        s.push(!truthy(s.pop()));
        break;
      case 34 /* Eq */:
      case 35 /* Ne */: {
        const y = s.pop();
        s.push(this.same(s.pop(), y) === (op === 34 /* Eq */));
        break;
      }
      case 36 /* Lt */:
      case 37 /* Le */:
      case 38 /* Gt */:
      case 39 /* Ge */: {
        const y = s.pop();
        s.push(order(this, op, s.pop(), y));
        break;
      }
      case 40 /* In */: {
        const y = s.pop();
        s.push(within(this, s.pop(), y));
        break;
      }
      case 41 /* Range */: {
        const y = s.pop();
        s.push(rangeOf(this, s.pop(), y));
        break;
      }
      case 42 /* Jmp */:
        next = a;
        break;
      case 43 /* Jz */:
        if (!truthy(s.pop())) next = a;
        break;
      case 44 /* Jnz */:
        if (truthy(s.pop())) next = a;
        break;
      case 45 /* Jnull */:
        if (s[s.length - 1] === null) next = a;
        break;
      case 46 /* Call */:
        this.deeper();
        fr.pc = next;
        t.frames.push(frame(this.functions[of ? of.fn(a) : a], take(s, b), [], s.length));
        return going;
      case 47 /* Host */:
        s.push(this.hostCall(fr.fn.name, fr.fn.owner, p.host[a], take(s, b)));
        break;
      case 48 /* Method */: {
        const args = take(s, b);
        s.push(method(this, s.pop(), p.consts[a], args));
        break;
      }
      case 49 /* Fn */: {
        s.push(new Closure(this.functions[of ? of.fn(a) : a], take(s, b).map((v) => v instanceof Box ? v : new Box(v, this.turn))));
        this.alloc(b + 1);
        break;
      }
      case 62 /* Hosts */:
        s.push(this.hostCall(fr.fn.name, fr.fn.owner, p.host[a], spreadArgs(s.pop())));
        break;
      case 61 /* Methods */: {
        const args = spreadArgs(s.pop());
        s.push(method(this, s.pop(), p.consts[a], args));
        break;
      }
      case 50 /* Callv */:
      case 60 /* Calls */: {
        const args = op === 50 /* Callv */ ? take(s, a) : spreadArgs(s.pop()), c = callable(s.pop());
        if (c.fn.of?.dead) {
          s.push(null);
          break;
        }
        this.deeper();
        fr.pc = next;
        t.frames.push(frame(c.fn, args, c.boxes, s.length));
        return going;
      }
      case 51 /* Ret */: {
        const v = s.pop();
        s.length = fr.base;
        t.frames.pop();
        if (t.frames.length === 0) return v;
        s.push(v);
        return going;
      }
      case 52 /* Throw */: {
        const v = s.pop();
        const f = new Fault("RUN006", clip(this.printed(v)));
        f.thrown = v;
        if (v instanceof Obj) {
          const text3 = v.map.get("message");
          if (typeof text3 === "string") f.message = clip(text3);
        }
        throw f;
      }
      case 53 /* Try */:
        fr.tries.push({ pc: a, height: s.length });
        break;
      case 54 /* EndTry */:
        fr.tries.pop();
        break;
      case 55 /* Emit */: {
        const v = take(s, a);
        this.emit(fr.fn.owner, this.printed(v[0]), a === 2 ? v[1] : null);
        break;
      }
      case 56 /* Await */: {
        const n = s.pop();
        s.push(null);
        fr.pc = next;
        return new Asleep(typeof n === "number" && n >= 0 ? Math.min(n, 1e9) : 0);
      }
      case 57 /* Spawn */: {
        const overrides = s.pop(), place = s.pop();
        s.push(this.spawner.spawn(fr.fn.owner, p.consts[a], place, overrides));
        break;
      }
      case 58 /* Iter */:
        s.push(iterate(this, s.pop()));
        break;
      case 59 /* Next */: {
        const it = s[s.length - 1];
        if (!(it instanceof Iter)) throw wrongKind("nothing to walk over");
        if (it.at < it.items.length) s.push(it.items[it.at++]);
        else {
          s.pop();
          next = a;
        }
      }
    }
    fr.pc = next;
    return going;
  }
  deeper() {
    if (this.depth >= limits.MaxCalls) throw tooDeep(`more than ${limits.MaxCalls} calls within calls`);
  }
  touchBox(b) {
    if (b.turn === this.turn) return;
    b.turn = this.turn;
    const old = b.v;
    this.undo.push(() => {
      b.v = old;
    });
  }
  // measure counts what state, properties and waiting turns hold.
  measure() {
    const seen = /* @__PURE__ */ new Set();
    const work = [...this.slots];
    for (const of of this.props.values()) for (const v of of.values()) work.push(v);
    for (const e of this.queue) work.push(e.payload);
    for (const w of this.waiting) {
      for (const f of w.thread.frames) for (const v of f.locals) work.push(v);
      for (const v of w.thread.stack) work.push(v);
    }
    let n = 0;
    while (work.length > 0 && n <= limits.MaxHeld) {
      const v = work.pop();
      n++;
      if (typeof v === "string") n += bytesOf(v);
      else if (typeof v === "object" && v !== null && !(v instanceof Iter)) {
        if (seen.has(v)) continue;
        seen.add(v);
      }
      if (v instanceof List || v instanceof Iter) for (const e of v.items) work.push(e);
      else if (v instanceof Obj) {
        for (const [k, e] of v.map) {
          n += bytesOf(k);
          work.push(e);
        }
      } else if (v instanceof Closure) for (const b of v.boxes) work.push(b.v);
      else if (v instanceof Box) work.push(v.v);
    }
    return n;
  }
};
function frame(fn, args, boxes2, base) {
  const locals = new Array(fn.locals).fill(null);
  const fixed2 = fn.rest ? fn.params - 1 : fn.params;
  for (let i = 0; i < Math.min(fixed2, args.length); i++) locals[i] = args[i];
  if (fn.rest) locals[fixed2] = new List(args.slice(fixed2));
  for (let i = 0; i < boxes2.length; i++) locals[fn.params + i] = boxes2[i];
  return { fn, pc: 0, locals, base, tries: [] };
}
function take(stack, n) {
  return stack.splice(stack.length - n, n);
}
function spreadArgs(v) {
  if (!(v instanceof List)) throw wrongKind(`only a list can be spread into arguments, not ${typeName(v)}`);
  if (v.items.length > limits.MaxStack) throw new Fault("RUN007", `more than ${limits.MaxStack} arguments`);
  return [...v.items];
}
function caught(t, f) {
  while (t.frames.length > 0) {
    const top = t.frames[t.frames.length - 1], at2 = top.tries.pop();
    if (at2) {
      t.stack.length = at2.height;
      t.stack.push(f.value());
      top.pc = at2.pc;
      return true;
    }
    t.stack.length = top.base;
    t.frames.pop();
  }
  return false;
}
function placeOf(f, pc) {
  let out = [0, 0];
  for (const l of f.lines) {
    if (l[0] > pc) break;
    out = [l[1], l[2]];
  }
  return out;
}
function name2(into, owner, key, i) {
  let of = into.get(owner);
  if (!of) into.set(owner, of = /* @__PURE__ */ new Map());
  if (!of.has(key)) of.set(key, i);
}

// src/vector.ts
function add(a, b) {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}
function sub(a, b) {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
function mul(a, s) {
  return [a[0] * s, a[1] * s, a[2] * s];
}
function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
function length(a) {
  return Math.sqrt(dot(a, a));
}
function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
function product(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]
  ];
}
function turn(q, v) {
  const u = [q[0], q[1], q[2]];
  const t = mul(cross(u, v), 2);
  return add(add(v, mul(t, q[3])), cross(u, t));
}
function spin(q, w, dt) {
  const d = product([w[0], w[1], w[2], 0], q), h = dt / 2;
  return [q[0] + d[0] * h, q[1] + d[1] * h, q[2] + d[2] * h, q[3] + d[3] * h];
}
function slerp(a, b, u) {
  let c = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], from = 1 - u, to = u;
  const sign = c < 0 ? -1 : 1;
  c *= sign;
  if (c < 0.9995) {
    const angle = Math.acos(c), sin = Math.sin(angle);
    from = Math.sin(from * angle) / sin;
    to = Math.sin(to * angle) / sin;
  }
  to *= sign;
  const q = [a[0] * from + b[0] * to, a[1] * from + b[1] * to, a[2] * from + b[2] * to, a[3] * from + b[3] * to];
  const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) || 1;
  return [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
}
function toward(from, to) {
  const unit4 = (v, otherwise) => length(v) > 1e-9 ? mul(v, 1 / length(v)) : otherwise;
  const z = unit4(sub(from, to), [0, 0, 1]);
  const x = unit4(cross([0, 1, 0], z), [1, 0, 0]), y = cross(z, x);
  const trace = x[0] + y[1] + z[2];
  let q;
  if (trace > 0) {
    const s = 0.5 / Math.sqrt(trace + 1);
    q = [(y[2] - z[1]) * s, (z[0] - x[2]) * s, (x[1] - y[0]) * s, 0.25 / s];
  } else if (x[0] > y[1] && x[0] > z[2]) {
    const s = 2 * Math.sqrt(1 + x[0] - y[1] - z[2]);
    q = [0.25 * s, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s];
  } else if (y[1] > z[2]) {
    const s = 2 * Math.sqrt(1 + y[1] - x[0] - z[2]);
    q = [(y[0] + x[1]) / s, 0.25 * s, (z[1] + y[2]) / s, (z[0] - x[2]) / s];
  } else {
    const s = 2 * Math.sqrt(1 + z[2] - x[0] - y[1]);
    q = [(z[0] + x[2]) / s, (z[1] + y[2]) / s, 0.25 * s, (x[1] - y[0]) / s];
  }
  return q;
}
function back(q) {
  return [-q[0], -q[1], -q[2], q[3]];
}
function sine(degrees) {
  let x = degrees % 360;
  if (x < 0) x += 360;
  if (x > 180) return -sine(x - 180);
  if (x > 90) x = 180 - x;
  const u = x * Math.PI / 180, s = u * u;
  let sum = 0;
  for (let k = 19; k >= 3; k -= 2) sum = -s / (k * (k - 1)) * (1 + sum);
  return u * (1 + sum);
}
function euler(degrees) {
  let out = [0, 0, 0, 1];
  for (let k = 0; k < 3; k++) {
    const q = [0, 0, 0, sine(degrees[k] / 2 + 90)];
    q[k] = sine(degrees[k] / 2);
    out = product(out, q);
  }
  return out;
}

// src/contact.ts
function collide(a, b) {
  if (a.shape === "box" && b.shape === "box") return boxes(a, b);
  if (a.shape === "box") return roundOnBox(b, a).map(reversed);
  if (b.shape === "box") return roundOnBox(a, b);
  return rounds(a, b);
}
function reversed(c) {
  return { ...c, a: c.b, b: c.a, normal: mul(c.normal, -1) };
}
function segment(b) {
  if (b.shape === "sphere") return [b.p, b.p];
  const up = mul(b.axes[1], b.half[1]);
  return [sub(b.p, up), add(b.p, up)];
}
function rounds(a, b) {
  const [p, q] = nearest(segment(a), segment(b));
  const d = sub(q, p), n = length(d), depth = a.radius + b.radius - n;
  if (depth <= 0) return [];
  const normal2 = n > 1e-9 ? mul(d, 1 / n) : [0, 1, 0];
  return [{ a, b, normal: normal2, depth, point: add(p, mul(normal2, a.radius - depth / 2)) }];
}
function nearest([p1, q1], [p2, q2]) {
  const d1 = sub(q1, p1), d2 = sub(q2, p2), r = sub(p1, p2);
  const a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r), c = dot(d1, r), b = dot(d1, d2);
  let s = 0, t = 0;
  if (a > 1e-12) {
    const k = a * e - b * b;
    s = e > 1e-12 && k > 1e-9 * a * e ? clamp2((b * f - c * e) / k, 0, 1) : clamp2(-c / a, 0, 1);
  }
  if (e > 1e-12) {
    t = clamp2((b * s + f) / e, 0, 1);
    if (a > 1e-12) s = clamp2((b * t - c) / a, 0, 1);
  }
  return [add(p1, mul(d1, s)), add(p2, mul(d2, t))];
}
function roundOnBox(a, box3) {
  const [p, q] = segment(a);
  if (a.shape === "sphere") return ball(a, box3, p);
  const out = [...ball(a, box3, p), ...ball(a, box3, q)];
  const d = sub(q, p), long = dot(d, d);
  if (long < 1e-12) return out.slice(0, 1);
  let s = 0.5;
  for (let k = 0; k < 6; k++) s = clamp2(dot(sub(inBox(box3, add(p, mul(d, s))), p), d) / long, 0, 1);
  if (s > 0.05 && s < 0.95) out.push(...ball(a, box3, add(p, mul(d, s))));
  return out;
}
function inBox(box3, at2) {
  const d = sub(at2, box3.p);
  let out = box3.p;
  for (let k = 0; k < 3; k++) out = add(out, mul(box3.axes[k], clamp2(dot(d, box3.axes[k]), -box3.half[k], box3.half[k])));
  return out;
}
function ball(a, box3, at2) {
  const on = inBox(box3, at2), d = sub(on, at2), n = length(d);
  if (n >= a.radius) return [];
  if (n > 1e-9) return [{ a, b: box3, point: on, normal: mul(d, 1 / n), depth: a.radius - n }];
  const from = sub(at2, box3.p);
  let face = 0, least = Infinity, sign = 1;
  for (let k = 0; k < 3; k++) {
    const x = dot(from, box3.axes[k]), out = box3.half[k] - Math.abs(x);
    if (out < least) [least, face, sign] = [out, k, x < 0 ? -1 : 1];
  }
  return [{ a, b: box3, point: at2, normal: mul(box3.axes[face], -sign), depth: a.radius + least }];
}
function boxes(a, b) {
  const d = sub(b.p, a.p);
  let best = Infinity, normal2 = [0, 1, 0], kind = -1;
  const reach = (o, n) => {
    let r = 0;
    for (let k = 0; k < 3; k++) r += Math.abs(dot(o.axes[k], n)) * o.half[k];
    return r;
  };
  const apart2 = (n, which, worse) => {
    const far = dot(d, n), over = reach(a, n) + reach(b, n) - Math.abs(far);
    if (over < 0) return true;
    if (over * worse + (worse > 1 ? 1e-3 : 0) < best) [best, normal2, kind] = [over * worse, far < 0 ? mul(n, -1) : n, which];
    return false;
  };
  for (let k = 0; k < 3; k++) if (apart2(a.axes[k], k, 1)) return [];
  for (let k = 0; k < 3; k++) if (apart2(b.axes[k], 3 + k, 1.0001)) return [];
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      const n = cross(a.axes[i], b.axes[k]), size = length(n);
      if (size > 1e-4 && apart2(mul(n, 1 / size), 6 + i * 3 + k, 1.05)) return [];
    }
  }
  if (kind >= 6) return edges(a, b, normal2, (kind - 6) / 3 | 0, (kind - 6) % 3);
  return kind < 3 ? faces(a, b, kind, normal2) : faces(b, a, kind - 3, mul(normal2, -1)).map(reversed);
}
function edges(a, b, normal2, i, k) {
  const line2 = (o, axis2, towards) => {
    let middle = o.p;
    for (let m = 0; m < 3; m++) {
      if (m !== axis2) middle = add(middle, mul(o.axes[m], o.half[m] * (dot(o.axes[m], normal2) * towards < 0 ? -1 : 1)));
    }
    const along2 = mul(o.axes[axis2], o.half[axis2]);
    return [sub(middle, along2), add(middle, along2)];
  };
  const [p, q] = nearest(line2(a, i, 1), line2(b, k, -1));
  const depth = dot(sub(p, q), normal2);
  return depth > 0 ? [{ a, b, normal: normal2, depth, point: mul(add(p, q), 0.5) }] : [];
}
function faces(a, b, axis2, normal2) {
  let other = 0, most2 = -1;
  for (let k = 0; k < 3; k++) {
    const x = Math.abs(dot(b.axes[k], normal2));
    if (x > most2 + 1e-9) [most2, other] = [x, k];
  }
  const side = dot(b.axes[other], normal2) > 0 ? -1 : 1;
  const u = (other + 1) % 3, v = (other + 2) % 3;
  const middle = add(b.p, mul(b.axes[other], side * b.half[other]));
  let shape = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([x, y]) => add(middle, add(mul(b.axes[u], x * b.half[u]), mul(b.axes[v], y * b.half[v]))));
  for (const m of [(axis2 + 1) % 3, (axis2 + 2) % 3]) {
    for (const sign of [1, -1]) shape = cut(shape, mul(a.axes[m], sign), dot(a.p, a.axes[m]) * sign + a.half[m]);
  }
  const level2 = dot(a.p, normal2) + a.half[axis2];
  const out = [];
  for (const point of shape) {
    const depth = level2 - dot(point, normal2);
    if (depth > 0) out.push({ a, b, normal: normal2, depth, point: add(point, mul(normal2, depth / 2)) });
  }
  return out;
}
function cut(shape, n, level2) {
  const out = [];
  shape.forEach((p, i) => {
    const q = shape[(i + 1) % shape.length], x = dot(p, n) - level2, y = dot(q, n) - level2;
    if (x <= 0) out.push(p);
    if (x < 0 !== y < 0 && x !== y && x !== 0 && y !== 0) out.push(add(p, mul(sub(q, p), x / (x - y))));
  });
  return out;
}
function clamp2(x, low, high) {
  return Math.min(Math.max(x, low), high);
}

// src/solver.ts
var limits2 = {
  bodies: 1e3,
  // more stay where they are; two hundred in a heap take a third of a step's time
  rate: 60,
  // steps in a second
  pieces: 2,
  // of a step, each solved by itself
  rounds: 8,
  // over all contacts of a piece
  speed: 60,
  // metres in a second; faster things would jump through walls
  turning: 40
  // radians in a second
};
var slop = 4e-3;
var push = 3;
var bounces = 0.5;
var restful = 0.05;
var restTime = 30;
var Body = class {
  constructor(spec, index2) {
    this.spec = spec;
    this.index = index2;
    const [x, y, z] = spec.size.map((s) => Math.max(Math.abs(s), 1e-4));
    this.center = [...spec.center ?? [0, 0, 0]];
    this.shape = spec.shape === "plane" ? "box" : spec.shape;
    this.radius = spec.shape === "sphere" ? Math.max(x, y, z) / 2 : spec.shape === "capsule" ? Math.max(x, z) / 2 : 0;
    this.half = [x / 2, y / 2, z / 2];
    if (spec.shape === "plane") {
      this.half[1] = 0.25;
      this.center[1] -= 0.25;
    }
    if (this.shape === "capsule") this.half = [this.radius, Math.max(y / 2 - this.radius, 0), this.radius];
    const mass = Math.max(spec.mass ?? 1, 1e-3);
    this.inverseMass = spec.type === "dynamic" && !spec.trigger ? 1 / mass : 0;
    this.inverseInertia = [0, 0, 0];
    if (this.inverseMass > 0) this.inverseInertia = this.inertia(mass).map((i) => 1 / i);
    this.r = unit(spec.r);
    this.p = [0, 0, 0];
    this.place(spec.t, this.r);
  }
  spec;
  index;
  half;
  radius;
  shape;
  p;
  r;
  v = [0, 0, 0];
  w = [0, 0, 0];
  axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  lower = [0, 0, 0];
  upper = [0, 0, 0];
  asleep = false;
  held = false;
  calm = 0;
  inverseMass;
  inverseInertia;
  center;
  inertia(mass) {
    const [x, y, z] = this.half, r = this.radius;
    if (this.shape === "sphere") return [0.4 * mass * r * r, 0.4 * mass * r * r, 0.4 * mass * r * r];
    if (this.shape === "capsule") {
      const h = 2 * (y + r);
      const across = mass * (3 * r * r + h * h) / 12;
      return [across, 0.5 * mass * r * r, across];
    }
    return [mass * (y * y + z * z) / 3, mass * (x * x + z * z) / 3, mass * (x * x + y * y) / 3];
  }
  // place puts the body somewhere without moving it there.
  place(t, r) {
    this.r = unit(r);
    this.p = add(t, turn(this.r, this.center));
    this.refresh();
  }
  // origin is where the thing itself is, whose shape may stand beside it.
  origin() {
    return sub(this.p, turn(this.r, this.center));
  }
  get moving() {
    return this.inverseMass > 0 && !this.held;
  }
  // lightness is the inverse mass that counts in contacts: what is held or asleep
  // is not moved by them.
  get lightness() {
    return this.asleep || this.held ? 0 : this.inverseMass;
  }
  refresh() {
    this.axes = [turn(this.r, [1, 0, 0]), turn(this.r, [0, 1, 0]), turn(this.r, [0, 0, 1])];
    for (let k = 0; k < 3; k++) {
      let reach = this.radius;
      if (this.shape === "box") {
        reach = Math.abs(this.axes[0][k]) * this.half[0] + Math.abs(this.axes[1][k]) * this.half[1] + Math.abs(this.axes[2][k]) * this.half[2];
      } else if (this.shape === "capsule") reach += Math.abs(this.axes[1][k]) * this.half[1];
      this.lower[k] = this.p[k] - reach;
      this.upper[k] = this.p[k] + reach;
    }
  }
  // turnLight is the inverse inertia times a vector of the world.
  turnLight(x) {
    if (this.lightness === 0) return [0, 0, 0];
    let out = [0, 0, 0];
    for (let k = 0; k < 3; k++) out = add(out, mul(this.axes[k], dot(this.axes[k], x) * this.inverseInertia[k]));
    return out;
  }
  speedAt(arm) {
    return add(this.v, cross(this.w, arm));
  }
  wake() {
    this.asleep = false;
    this.calm = 0;
  }
};
var Solver = class {
  constructor(gravity = [0, -9.81, 0]) {
    this.gravity = gravity;
  }
  gravity;
  bodies = [];
  byId = /* @__PURE__ */ new Map();
  pairs = /* @__PURE__ */ new Map();
  events = [];
  order = [];
  added = 0;
  pieces = 0;
  trails = /* @__PURE__ */ new Map();
  // add takes a body in; false when there are too many or its id is taken.
  add(spec) {
    if (this.bodies.length >= limits2.bodies || this.byId.has(spec.id)) return false;
    if (![...spec.size, ...spec.t, ...spec.r, ...spec.center ?? []].every(Number.isFinite)) return false;
    const b = new Body(spec, this.added++);
    this.bodies.push(b);
    this.order.push(b);
    this.byId.set(spec.id, b);
    return true;
  }
  remove(id) {
    const b = this.byId.get(id);
    if (!b) return;
    this.byId.delete(id);
    this.bodies.splice(this.bodies.indexOf(b), 1);
    this.order.splice(this.order.indexOf(b), 1);
    this.trails.delete(b);
    for (const [key, p] of this.pairs) if (p.a === b || p.b === b) this.part(key, p);
  }
  get(id) {
    return this.byId.get(id);
  }
  // place puts a body somewhere at once, at rest.
  place(id, t, r) {
    const b = this.byId.get(id);
    if (!b) return;
    b.place(t, r);
    b.v = [0, 0, 0];
    b.w = [0, 0, 0];
    this.rouse(b);
  }
  // move leads a body that is not pushed by others to a place within one step,
  // so that it pushes and carries what it touches.
  move(id, t, r) {
    const b = this.byId.get(id);
    if (b && !b.moving) this.lead(b, t, r);
  }
  // push changes the speed of a body.
  push(id, speed) {
    const b = this.byId.get(id);
    if (!b?.moving || !speed.every(Number.isFinite)) return;
    b.wake();
    b.v = add(b.v, speed);
  }
  // grab holds a body: it goes where hold puts it.
  grab(id) {
    const b = this.byId.get(id);
    if (!b || b.inverseMass === 0 || b.held) return false;
    b.wake();
    b.held = true;
    b.v = [0, 0, 0];
    b.w = [0, 0, 0];
    this.trails.set(b, { t: b.origin(), r: b.r, past: [], turns: [] });
    return true;
  }
  hold(id, t, r) {
    const b = this.byId.get(id);
    const trail = b && this.trails.get(b);
    if (!b || !trail || !t.every(Number.isFinite)) return;
    trail.t = [...t];
    if (r) trail.r = unit(r);
  }
  // release lets go: the body flies on with the speed of the hand, times scale.
  release(id, scale = 1, most2 = 20) {
    const b = this.byId.get(id);
    const trail = b && this.trails.get(b);
    if (!b || !trail) return;
    this.trails.delete(b);
    b.held = false;
    b.wake();
    b.v = capped(mul(mean(trail.past), scale), most2);
    b.w = capped(mul(mean(trail.turns), scale), limits2.turning);
  }
  // step moves everything on and says what began and ended to touch.
  step() {
    for (const [b, trail] of this.trails) {
      this.lead(b, trail.t, trail.r);
      trail.past = [...trail.past.slice(-5), [...b.v]];
      trail.turns = [...trail.turns.slice(-5), [...b.w]];
    }
    const dt = 1 / limits2.rate / limits2.pieces;
    for (let k = 0; k < limits2.pieces; k++) this.piece(dt);
    for (const b of this.bodies) {
      if (!b.moving) {
        b.v = [0, 0, 0];
        b.w = [0, 0, 0];
      } else if (!b.asleep) this.settle(b);
    }
    const told = this.events;
    this.events = [];
    return told;
  }
  lead(b, t, r) {
    if (![...t, ...r].every(Number.isFinite)) return;
    const before = b.p, from = b.r;
    const to = unit(r);
    const goal = add(t, turn(to, b.center));
    b.v = capped(mul(sub(goal, before), limits2.rate), limits2.speed);
    const d = product(to, [-from[0], -from[1], -from[2], from[3]]);
    const sign = d[3] < 0 ? -2 : 2;
    b.w = capped([d[0] * sign * limits2.rate, d[1] * sign * limits2.rate, d[2] * sign * limits2.rate], limits2.turning);
    if (length(b.v) > 1e-4 || length(b.w) > 1e-4) this.rouse(b);
  }
  // rouse wakes what touches a body.
  rouse(b) {
    b.wake();
    for (const p of this.pairs.values()) {
      if (p.a === b) p.b.wake();
      else if (p.b === b) p.a.wake();
    }
  }
  settle(b) {
    const calm = dot(b.v, b.v) < restful * restful && dot(b.w, b.w) < 4 * restful * restful;
    b.calm = calm ? b.calm + 1 : 0;
    if (b.calm < restTime || !this.rests(b)) return;
    b.asleep = true;
    b.v = [0, 0, 0];
    b.w = [0, 0, 0];
  }
  // rests says whether something holds a body up; without weight it needs nothing.
  rests(b) {
    if (dot(this.gravity, this.gravity) * (b.spec.gravity ?? 1) === 0) return true;
    for (const p of this.pairs.values()) if (!p.trigger && (p.a === b || p.b === b)) return true;
    return false;
  }
  piece(dt) {
    for (const b of this.bodies) {
      if (!b.moving || b.asleep) continue;
      b.v = capped(mul(add(b.v, mul(this.gravity, dt * (b.spec.gravity ?? 1))), 1 / (1 + dt * (b.spec.drag ?? 0))), limits2.speed);
      b.w = capped(mul(b.w, 1 / (1 + dt * (b.spec.turnDrag ?? 0.05))), limits2.turning);
    }
    const contacts = this.contacts();
    for (let k = 0; k < limits2.rounds; k++) for (const c of contacts) resolve(c, dt);
    for (const b of this.bodies) {
      if (b.asleep || !b.moving && dot(b.v, b.v) + dot(b.w, b.w) === 0) continue;
      b.p = add(b.p, mul(b.v, dt));
      b.r = unit(spin(b.r, b.w, dt));
      b.refresh();
    }
    for (let k = 0; k < 2; k++) for (const c of contacts) resolve(c, 0);
    for (const c of contacts) rebound(c);
  }
  // contacts finds what touches, tells what is new and what is over, and returns
  // what is to be solved.
  contacts() {
    const out = [];
    this.pieces++;
    this.sweep((a, b) => {
      const touching = collide(a, b);
      if (touching.length === 0) return;
      const key = a.index * 67108864 + b.index;
      const trigger = Boolean(a.spec.trigger || b.spec.trigger);
      let pair = this.pairs.get(key);
      const speed = sub(b.speedAt(sub(touching[0].point, b.p)), a.speedAt(sub(touching[0].point, a.p)));
      if (!pair) {
        pair = { a, b, trigger, seen: 0 };
        this.pairs.set(key, pair);
        this.tell(trigger ? "trigger_enter" : "collision_enter", a, b, touching[0].point, Math.max(-dot(speed, touching[0].normal), 0));
      }
      pair.seen = this.pieces;
      if (trigger) return;
      const rush = length(speed);
      if (a.asleep && rush > (b.moving ? restful * 4 : 1e-3)) a.wake();
      if (b.asleep && rush > (a.moving ? restful * 4 : 1e-3)) b.wake();
      for (const c of touching) out.push(join(c));
    });
    for (const [key, p] of this.pairs) {
      const still = !awake(p.a) && !awake(p.b);
      if (p.seen === this.pieces || still) continue;
      this.part(key, p);
    }
    return out;
  }
  part(key, p) {
    this.pairs.delete(key);
    this.tell(p.trigger ? "trigger_exit" : "collision_exit", p.a, p.b);
    if (!p.trigger) {
      p.a.wake();
      p.b.wake();
    }
  }
  tell(name3, a, b, point, speed) {
    for (const [x, y] of [[a, b], [b, a]]) {
      this.events.push({ name: name3, node: x.spec.id, other: y.spec.id, ...point && { point: [...point] }, ...speed !== void 0 && { speed } });
    }
  }
  // sweep calls for every two bodies whose boxes overlap and of which one can
  // move, in an order that follows from the places alone.
  sweep(found) {
    const list3 = this.order;
    for (let i = 1; i < list3.length; i++) {
      const b = list3[i];
      let k = i - 1;
      for (; k >= 0 && (list3[k].lower[0] > b.lower[0] || list3[k].lower[0] === b.lower[0] && list3[k].index > b.index); k--) list3[k + 1] = list3[k];
      list3[k + 1] = b;
    }
    for (let i = 0; i < list3.length; i++) {
      const a = list3[i];
      for (let k = i + 1; k < list3.length && list3[k].lower[0] <= a.upper[0]; k++) {
        const b = list3[k];
        if (a.lower[1] > b.upper[1] || b.lower[1] > a.upper[1] || a.lower[2] > b.upper[2] || b.lower[2] > a.upper[2]) continue;
        if (!awake(a) && !awake(b)) continue;
        if (!solid(a) && !solid(b)) continue;
        if (a.spec.family !== void 0 && a.spec.family === b.spec.family) continue;
        if (a.index < b.index) found(a, b);
        else found(b, a);
      }
    }
  }
};
function solid(b) {
  return b.spec.type !== "static";
}
function awake(b) {
  return b.moving ? !b.asleep : dot(b.v, b.v) + dot(b.w, b.w) > 0 || b.held;
}
function join({ a, b, normal: normal2, point, depth }) {
  const armA = sub(point, a.p), armB = sub(point, b.p);
  const first3 = straight(cross(normal2, Math.abs(normal2[0]) > 0.6 ? [0, 1, 0] : [1, 0, 0]));
  const up = row(a, b, armA, armB, normal2);
  return {
    a,
    b,
    depth,
    normal: up,
    sideways: [row(a, b, armA, armB, first3), row(a, b, armA, armB, cross(normal2, first3))],
    approach: closing(a, b, up),
    friction: Math.sqrt((a.spec.friction ?? 0.5) * (b.spec.friction ?? 0.5)),
    bounce: Math.max(a.spec.restitution ?? 0, b.spec.restitution ?? 0),
    most: 0
  };
}
function row(a, b, armA, armB, way) {
  const leverA = cross(armA, way), leverB = cross(armB, way), turnA = a.turnLight(leverA), turnB = b.turnLight(leverB);
  const light4 = a.lightness + b.lightness + dot(turnA, leverA) + dot(turnB, leverB);
  return { way, leverA, leverB, turnA, turnB, mass: light4 > 0 ? 1 / light4 : 0, impulse: 0 };
}
function closing(a, b, r) {
  return dot(r.way, b.v) - dot(r.way, a.v) + dot(r.leverB, b.w) - dot(r.leverA, a.w);
}
function impel(a, b, r, impulse) {
  const j = impulse - r.impulse, la = j * a.lightness, lb = j * b.lightness;
  r.impulse = impulse;
  for (let k = 0; k < 3; k++) {
    a.v[k] -= r.way[k] * la;
    b.v[k] += r.way[k] * lb;
    a.w[k] -= r.turnA[k] * j;
    b.w[k] += r.turnB[k] * j;
  }
}
function resolve(c, dt) {
  const { a, b, normal: normal2 } = c;
  if (normal2.mass === 0) return;
  const most2 = c.friction * normal2.impulse;
  for (const r of c.sideways) impel(a, b, r, Math.min(Math.max(r.impulse - closing(a, b, r) * r.mass, -most2), most2));
  const bias = dt > 0 ? Math.min(0.2 / dt * Math.max(c.depth - slop, 0), push) : 0;
  impel(a, b, normal2, Math.max(normal2.impulse + (bias - closing(a, b, normal2)) * normal2.mass, 0));
  c.most = Math.max(c.most, normal2.impulse);
}
function rebound(c) {
  if (c.bounce === 0 || c.approach > -bounces || c.most === 0) return;
  const { a, b, normal: normal2 } = c;
  impel(a, b, normal2, Math.max(normal2.impulse - (closing(a, b, normal2) + c.bounce * c.approach) * normal2.mass, 0));
}
function unit(q) {
  const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return n > 0 ? [q[0] / n, q[1] / n, q[2] / n, q[3] / n] : [0, 0, 0, 1];
}
function straight(v) {
  const n = length(v);
  return n > 0 ? mul(v, 1 / n) : [1, 0, 0];
}
function capped(v, most2) {
  const n = length(v);
  return n > most2 ? mul(v, most2 / n) : v;
}
function mean(list3) {
  let out = [0, 0, 0];
  for (const v of list3) out = add(out, v);
  return list3.length > 0 ? mul(out, 1 / list3.length) : out;
}

// src/bodies.ts
var Bodies = class {
  solver;
  left = [];
  // nodes beyond the limit, which stand still
  places = [];
  byId = /* @__PURE__ */ new Map();
  led = [];
  // nodes that lead their body
  free = [];
  // nodes that their body leads
  carried = /* @__PURE__ */ new Map();
  last = /* @__PURE__ */ new Map();
  spare = [];
  // of nodes that are gone
  dirty = true;
  due = 0;
  constructor(scene) {
    this.solver = new Solver(scene.environment?.gravity);
    for (const n of scene.nodes ?? []) this.add(n, n.parent);
  }
  get any() {
    return this.free.length > 0 || this.solver.bodies.some((b) => b.spec.trigger);
  }
  // add takes in a node with its parent by index.
  add(n, parent) {
    const i = this.spare.pop() ?? this.places.length;
    const above = this.places[parent];
    const dynamic = n.body?.type === "dynamic" && !n.joint && n.collider !== void 0 && !n.collider.trigger;
    this.places[i] = {
      id: n.id,
      parent,
      t: [...n.t ?? [0, 0, 0]],
      r: [...n.r ?? [0, 0, 0, 1]],
      s: [...n.s ?? [1, 1, 1]],
      follows: above !== void 0 && (above.follows || this.free.includes(parent))
    };
    this.byId.set(n.id, i);
    if (!n.collider) return;
    const [t, r, s] = this.world(i);
    const shape = n.collider.shape;
    const taken = this.solver.add({
      id: n.id,
      type: dynamic ? "dynamic" : n.body?.type === "static" && !this.places[i].follows ? "static" : "kinematic",
      shape: shape === "sphere" || shape === "capsule" || shape === "plane" ? shape : "box",
      size: product3(n.collider.size, s),
      t,
      r,
      center: n.collider.center && product3(n.collider.center, s),
      mass: n.body?.mass,
      friction: n.body?.friction,
      restitution: n.body?.restitution,
      gravity: n.body?.gravity,
      trigger: n.collider.trigger,
      family: this.family(i)
    });
    if (!taken) this.left.push(n.id);
    else if (dynamic) this.free.push(i);
    else this.led.push(i);
  }
  // copy takes in a new node below one that is there.
  copy(n, parent) {
    this.add(n, this.byId.get(parent) ?? -1);
  }
  // family is the top of the tree of nodes that hang on one moving body, which do
  // not push each other.
  family(i) {
    let top;
    for (let k = i; k >= 0; k = this.places[k].parent) if (this.free.includes(k)) top = k;
    return top;
  }
  remove(node) {
    const i = this.byId.get(node);
    if (i === void 0) return;
    this.byId.delete(node);
    this.solver.remove(node);
    for (const list3 of [this.led, this.free]) if (list3.includes(i)) list3.splice(list3.indexOf(i), 1);
    this.carried.delete(i);
    this.last.delete(i);
    this.spare.push(i);
  }
  // world is the place of a node in the scene.
  world(i) {
    const p = this.places[i];
    if (p.parent < 0) return [p.t, p.r, p.s];
    const [t, r, s] = this.world(p.parent);
    return [add(t, turn(r, product3(s, p.t))), product(r, p.r), product3(s, p.s)];
  }
  // settle puts a node at a place of the scene.
  settle(i, t, r) {
    const p = this.places[i];
    const [pt, pr, ps] = p.parent < 0 ? [[0, 0, 0], [0, 0, 0, 1], [1, 1, 1]] : this.world(p.parent);
    p.t = turn(back(pr), sub(t, pt)).map((x, k) => x / (ps[k] || 1));
    p.r = product(back(pr), r);
  }
  // place says that a node was put somewhere, in its parent: a rotation of three
  // numbers is in degrees.
  place(node, part, value) {
    const i = this.byId.get(node);
    if (i === void 0 || !value.every(Number.isFinite)) return;
    const p = this.places[i];
    if (part === "position") p.t = [value[0], value[1], value[2]];
    else if (part === "scale") p.s = [value[0], value[1], value[2]];
    else p.r = value.length === 4 ? [...value] : euler(value);
    this.dirty = true;
    if (this.free.includes(i)) {
      const [t, r] = this.world(i);
      this.solver.place(node, t, r);
    }
  }
  // step moves the bodies by a time, in whole steps of the solver.
  step(seconds) {
    const out = [];
    this.due = Math.min(this.due + seconds, 0.25);
    for (; this.due > 1 / limits2.rate - 1e-9; this.due -= 1 / limits2.rate) {
      for (const [i, to] of this.carried) this.carry(i, to);
      for (const i of this.led) if (this.dirty || this.places[i].follows || this.carried.has(i)) this.lead(i);
      this.dirty = false;
      out.push(...this.solver.step());
      for (const i of this.free) {
        const b = this.solver.get(this.places[i].id);
        if (b && (!b.asleep || b.held)) this.settle(i, b.origin(), b.r);
      }
    }
    return out.map(({ name: name3, node, ...payload2 }) => ({ node, event: name3, payload: payload2 }));
  }
  lead(i) {
    const [t, r] = this.world(i);
    this.solver.move(this.places[i].id, t, r);
  }
  // moved are the nodes that stand elsewhere than when it was asked last.
  moved() {
    const out = [];
    for (const i of [...this.free, ...this.carried.keys()]) {
      const p = this.places[i], now = `${p.t},${p.r}`;
      if (this.last.get(i) === now) continue;
      this.last.set(i, now);
      out.push({ node: this.places[i].id, position: [...p.t], rotation: [...p.r] });
    }
    return out;
  }
  // grab takes a node into a hand; hold says where the hand has it, in the scene.
  grab(node) {
    const i = this.byId.get(node);
    if (i === void 0) return false;
    if (this.solver.grab(node)) return true;
    if (this.carried.has(i) || this.solver.get(node)?.held) return false;
    const [t, r] = this.world(i);
    this.carried.set(i, { t, r });
    return true;
  }
  hold(node, t, r) {
    const i = this.byId.get(node);
    if (i !== void 0 && this.carried.has(i)) this.carried.set(i, { t, r });
    else this.solver.hold(node, t, r);
  }
  carry(i, to) {
    this.settle(i, to.t, to.r ?? this.world(i)[1]);
    this.dirty = true;
  }
  // release lets go; a body flies on with what speed the hand had.
  release(node, scale = 1, most2 = 20) {
    const i = this.byId.get(node);
    if (i !== void 0 && this.carried.delete(i)) return;
    this.solver.release(node, scale, most2);
  }
  // origin is the place of a node in the scene.
  origin(node) {
    const i = this.byId.get(node);
    if (i === void 0) return void 0;
    const [t, r] = this.world(i);
    return { t, r };
  }
  // local is the place of a node in its parent.
  local(node) {
    const i = this.byId.get(node);
    return i === void 0 ? void 0 : this.places[i];
  }
  // call does what a program asks of a body; false when it is none of these.
  call(name3, node, args) {
    const v = vector(args[0]);
    const b = this.solver.get(node);
    switch (name3) {
      case "apply_impulse":
        if (v && b) this.solver.push(node, mul(v, b.inverseMass));
        return true;
      case "apply_force":
        if (v && b) this.solver.push(node, mul(v, b.inverseMass / limits2.rate));
        return true;
      case "set_velocity":
        if (v && b) this.solver.push(node, sub(v, b.v));
        return true;
    }
    return false;
  }
};
function vector(v) {
  if (Array.isArray(v) && v.length >= 3 && v.every((x2) => typeof x2 === "number")) return [v[0], v[1], v[2]];
  if (typeof v !== "object" || v === null) return void 0;
  const { x, y, z } = v;
  const c = [x, y, z].map((n) => typeof n === "number" ? n : 0);
  return [c[0], c[1], c[2]];
}
function product3(a, b) {
  return [a[0] * b[0], a[1] * b[1], a[2] * b[2]];
}

// src/runtime.ts
function nodesOf(scene) {
  const all = scene.nodes ?? [];
  return all.map((n) => {
    const props = /* @__PURE__ */ new Map([
      ["kind", n.kind],
      ["visible", n.visible !== false],
      ["position", list2(n.t ?? [0, 0, 0])],
      ["rotation", list2(euler2(n.r ?? [0, 0, 0, 1]))],
      ["scale", list2(n.s ?? [1, 1, 1])]
    ]);
    const m = n.material === void 0 ? void 0 : scene.materials?.[n.material];
    if (m) {
      props.set("color", (m.base_color ?? "#ffffffff").slice(0, 7));
      props.set("opacity", opacity(m.base_color));
      props.set("emissive_intensity", m.emissive_intensity ?? 1);
    }
    if (n.light) {
      props.set("color", (n.light.color ?? "#ffffffff").slice(0, 7));
      props.set("intensity", n.light.intensity ?? 1);
    }
    if (n.text) props.set("text", wellFormed(n.text.value));
    if (n.extras && typeof n.extras === "object") for (const [k, v] of Object.entries(n.extras)) props.set(k, fromPlain(v));
    return { id: n.id, parent: n.parent >= 0 ? all[n.parent].id : "", name: n.name ?? "", props };
  });
}
function list2(v) {
  return new List(v.slice());
}
function opacity(color2) {
  return color2 && color2.length === 9 ? Math.floor(parseInt(color2.slice(7), 16) / 255 * 1e3 + 0.5) / 1e3 : 1;
}
function euler2([x, y, z, w]) {
  const m13 = 2 * (x * z + w * y), m23 = 2 * (y * z - w * x), m33 = 1 - 2 * (x * x + y * y), m12 = 2 * (x * y - w * z), m11 = 1 - 2 * (y * y + z * z);
  const b = Math.asin(Math.max(-1, Math.min(1, m13)));
  let a, c = 0;
  if (Math.abs(m13) < 0.9999999) {
    a = Math.atan2(-m23, m33);
    c = Math.atan2(-m12, m11);
  } else a = Math.atan2(2 * (y * z + w * x), 1 - 2 * (x * x + z * z));
  return [a, b, c].map((v) => Math.floor(v * 18e4 / Math.PI + 0.5) / 1e3 || 0);
}
var looks = {
  color: "color",
  base_color: "color",
  albedo: "color",
  opacity: "opacity",
  emissive: "emissive",
  emissive_color: "emissive",
  emissive_intensity: "emissive_intensity",
  metallic: "metallic",
  metalness: "metallic",
  roughness: "roughness",
  intensity: "intensity"
};
var Runtime = class {
  // The program is checked as a whole first; one that is not right throws.
  constructor(scene, adapter, options = {}) {
    this.adapter = adapter;
    this.program = load(structuredClone(scene.program ?? {}));
    const host = {
      log: (node, text3) => adapter.say({ level: "log", node, text: text3 }),
      fault: (node, f) => adapter.say(said(node, f)),
      property: (node, key) => this.touch(node, key),
      spawned: (node, name3, parent, like) => adapter.spawn?.(node, name3, like || this.like(name3), parent),
      destroyed: (node) => adapter.remove?.(node),
      state: (owner, key, value) => adapter.changed?.(owner, key, toPlain(value)),
      call: (name3, node, args) => this.outside(name3, node, args)
    };
    this.machine = new Machine(this.program, { nodes: options.nodes ?? nodesOf(scene), host, seed: options.seed, trace: options.trace, hosted: options.hosted, long: options.long });
  }
  adapter;
  machine;
  program;
  dirty = /* @__PURE__ */ new Map();
  rest = 0;
  start() {
    const { machine, adapter } = this;
    machine.start();
    for (const [owner, key, v] of machine.entries()) adapter.changed?.(owner, key, toPlain(v));
    this.show();
  }
  // emit raises an event from outside at a node, or everywhere without one.
  emit(node, name3, payload2 = null) {
    this.machine.inject({ node: node || Everywhere, name: name3, payload: fromPlain(payload2) });
  }
  // put sets a state key of the scene from outside, as a control of the page does.
  put(key, value) {
    this.machine.put(key, fromPlain(value));
  }
  // hears says whether anything waits for an event at a node.
  hears(node, event) {
    const { live, machines } = this.machine;
    for (let at2 = node; at2 !== ""; at2 = this.machine.parent(at2)) {
      if (live.handlers.some((h) => h.node === at2 && h.event === event) || machines.hears(at2, event)) return true;
    }
    return live.wires.some((w) => w.from === node && w.event === event) || live.subscriptions.some((s) => s.from === node && s.event === event);
  }
  // update advances the time. A page that slept does not catch up more than a quarter of a second.
  update(seconds) {
    const step2 = 1 / this.program.rates.spatial;
    this.rest = Math.min(this.rest + seconds, 0.25);
    for (; this.rest >= step2 - 1e-9; this.rest -= step2) this.step();
    this.show();
  }
  // step is one step of the program and of physics.
  step() {
    const { machine, adapter } = this;
    machine.step();
    const physics = adapter.physics;
    if (!physics) return;
    this.show();
    for (const c of physics.step(1 / this.program.rates.spatial)) this.emit(c.node, c.event, c.payload);
    for (const b of physics.moved()) {
      machine.place(b.node, "position", list2(b.position));
      machine.place(b.node, "rotation", list2(b.rotation.length === 4 ? euler2(b.rotation) : b.rotation));
    }
  }
  // property is the value of a property of a node.
  property(node, key) {
    return toPlain(this.machine.property(node, key));
  }
  touch(node, key) {
    let keys = this.dirty.get(node);
    if (!keys) this.dirty.set(node, keys = /* @__PURE__ */ new Set());
    keys.add(key);
  }
  // show tells the engine what changed since the last time.
  show() {
    for (const [node, keys] of this.dirty) for (const key of keys) this.tell(node, key, this.machine.property(node, key));
    this.dirty.clear();
  }
  tell(node, key, v) {
    const a = this.adapter;
    switch (key) {
      case "position":
      case "rotation":
      case "scale": {
        const n = typeof v === "number" && key === "scale" ? [v, v, v] : numbers(v);
        if (!n) return;
        a.setTransform(node, key, n);
        a.physics?.place(node, key, n);
        return;
      }
      case "visible":
        return a.setVisible(node, truthy(v));
      case "text":
        return a.setText(node, v === null ? "" : textOf(v));
    }
    const look = looks[key];
    if (look) a.setMaterial(node, look, toPlain(v));
    else a.changed?.(node.split("\0", 1)[0], key, toPlain(v));
  }
  // like is the first node of the name that the scene has.
  like(name3) {
    for (const [id, n] of this.machine.nodes) if (n.name === name3 && !/^s\d+$/.test(id)) return id;
    return "";
  }
  outside(name3, node, args) {
    const plain = args.map((v2) => toPlain(v2));
    const on = /^(play_sound|play_animation|play)$/.test(name3);
    if (on || /^(stop_sound|stop_animation|stop)$/.test(name3)) {
      const options = args.find((v2) => v2 instanceof Obj);
      const target3 = args[0] && typeof args[0] === "object" && "id" in args[0] ? args[0].id : node;
      const text3 = plain.find((v2, i) => typeof v2 === "string" && typeof args[i] === "string");
      const what = name3.endsWith("animation") ? "animation" : "sound";
      this.adapter.play(target3, what, text3 ?? "", on, options ? toPlain(options) : {});
      return null;
    }
    const target2 = plain.length > 0 && args[0] !== null && typeof args[0] === "object" && "id" in args[0] ? args[0].id : node;
    if (this.adapter.physics?.call(name3, target2, plain)) return null;
    const v = this.adapter.host?.(name3, node, plain);
    return v === void 0 ? void 0 : fromPlain(v);
  }
};
function numbers(v) {
  if (!(v instanceof List) || v.items.length < 2 || v.items.length > 4) return void 0;
  const out = [];
  for (const n of v.items) {
    if (typeof n !== "number" || !Number.isFinite(n)) return void 0;
    out.push(n);
  }
  while (out.length < 3) out.push(0);
  return out;
}
function said(node, f) {
  return { level: "fault", node, text: f.message, code: f.code, function: f.function, line: f.line, column: f.column };
}

// src/drive.ts
function drive(stage) {
  if (!stage.scene.program) return;
  const adapter = {
    setTransform: (node, part, value) => {
      if (part === "position") stage.shift(node, value);
      stage.setTransform(node, part, value);
    },
    setMaterial: (node, key, value) => stage.setMaterial(node, key, value),
    setVisible: (node, visible) => stage.setVisible(node, visible),
    setText: (node, text3) => stage.setText(node, text3),
    play: (node, what, name3, on, options) => stage.play(node, what, name3, on, options),
    say: (line2) => stage.say(line2),
    changed: (owner, key, value) => stage.state(owner, key, value),
    spawn: (node, name3, like, parent) => stage.spawn(node, name3, like, parent),
    remove: (node) => stage.remove(node),
    physics: { ...stage.physics, step: (s) => stage.physics.step(s), moved: () => stage.physics.moved(), call: (name3, node, args) => stage.physics.call(name3, node, args) }
  };
  try {
    const { scene } = stage;
    const run = new Runtime({ ...scene, nodes: [...scene.nodes ?? [], ...scene.prototypes ?? []] }, adapter);
    const driver = {
      start: () => run.start(),
      update: (dt) => run.update(dt),
      emit: (node, event, payload2) => run.emit(node, event, payload2),
      hears: (node, event) => run.hears(node, event),
      put: (key, value) => run.put(key, value)
    };
    stage.drive(driver);
  } catch (e) {
    stage.say({ level: "fault", node: "", text: `the program of the scene is not run: ${e instanceof Error ? e.message : String(e)}` });
  }
}

// src/scene.ts
var version = "scene/1";
var known = /* @__PURE__ */ new Set([
  "v",
  "name",
  "source_sha256",
  "compiler",
  "files",
  "metadata",
  "environment",
  "post",
  "assets",
  "geometries",
  "materials",
  "nodes",
  "animations",
  "timelines",
  "ui",
  "program",
  "pipelines",
  "agents",
  "domain",
  "losses"
]);
function checked(scene) {
  if (typeof scene !== "object" || scene === null || scene.v !== version) throw new Error(`this viewer reads ${version}, the document is ${String(scene?.v)}`);
  const strange = Object.keys(scene).filter((k) => !known.has(k));
  if (strange.length > 0) console.warn(`scene: passing over ${strange.join(", ")}`);
  const all = scene.nodes ?? [], end = all.findIndex((n) => n.prototype);
  return end < 0 ? scene : { ...scene, nodes: all.slice(0, end), prototypes: all.slice(end) };
}
function called(n) {
  return n.label || n.name || n.path;
}

// src/page.ts
function element(tag, name3) {
  const e = document.createElement(tag);
  if (name3) e.className = name3;
  return e;
}

// src/ui.ts
var Controls = class {
  // what the fields hold
  constructor(widgets, assets, host) {
    this.assets = assets;
    this.host = host;
    this.root.setAttribute("aria-label", "Controls");
    for (const w of widgets) this.root.append(this.control(w, 2));
  }
  assets;
  host;
  root = element("aside", "ui");
  bound = /* @__PURE__ */ new Map();
  texts = [];
  values = /* @__PURE__ */ new Map();
  filledIn = /* @__PURE__ */ new Map();
  // state shows a state key where a control or a text has it.
  state(key, value) {
    this.values.set(key, value);
    for (const show of this.bound.get(key) ?? []) show(value);
    for (const t of this.texts) if (t.parts.some((p, i) => i % 2 === 1 && p === key)) t.show(this.filled(t.parts));
  }
  filled(parts2) {
    return parts2.map((p, i) => i % 2 === 0 ? p : said2(this.values.get(p))).join("");
  }
  // text shows a text whose ${key} are state keys.
  text(source, show) {
    const parts2 = source.split(/\$\{\s*(?:state\.|this\.)?(\w+)\s*\}/);
    show(this.filled(parts2));
    if (parts2.length > 1) this.texts.push({ parts: parts2, show });
  }
  bind(w, show) {
    const seen = (v) => {
      this.filledIn.set(w, v);
      show(v);
    };
    if (w.value !== void 0) seen(w.value);
    if (w.bind) this.bound.set(w.bind, [...this.bound.get(w.bind) ?? [], seen]);
  }
  told(w, value) {
    this.filledIn.set(w, value);
    if (w.bind) {
      this.host.put(w.bind, value);
      this.state(w.bind, value);
    }
    this.host.change(w.id ?? w.label ?? "", value);
  }
  // fields are what is filled in below a panel, by the names of its controls.
  fields(w, out = {}) {
    for (const c of w.children ?? []) {
      if (this.filledIn.has(c)) out[c.id ?? c.label ?? c.kind] = this.filledIn.get(c);
      this.fields(c, out);
    }
    return out;
  }
  control(w, level2) {
    const label = w.label ?? w.id ?? "";
    const params = w.params ?? {};
    switch (w.kind) {
      case "button": {
        const b = element("button", "");
        b.type = "button";
        this.text(label || "Button", (s) => {
          b.textContent = s;
        });
        b.disabled = params.disabled === true || params.enabled === false;
        b.addEventListener("click", () => this.host.press(w.id ?? w.label ?? ""));
        return b;
      }
      case "text": {
        const p = element("p", "");
        if (w.bind) this.bind(w, (v) => {
          p.textContent = said2(v);
        });
        else this.text(label || said2(w.value), (s) => {
          p.textContent = s;
        });
        return p;
      }
      case "slider": {
        const i = element("input", ""), shown2 = element("output", "");
        i.type = "range";
        for (const k of ["min", "max", "step"]) if (typeof params[k] === "number") i.setAttribute(k, String(params[k]));
        if (params.step === void 0) i.step = "any";
        this.bind(w, (v) => {
          i.value = said2(v);
          shown2.value = short2(Number(i.value));
        });
        i.addEventListener("input", () => {
          shown2.value = short2(Number(i.value));
          this.told(w, Number(i.value));
        });
        const l = named(label || "Slider", i);
        l.append(shown2);
        return l;
      }
      case "checkbox": {
        const i = element("input", "");
        i.type = "checkbox";
        this.bind(w, (v) => {
          i.checked = v === true;
        });
        i.addEventListener("change", () => this.told(w, i.checked));
        return named(label || "Choice", i);
      }
      case "input": {
        const i = element("input", "");
        i.type = params.type === "number" ? "number" : params.type === "password" ? "password" : "text";
        if (typeof params.placeholder === "string") i.placeholder = params.placeholder;
        i.maxLength = 1e4;
        this.bind(w, (v) => {
          i.value = said2(v);
        });
        i.addEventListener("change", () => this.told(w, i.type === "number" ? Number(i.value) : i.value));
        return named(label || "Text", i);
      }
      case "dropdown": {
        const s = element("select", "");
        for (const o of Array.isArray(params.options) ? params.options : []) s.add(new Option(said2(o)));
        this.bind(w, (v) => {
          s.value = said2(v);
        });
        s.addEventListener("change", () => this.told(w, s.value));
        return named(label || "Choice", s);
      }
      case "progress": {
        const p = element("progress", ""), shown2 = element("output", "");
        if (typeof params.max === "number" && params.max > 0) p.max = params.max;
        this.bind(w, (v) => {
          p.value = Number(v) || 0;
          shown2.value = said2(v);
        });
        const l = named(label || "Progress", p);
        l.append(shown2);
        return l;
      }
      case "image": {
        const path = String(params.src ?? params.url ?? w.value ?? "");
        const asset = this.assets.find((a) => a.path === path && a.data && a.media_type?.startsWith("image/"));
        if (!asset) return text(element("p", ""), String(params.alt ?? (label || "Picture")));
        const i = element("img", "");
        i.alt = String(params.alt ?? label);
        i.src = `data:${asset.media_type};base64,${asset.data}`;
        return i;
      }
      case "section": {
        const s = element("section", "");
        if (label) s.append(text(element(level2 < 3 ? "h2" : "h3", ""), label));
        for (const c of w.children ?? []) s.append(this.control(c, label ? level2 + 1 : level2));
        return s;
      }
      default: {
        const f = element("fieldset", "");
        if (label) f.append(text(element("legend", ""), label));
        for (const c of w.children ?? []) f.append(this.control(c, level2));
        f.addEventListener("keydown", (e) => {
          const field = e.target;
          if (e.key !== "Enter" || !/^(text|number|password)$/.test(field.type)) return;
          e.preventDefault();
          e.stopPropagation();
          field.blur();
          field.focus();
          this.host.submit(w.id ?? label, this.fields(w));
        });
        return f;
      }
    }
  }
};
function named(label, input) {
  const l = element("label", "");
  l.append(text(element("span", ""), label), input);
  return l;
}
function text(e, s) {
  e.textContent = s;
  return e;
}
function short2(n) {
  return String(Math.round(n * 100) / 100);
}
function said2(v) {
  if (v === void 0 || v === null) return "";
  return typeof v === "object" ? JSON.stringify(v) : typeof v === "number" ? short2(v) : String(v);
}

// src/host.ts
function perform(stage, canvas, ui) {
  const tell = (node, event, payload2) => {
    canvas?.dispatchEvent?.(new CustomEvent("meshd", { detail: { node, event, payload: payload2 } }));
  };
  stage.onEvent = tell;
  stage.onSay = (line2) => tell(line2.node, line2.level, line2);
  const panel = ui && controls(stage);
  if (ui && panel) {
    stage.onState = (owner, key, value) => {
      if (owner === "scene" || owner === "") panel.state(key, value);
    };
    ui.append(panel.root);
  }
  drive(stage);
  return { fault: (node, text3) => tell(node, "error", { text: text3 }), dispose() {
    panel?.root.remove();
  } };
}
function controls(stage) {
  const { ui, assets } = stage.scene;
  if (!ui?.length) return void 0;
  return new Controls(ui, assets ?? [], {
    press: (id) => stage.raise("scene", `ui:${id}`, { id }),
    change: (id, value) => stage.raise("scene", "change", { id, value }),
    put: (key, value) => stage.put(key, value),
    submit: (id, values) => stage.raise("scene", "submit", { id, values })
  });
}

// src/pointer.ts
function through(eye, aspect, x, y) {
  const half = eye.height(1) / 2, side = [x * half * aspect, y * half, 0];
  if (eye.flat) return { from: add(eye.position, turn(eye.rotation, side)), ahead: turn(eye.rotation, [0, 0, -1]) };
  const way = [side[0], side[1], -1];
  return { from: eye.position, ahead: turn(eye.rotation, mul(way, 1 / length(way))) };
}
var Pointer = class {
  constructor(canvas, on) {
    this.canvas = canvas;
    this.on = on;
    const listen = (kind, act, capture = false) => canvas.addEventListener(kind, act, { signal: this.off.signal, capture });
    listen("pointerdown", (e) => this.down(e), true);
    listen("pointermove", (e) => this.move(e));
    listen("pointerup", (e) => this.up(e));
    listen("pointercancel", () => this.drop());
    listen("pointerleave", () => this.hover(void 0));
    listen("dblclick", (e) => {
      const h = this.hit(e);
      if (h) this.on.stage().raise(h.node, "double_click", payload(h));
    });
  }
  canvas;
  on;
  held;
  over;
  start;
  off = new AbortController();
  ray(e) {
    const box3 = this.canvas.getBoundingClientRect();
    return this.on.ray((e.clientX - box3.left) / box3.width * 2 - 1, 1 - (e.clientY - box3.top) / box3.height * 2);
  }
  hit(e) {
    return this.on.hit(this.ray(e));
  }
  down(e) {
    if (e.button !== 0) return;
    const h = this.hit(e), stage = this.on.stage();
    this.start = { x: e.clientX, y: e.clientY, hit: h };
    if (!h) return;
    stage.raise(h.node, "press", payload(h));
    const at2 = h.grab && stage.at(h.grab);
    if (!h.grab || !at2 || !stage.grab(h.grab)) return;
    this.held = { node: h.grab, through: h.point, across: this.on.ahead(), offset: sub(at2.t, h.point) };
    this.on.orbit(false);
    this.canvas.setPointerCapture(e.pointerId);
  }
  move(e) {
    if (this.held) {
      const { node, through: through2, across, offset } = this.held, { from, ahead } = this.ray(e);
      const way = dot(sub(through2, from), across) / dot(ahead, across);
      if (way > 0 && Number.isFinite(way)) this.on.stage().hold(node, add(add(from, mul(ahead, way)), offset));
      return;
    }
    if (e.buttons === 0) this.hover(this.hit(e));
  }
  hover(h) {
    const stage = this.on.stage();
    const node = h?.node;
    this.canvas.style.cursor = h?.grab ? "grab" : h && stage.nearest(h.node, "click") ? "pointer" : "";
    if (node === this.over) return;
    if (this.over && stage.nodes.has(this.over)) stage.raise(this.over, "hover_exit", {});
    this.over = node;
    if (h) stage.raise(h.node, "hover_enter", payload(h));
  }
  up(e) {
    const start = this.start, stage = this.on.stage();
    this.start = void 0;
    this.drop();
    if (!start?.hit) return;
    stage.raise(start.hit.node, "release", payload(start.hit));
    if (Math.abs(e.clientX - start.x) + Math.abs(e.clientY - start.y) > 6) return;
    click(stage, start.hit);
    const n = stage.nodes.get(start.hit.node);
    if (n && (n.interact?.length || n.label || n.alt)) this.on.describe(n);
  }
  drop() {
    if (!this.held) return;
    this.on.stage().release(this.held.node);
    this.held = void 0;
    this.on.orbit(true);
  }
  dispose() {
    this.off.abort();
  }
};
function click(stage, h, hand = "pointer") {
  stage.raise(h.node, "click", { ...payload(h), hand });
  stage.raise(h.node, "tap", { ...payload(h), hand });
}
function payload(h) {
  return { point: h.point, hand: "pointer" };
}

// src/immersive.ts
var Immersive = class {
  constructor(stage, session, on) {
    this.stage = stage;
    this.on = on;
    const listen = (name3, act) => session.addEventListener(name3, (e) => act(e.inputSource), { signal: this.off.signal });
    for (const name3 of ["selectstart", "squeezestart"]) listen(name3, (s) => this.take(s));
    for (const name3 of ["selectend", "squeezeend"]) listen(name3, (s) => this.drop(s));
    listen("select", (s) => {
      const hand = this.hand(s), hit = this.hit(hand);
      if (hit && !hand.held) click(this.stage, hit, name(s));
    });
    session.addEventListener("end", () => this.dispose(), { once: true });
  }
  stage;
  on;
  hands = /* @__PURE__ */ new Map();
  off = new AbortController();
  hand(source) {
    let h = this.hands.get(source);
    if (!h) this.hands.set(source, h = {});
    return h;
  }
  // frame looks where the hands are and carries what they hold.
  frame(frame2, space) {
    const sources = [...frame2.session.inputSources];
    for (const [source, hand] of this.hands) {
      if (sources.includes(source)) continue;
      this.release(source, hand);
      this.hands.delete(source);
    }
    sources.forEach((source, i) => {
      const p = frame2.getPose(source.targetRaySpace, space)?.transform, hand = this.hand(source);
      hand.pose = p && { t: [p.position.x, p.position.y, p.position.z], r: [p.orientation.x, p.orientation.y, p.orientation.z, p.orientation.w] };
      this.on.beam(i, hand.pose && ray(hand.pose));
      if (hand.held && hand.pose) this.stage.hold(hand.held.node, add(hand.pose.t, turn(hand.pose.r, hand.held.t)), product(hand.pose.r, hand.held.r));
    });
    for (let i = sources.length; i < 2; i++) this.on.beam(i, void 0);
  }
  hit(hand) {
    return hand.pose && this.on.hit(ray(hand.pose));
  }
  take(source) {
    const hand = this.hand(source), node = hand.held ? void 0 : this.hit(hand)?.grab, at2 = node && this.stage.at(node);
    if (!node || !at2 || !hand.pose || !this.stage.grab(node, name(source))) return;
    const away = back(hand.pose.r);
    hand.held = { node, t: turn(away, sub(at2.t, hand.pose.t)), r: product(away, at2.r) };
  }
  drop(source) {
    this.release(source, this.hand(source));
  }
  release(source, hand) {
    if (!hand.held) return;
    this.stage.release(hand.held.node, name(source));
    hand.held = void 0;
  }
  dispose() {
    this.off.abort();
    for (const [source, hand] of this.hands) this.release(source, hand);
    this.hands.clear();
    for (let i = 0; i < 2; i++) this.on.beam(i, void 0);
  }
};
function name(source) {
  return source.handedness === "left" ? "left" : "right";
}
function ray(p) {
  return { from: p.t, ahead: turn(p.r, [0, 0, -1]) };
}

// src/orbit.ts
var Orbit = class {
  constructor(eye, canvas, changed = () => {
  }) {
    this.eye = eye;
    this.canvas = canvas;
    this.changed = changed;
    canvas.style.touchAction = "none";
    const on = (kind, act) => canvas.addEventListener(kind, act, { signal: this.off.signal, passive: false });
    on("pointerdown", (e) => {
      this.fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
      if (this.enabled) canvas.setPointerCapture(e.pointerId);
    });
    on("pointermove", (e) => this.drag(e));
    for (const end of ["pointerup", "pointercancel"]) on(end, (e) => {
      this.fingers.delete(e.pointerId);
    });
    on("contextmenu", (e) => e.preventDefault());
    on("wheel", (e) => {
      e.preventDefault();
      if (this.enabled) this.zoom(Math.exp(Math.min(Math.max(e.deltaY * (e.deltaMode === 1 ? 16 : 1), -200), 200) * 1e-3));
    });
  }
  eye;
  canvas;
  changed;
  target = [0, 0, 0];
  enabled = true;
  fingers = /* @__PURE__ */ new Map();
  off = new AbortController();
  drag(e) {
    const was = this.fingers.get(e.pointerId);
    if (!was) return;
    const x = e.clientX - was.x, y = e.clientY - was.y, height = this.canvas.clientHeight || 1;
    const gap = () => {
      const [a, b] = [...this.fingers.values()];
      return Math.hypot(a.x - b.x, a.y - b.y) || 1;
    };
    const two = this.fingers.size === 2, before = two ? gap() : 0;
    was.x = e.clientX;
    was.y = e.clientY;
    if (!this.enabled) return;
    if (two) {
      this.pan(-x / height / 2, -y / height / 2);
      this.zoom(before / gap());
    } else if (e.shiftKey || (e.buttons & 6) > 0) this.pan(-x / height, -y / height);
    else this.turn(-x / height * 2 * Math.PI, -y / height * 2 * Math.PI);
  }
  // turn goes around the target, by angles.
  turn(around2, up) {
    const away = sub(this.eye.position, this.target), far = length(away) || 1;
    const theta = Math.atan2(away[0], away[2]) + around2;
    const phi = Math.min(Math.max(Math.acos(away[1] / far) + up, 0.01), Math.PI - 0.01), flat2 = far * Math.sin(phi);
    this.eye.position = add(this.target, [flat2 * Math.sin(theta), far * Math.cos(phi), flat2 * Math.cos(theta)]);
    this.update();
  }
  // pan moves eye and target, in heights of the picture.
  pan(x, y) {
    const height = this.eye.height(length(sub(this.eye.position, this.target)));
    const by = turn(this.eye.rotation, [x * height, -y * height, 0]);
    this.eye.position = add(this.eye.position, by);
    this.target = add(this.target, by);
    this.update();
  }
  // zoom makes the way to the target longer by a factor.
  zoom(by) {
    if (!this.eye.zoom(by)) {
      const away = sub(this.eye.position, this.target), far = length(away) || 1;
      this.eye.position = add(this.target, mul(away, Math.min(Math.max(far * by, 0.01), 1e5) / far));
    }
    this.update();
  }
  // update looks at the target.
  update() {
    this.eye.rotation = toward(this.eye.position, this.target);
    this.changed();
  }
  dispose() {
    this.off.abort();
  }
};

// src/animate.ts
function ease2(kind, u) {
  switch (kind) {
    case "ease-in":
      return u * u;
    case "ease-out":
      return 1 - (1 - u) * (1 - u);
    case "ease-in-out":
      return u * u * (3 - 2 * u);
    case "step":
      return u < 1 ? 0 : 1;
  }
  return u;
}
function rounds2(a) {
  const loop = a.loop ?? 0;
  return loop < 0 ? Infinity : loop + 1;
}
function duration(a) {
  return a.keys[a.keys.length - 1][0];
}
function sample(a, time) {
  const keys = a.keys, end = duration(a);
  let t = time;
  if (end > 0 && t > end) {
    let round = Math.floor(t / end);
    if (round >= rounds2(a)) [round, t] = [rounds2(a) - 1, end];
    else t -= round * end;
    if (a.pingpong && round % 2 === 1) t = end - t;
  }
  if (t <= keys[0][0]) return keys[0].slice(1);
  for (let i = 1; i < keys.length; i++) {
    if (t > keys[i][0]) continue;
    const from = keys[i - 1], to = keys[i];
    const u = ease2(a.easing, (t - from[0]) / (to[0] - from[0]));
    if (a.property === "r") return slerp(from.slice(1), to.slice(1), u);
    return from.slice(1).map((v, k) => v + (to[k + 1] - v) * u);
  }
  return keys[keys.length - 1].slice(1);
}
var Player = class {
  constructor(list3, set, ended) {
    this.set = set;
    this.ended = ended;
    this.add(list3);
  }
  set;
  ended;
  tracks = [];
  // add takes in animations of nodes that are there.
  add(list3) {
    const more = list3.filter((a) => a.keys.length > 0).map((a) => ({ a, time: 0, on: a.autoplay === true }));
    this.tracks.push(...more);
    for (const t of more) if (t.on) this.apply(t);
  }
  // remove lets go of the animations of a node.
  remove(node) {
    this.tracks = this.tracks.filter((t) => t.a.node !== node);
  }
  // running says whether anything moves.
  get running() {
    return this.tracks.some((t) => t.on);
  }
  // play starts the animations of a node anew, or stops them: those of a name, or
  // of a property, or all.
  play(node, name3, on) {
    let found = false;
    for (const t of this.tracks) {
      if (t.a.node !== node || name3 && t.a.name !== name3 && t.a.property !== name3) continue;
      found = true;
      t.on = on;
      if (on) t.time = 0;
    }
    return found;
  }
  step(dt) {
    for (const t of this.tracks) {
      if (!t.on) continue;
      t.time += dt;
      this.apply(t);
      if (t.time < duration(t.a) * rounds2(t.a)) continue;
      t.on = false;
      this.ended(t.a.node, t.a.name ?? t.a.property);
    }
  }
  apply(t) {
    this.set(t.a.node, t.a.property, sample(t.a, t.time));
  }
};

// src/base64.ts
function bytes(base64) {
  const text3 = atob(base64);
  const out = new Uint8Array(text3.length);
  for (let i = 0; i < text3.length; i++) out[i] = text3.charCodeAt(i);
  return out;
}

// src/audio.ts
var Sounds = class {
  constructor(scene, nodes, at2, eye, ended) {
    this.scene = scene;
    this.nodes = nodes;
    this.at = at2;
    this.eye = eye;
    this.ended = ended;
    for (const n of nodes.values()) if (n.audio?.autoplay) this.play(n.id, "", true);
    for (const kind of ["pointerdown", "keydown"]) globalThis.addEventListener?.(kind, this.begin);
  }
  scene;
  nodes;
  at;
  eye;
  ended;
  context;
  buffers = /* @__PURE__ */ new Map();
  playing = /* @__PURE__ */ new Map();
  waiting = /* @__PURE__ */ new Map();
  begin = () => this.start();
  // count is how many sounds play or wait.
  get count() {
    return this.playing.size + this.waiting.size;
  }
  // play starts or stops the sound of a node. A name chooses a sound of another
  // node: by the node's name or the name of the file. False when there is none.
  play(node, name3, on, wish = {}) {
    const id = this.find(node, name3);
    if (id === void 0) return false;
    this.stop(id);
    if (!on) return true;
    if (this.context) void this.sound(id, wish);
    else this.waiting.set(id, wish);
    return true;
  }
  find(node, name3) {
    const can = (n) => n?.audio?.asset !== void 0 && this.scene.assets?.[n.audio.asset]?.data !== void 0;
    if (!name3 && can(this.nodes.get(node))) return node;
    for (const n of this.nodes.values()) {
      if (!can(n)) continue;
      const file2 = this.scene.assets[n.audio.asset].path;
      if (n.name === name3 || file2 === name3 || file2.replace(/^.*\//, "").replace(/\.\w+$/, "") === name3) return n.id;
    }
    return void 0;
  }
  start() {
    this.deaf();
    if (this.context || this.waiting.size + this.nodes.size === 0 || typeof AudioContext === "undefined") return;
    this.context = new AudioContext();
    for (const [id, wish] of this.waiting) void this.sound(id, wish);
    this.waiting.clear();
  }
  deaf() {
    for (const kind of ["pointerdown", "keydown"]) globalThis.removeEventListener?.(kind, this.begin);
  }
  async sound(id, wish) {
    const a = this.nodes.get(id).audio, context = this.context, asset = a.asset;
    if (!this.buffers.has(asset)) {
      const data = bytes(this.scene.assets[asset].data).buffer;
      this.buffers.set(asset, context.decodeAudioData(data).catch(() => void 0));
    }
    const voice = { gain: new GainNode(context, { gain: level(wish.volume ?? a.volume ?? 1) }) };
    this.playing.set(id, voice);
    const buffer = await this.buffers.get(asset);
    if (this.playing.get(id) !== voice) return;
    if (!buffer) {
      this.playing.delete(id);
      console.warn(`the sound ${this.scene.assets[asset].path} cannot be decoded`);
      return;
    }
    const source = voice.source = new AudioBufferSourceNode(context, { buffer, loop: wish.loop ?? a.loop ?? false });
    source.connect(voice.gain);
    if (a.max !== void 0 || a.min !== void 0) {
      voice.pan = new PannerNode(context, { panningModel: "HRTF", distanceModel: "inverse", refDistance: a.min ?? 1, maxDistance: a.max ?? 30 });
      voice.gain.connect(voice.pan).connect(context.destination);
    } else voice.gain.connect(context.destination);
    source.onended = () => {
      if (this.playing.get(id) !== voice) return;
      this.stop(id);
      this.ended(id);
    };
    this.step();
    source.start();
  }
  // step puts the ear and the sounds where they are now.
  step() {
    if (!this.context || this.playing.size === 0) return;
    const ear = this.context.listener, eye = this.eye();
    const ahead = turn(eye.r, [0, 0, -1]), up = turn(eye.r, [0, 1, 0]);
    if (ear.positionX) {
      put([ear.positionX, ear.positionY, ear.positionZ], eye.t);
      put([ear.forwardX, ear.forwardY, ear.forwardZ], ahead);
      put([ear.upX, ear.upY, ear.upZ], up);
    } else {
      ear.setPosition(...eye.t);
      ear.setOrientation(...ahead, ...up);
    }
    for (const [id, { pan }] of this.playing) {
      const place = pan && this.at(id);
      if (place) put([pan.positionX, pan.positionY, pan.positionZ], place.t);
    }
  }
  // volume changes a sound that plays.
  volume(id, value) {
    const voice = this.playing.get(id);
    if (voice) voice.gain.gain.value = level(value);
  }
  stop(id) {
    this.waiting.delete(id);
    const voice = this.playing.get(id);
    if (!voice) return;
    this.playing.delete(id);
    voice.source?.stop();
    voice.gain.disconnect();
    voice.pan?.disconnect();
  }
  dispose() {
    this.deaf();
    for (const id of [...this.playing.keys(), ...this.waiting.keys()]) this.stop(id);
    void this.context?.close();
    this.context = void 0;
  }
};
function level(v) {
  return Math.min(Math.max(v, 0), 1);
}
function put(to, v) {
  for (let k = 0; k < 3; k++) to[k].value = v[k];
}

// src/colour.ts
function hex(color2) {
  const n = parseInt((color2 ?? "#ffffff").slice(1, 7), 16) || 0;
  return [(n >> 16 & 255) / 255, (n >> 8 & 255) / 255, (n & 255) / 255];
}
function linear(color2) {
  return hex(color2).map(light2);
}
function light2(c) {
  return c < 0.04045 ? c * 0.0773993808 : Math.pow(c * 0.9478672986 + 0.0521327014, 2.4);
}
function alpha(color2) {
  return color2 && color2.length === 9 ? parseInt(color2.slice(7), 16) / 255 : 1;
}

// src/particles.ts
var most = 2e3;
var presets = {
  fire: { rate: 60, lifetime: 1.2, speed: 1.2, spread: 0.3, gravity: -0.6, size_start: 0.18, size_end: 0.02, color_start: "#ffd27aff", color_end: "#d0290000" },
  smoke: { rate: 20, lifetime: 4, speed: 0.5, spread: 0.2, gravity: -0.1, size_start: 0.1, size_end: 0.6, color_start: "#8888889f", color_end: "#44444400", blend_mode: "normal" },
  sparks: { rate: 80, lifetime: 0.8, speed: 2.4, spread: 1.2, gravity: 6, size_start: 0.03, size_end: 0.01, color_start: "#ffe9a8ff", color_end: "#ff6a0000" },
  rain: { rate: 200, lifetime: 1.5, speed: -6, spread: 0.1, size_start: 0.02, size_end: 0.02, color_start: "#a8c4e0b0", width: 4, blend_mode: "normal" },
  snow: { rate: 80, lifetime: 5, speed: -0.6, spread: 0.3, size_start: 0.04, size_end: 0.04, color_start: "#ffffffff", color_end: "#ffffff80", width: 4, blend_mode: "normal" },
  dust: { rate: 15, lifetime: 6, speed: 0.05, spread: 0.1, size_start: 0.02, size_end: 0.02, color_start: "#e8dcc080", color_end: "#e8dcc000", width: 3, blend_mode: "normal" },
  magic: { rate: 40, lifetime: 2, speed: 0.6, spread: 0.5, gravity: -0.2, size_start: 0.05, size_end: 0, color_start: "#c9a0ffff", color_end: "#4060ff00" }
};
function emission(given, aim) {
  const params = { ...presets[String(given.preset ?? "")], ...given };
  const num = (fallback, ...keys) => {
    for (const k of keys) if (typeof params[k] === "number" && Number.isFinite(params[k])) return params[k];
    return fallback;
  };
  const life = Math.max(0.05, num(2, "lifetime"));
  const span = [Math.max(0.05, num(life, "lifetime_min")), Math.max(0.05, num(life, "lifetime_max"))];
  const count2 = Math.round(Math.max(1, Math.min(most, num(num(10, "rate", "emission_rate") * span[1] + 1, "max_count", "count"))));
  const v = params.velocity, goal = typeof params.along === "string" ? aim?.(params.along) : void 0;
  const speed = num(1, "speed"), size = num(0.05, "size_start", "size");
  const color2 = text2(params.color_start ?? params.color) ?? "#ffffffff", end = text2(params.color_end) ?? color2.slice(0, 7) + "00";
  const glow = 1 + Math.max(0, num(0, "emissive_intensity"));
  return {
    count: count2,
    span,
    rate: Math.min(Math.max(0, num(count2 / span[1], "rate", "emission_rate")), most * 10),
    speed: Array.isArray(v) ? [Number(v[0]) || 0, Number(v[1]) || 0, Number(v[2]) || 0] : goal ? along(goal, speed) : [0, speed, 0],
    spread: num(0.3, "velocity_spread", "spread"),
    gravity: num(0, "gravity"),
    width: Math.max(0, num(0, "width", "radius")),
    size: [size, num("size_start" in params ? 0 : size, "size_end")],
    colours: [mul(linear(color2), glow), mul(linear(end), glow)],
    alphas: [alpha(color2), alpha(end)],
    adds: params.blend_mode !== "normal"
  };
}
var Swarm = class {
  constructor(given, seed, aim) {
    this.seed = seed;
    const { count: count2, adds } = this.emission = emission(given, aim);
    this.left = new Float32Array(count2);
    this.whole = new Float32Array(count2).fill(1);
    this.velocity = new Float32Array(count2 * 3);
    this.count = count2;
    this.places = new Float32Array(count2 * 3);
    this.colours = new Float32Array(count2 * 4);
    this.sizes = new Float32Array(count2);
    this.adds = adds;
    for (let i = 0; i < 40; i++) this.step(this.emission.span[1] / 40);
  }
  seed;
  emission;
  count;
  places;
  // three numbers a point, below the emitter
  colours;
  // four, linear; nothing is seen of alpha 0
  sizes;
  // metres
  adds;
  // points shine through each other
  left;
  // seconds of life
  whole;
  velocity;
  due = 0;
  next = 0;
  // random is a small generator of its own.
  random() {
    this.seed = Math.imul(this.seed, 1664525) + 1013904223 >>> 0;
    return this.seed / 4294967296;
  }
  step(dt) {
    const { places: p, colours: c, sizes: g } = this;
    this.due = Math.min(this.due + dt * this.emission.rate, this.left.length);
    while (this.due >= 1) {
      this.due--;
      this.birth(this.next, p);
      this.next = (this.next + 1) % this.left.length;
    }
    const [from, to] = this.emission.colours;
    for (let i = 0; i < this.left.length; i++) {
      if (this.left[i] <= 0) {
        g[i] = c[i * 4 + 3] = 0;
        continue;
      }
      this.left[i] -= dt;
      this.velocity[i * 3 + 1] -= this.emission.gravity * dt;
      for (let k = 0; k < 3; k++) p[i * 3 + k] += this.velocity[i * 3 + k] * dt;
      const u = 1 - Math.max(this.left[i], 0) / this.whole[i];
      for (let k = 0; k < 3; k++) c[i * 4 + k] = from[k] + (to[k] - from[k]) * u;
      c[i * 4 + 3] = this.left[i] <= 0 ? 0 : this.emission.alphas[0] + (this.emission.alphas[1] - this.emission.alphas[0]) * u;
      g[i] = this.emission.size[0] + (this.emission.size[1] - this.emission.size[0]) * u;
    }
  }
  birth(i, p) {
    this.left[i] = this.whole[i] = this.emission.span[0] + (this.emission.span[1] - this.emission.span[0]) * this.random();
    for (let k = 0; k < 3; k++) {
      p[i * 3 + k] = k === 1 ? 0 : (this.random() - 0.5) * this.emission.width;
      this.velocity[i * 3 + k] = this.emission.speed[k] + (this.random() * 2 - 1) * this.emission.spread;
    }
  }
};
function along(goal, speed) {
  const n = Math.hypot(...goal) || 1;
  return [goal[0] / n * speed, goal[1] / n * speed, goal[2] / n * speed];
}
function text2(v) {
  return typeof v === "string" && /^#[0-9a-f]{6,8}$/i.test(v) ? v : void 0;
}
function seedOf(id) {
  let h = 2166136261;
  for (let i = 0; i < id.length; i++) h = Math.imul(h ^ id.charCodeAt(i), 16777619);
  return h >>> 0;
}

// src/running.ts
var tick = 1 / 60;
var parts = { t: "position", r: "rotation", s: "scale" };
var Running = class {
  constructor(scene, engine2, still) {
    this.scene = scene;
    this.engine = engine2;
    this.playing = !still;
    this.bodies = new Bodies(scene);
    this.prototypes = new Map((scene.prototypes ?? []).map((n) => [n.id, n]));
    const all = scene.nodes ?? [];
    for (const n of all) {
      this.nodes.set(n.id, n);
      if (n.parent >= 0) this.parents.set(n.id, all[n.parent].id);
    }
    for (const n of all) if (n.particles) this.swarm(n);
    this.player = new Player((scene.animations ?? []).filter((a) => !this.prototypes.has(a.node)), (id, property, v) => this.animate(id, property, v), (id, name3) => this.raise(id, "animation_end", { name: name3 }));
  }
  scene;
  engine;
  nodes = /* @__PURE__ */ new Map();
  bodies;
  player;
  playing;
  // automatic motion; what a person does always moves
  onSay = () => {
  };
  onEvent = () => {
  };
  onState = () => {
  };
  onNode = () => {
  };
  // one came, or went
  parents = /* @__PURE__ */ new Map();
  prototypes;
  shifts = /* @__PURE__ */ new Map();
  // of copies of prototypes: how far they are from where those stand
  swarms = /* @__PURE__ */ new Map();
  sounds;
  driver;
  touched = false;
  changed = true;
  rest = 0;
  // hear gives the scene its sounds, heard from where the eye is.
  hear(eye) {
    this.sounds = new Sounds(this.scene, this.nodes, (id) => this.at(id), eye, (id) => this.raise(id, "audio_end", {}));
  }
  // drive lets a program run the scene.
  drive(driver) {
    this.driver = driver;
    driver.start();
  }
  // lively says whether there is anything to pause.
  get lively() {
    return this.player.running || this.swarms.size > 0 || this.bodies.any || this.engine.lively;
  }
  // advance moves everything by a time and says whether the picture changed.
  advance(dt) {
    this.rest = Math.min(this.rest + dt, 0.25);
    for (; this.rest >= tick - 1e-9; this.rest -= tick) this.step();
    for (const s of this.swarms.values()) s.shown.update();
    this.sounds?.step();
    const changed = this.changed;
    this.changed = false;
    return changed;
  }
  step() {
    if (this.driver) this.driver.update(tick);
    else for (const c of this.physics.step(tick)) this.raise(c.node, c.event, c.payload);
    if (!this.driver) this.physics.moved();
    if (!this.playing) return;
    if (this.player.running) this.changed = true;
    this.player.step(tick);
    for (const s of this.swarms.values()) (s.shown.step ? s.shown : s.swarm).step(tick);
    if (this.engine.step(tick) || this.swarms.size > 0) this.changed = true;
  }
  // raise tells the program and the host of an event.
  raise(node, event, payload2 = {}) {
    this.driver?.emit(node, event, payload2);
    this.onEvent(node, event, payload2);
    this.changed = true;
  }
  hears(node, event) {
    return this.driver?.hears(node, event) ?? false;
  }
  put(key, value) {
    this.driver?.put?.(key, value);
  }
  // physics is what a program sees of the bodies. Bodies at rest stay so while
  // motion is paused, until a person takes hold of one.
  physics = {
    step: (seconds) => this.playing || this.touched ? this.bodies.step(seconds) : [],
    moved: () => {
      const list3 = this.bodies.moved();
      for (const m of list3) {
        this.engine.place(m.node, "position", m.position);
        this.engine.place(m.node, "rotation", m.rotation);
        this.changed = true;
      }
      return list3;
    },
    place: (node, part, value) => this.bodies.place(node, part, value),
    call: (name3, node, args) => this.bodies.call(name3, node, args)
  };
  setTransform(node, part, value) {
    if (!value.every(Number.isFinite)) return;
    this.engine.place(node, part, part === "rotation" ? unit2(value) : value);
    this.changed = true;
  }
  // shift hears where the program puts a node. The position animations of a copy
  // have the place of its prototype in their keys and count from the new one on.
  shift(node, to) {
    if (this.shifts.has(node)) this.shifts.set(node, sub(to, this.nodes.get(node)?.t ?? [0, 0, 0]));
  }
  setMaterial(node, key, value) {
    this.engine.look(node, key, value);
    this.changed = true;
  }
  setVisible(node, visible) {
    this.engine.show(node, visible);
    this.changed = true;
  }
  setText(node, text3) {
    const n = this.nodes.get(node);
    if (n) this.engine.letter(n, text3);
    this.changed = true;
  }
  play(node, what, name3, on, options = {}) {
    const num = (v) => typeof v === "number" ? v : void 0;
    if (what === "animation") this.player.play(node, name3, on);
    else this.sounds?.play(node, name3, on, { volume: num(options.volume), loop: options.loop === true ? true : void 0 });
    this.changed = true;
  }
  say(line2) {
    this.onSay(line2);
  }
  // state is told of every change of a state key and of properties that are no look.
  state(owner, key, value) {
    if (key === "volume" && typeof value === "number") this.sounds?.volume(owner, value);
    this.onState(owner, key, value);
  }
  // spawn copies the picture and the body of a node, and of a prototype its sound
  // and its animations too.
  spawn(node, _name, like, parent) {
    const prototype = this.prototypes.get(like);
    const copy = { kind: "object", path: node, parent: -1, ...prototype ?? this.nodes.get(like), id: node };
    if (prototype) this.engine.make(copy, parent, like);
    else this.engine.copy(node, like, parent);
    this.nodes.set(node, copy);
    this.parents.set(node, parent);
    this.bodies.copy(copy, parent);
    if (copy.particles) this.swarm(copy);
    if (prototype) {
      this.shifts.set(node, [0, 0, 0]);
      this.player.add((this.scene.animations ?? []).filter((a) => a.node === like).map((a) => ({ ...a, node })));
      if (copy.audio?.autoplay) this.sounds?.play(node, "", true);
    }
    this.onNode(copy, true);
    this.changed = true;
  }
  remove(node) {
    const n = this.nodes.get(node);
    if (n) this.onNode(n, false);
    this.sounds?.stop(node);
    this.player.remove(node);
    this.swarms.get(node)?.shown.dispose();
    this.swarms.delete(node);
    this.engine.remove(node);
    this.nodes.delete(node);
    this.parents.delete(node);
    this.shifts.delete(node);
    this.bodies.remove(node);
    this.changed = true;
  }
  // nearest is the node, or the first of those that it is part of, with which
  // something can be done.
  nearest(node, what) {
    for (let at2 = node; at2 !== void 0; at2 = this.parents.get(at2)) {
      if (this.nodes.get(at2)?.interact?.includes(what)) return at2;
    }
    return void 0;
  }
  // grab takes a node into a hand; hold says where the hand has it in the scene.
  grab(node, hand = "pointer") {
    if (!this.bodies.grab(node)) return false;
    this.touched = true;
    this.raise(node, "grab", { hand });
    return true;
  }
  hold(node, t, r) {
    this.bodies.hold(node, t, r);
    this.raise(node, "drag", { position: t });
  }
  release(node, hand = "pointer") {
    this.bodies.release(node);
    const b = this.bodies.solver.get(node);
    const speed = b ? length(b.v) : 0;
    this.raise(node, "release", { hand });
    this.raise(node, speed > 1 ? "throw" : "drop", { hand, speed });
  }
  // at is the place of a node in the scene.
  at(node) {
    return this.bodies.origin(node);
  }
  animate(id, property, v) {
    const place = this.bodies.local(id);
    if (!place) return;
    const part = parts[property[0]];
    if (!part || property.length > 1 && property[1] !== ".") return this.setMaterial(id, property, v.length === 1 ? v[0] : v);
    const value = part === "position" ? [...place.t] : part === "scale" ? [...place.s] : v;
    const from = part === "position" && this.shifts.get(id) || [0, 0, 0];
    if (property.length === 3) {
      const k = "xyz".indexOf(property[2]);
      value[k] = v[0] + from[k];
    } else for (let k = 0; k < v.length; k++) value[k] = v[k] + (from[k] ?? 0);
    this.setTransform(id, part, value);
    this.bodies.place(id, part, value);
  }
  swarm(n) {
    const here = this.at(n.id);
    const aim = (name3) => {
      for (const m of this.nodes.values()) {
        if (m.name !== name3) continue;
        const there = this.at(m.id);
        return here && there ? turn(back(here.r), sub(there.t, here.t)) : void 0;
      }
      return void 0;
    };
    const swarm = new Swarm(n.particles, seedOf(n.id), aim);
    this.swarms.set(n.id, { swarm, shown: this.engine.swarm(n.id, swarm) });
  }
  // leave takes away what runs in the scene: sounds, particles and spawned nodes.
  // What was built for it stays.
  leave() {
    this.sounds?.dispose();
    const own2 = new Set((this.scene.nodes ?? []).map((n) => n.id));
    for (const id of [...this.nodes.keys()]) if (!own2.has(id)) this.remove(id);
    for (const s of this.swarms.values()) s.shown.dispose();
    this.swarms.clear();
  }
  dispose() {
    this.leave();
    this.engine.dispose();
  }
};
function unit2(value) {
  const q = value.length === 4 ? value : euler(value);
  const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return n > 0 ? q.map((x) => x / n) : [0, 0, 0, 1];
}

// src/view.ts
function view(box3, own2) {
  const middle = box3 ? mul(add(box3[0], box3[1]), 0.5) : [0, 0, 0];
  if (own2) {
    const ahead = turn(own2.r, [0, 0, -1]);
    return { ...own2, target: add(own2.t, mul(ahead, Math.max(1, dot(sub(middle, own2.t), ahead)))) };
  }
  const size = box3 ? Math.max(0.5, length(sub(box3[1], box3[0]))) : 2, way = [0.55, 0.45, 1];
  const t = add(middle, mul(way, size * 1.15 / length(way)));
  return { t, r: toward(t, middle), target: middle };
}

// src/babylon/build.ts
import {
  Camera,
  Color3,
  Color4,
  CreateBox,
  CreatePlane,
  CreateSphere,
  DirectionalLight,
  DynamicTexture,
  FreeCamera,
  Geometry,
  HemisphericLight,
  Material,
  Mesh as Mesh3,
  PBRMaterial,
  PointLight,
  Quaternion,
  RawTexture,
  Scene as World,
  ShadowGenerator,
  SpotLight,
  Texture,
  TransformNode,
  Vector3,
  VertexBuffer,
  VertexData
} from "@babylonjs/core";

// src/letters.ts
var px = 64;
var capital = 0.72;
var line = px * 1.3;
function letters(t) {
  const lines = t.value.split("\n"), font = `600 ${px}px system-ui, sans-serif`;
  const picture = typeof document === "undefined" ? void 0 : document.createElement("canvas"), pen = picture?.getContext("2d");
  if (pen) pen.font = font;
  const long = (l) => pen ? pen.measureText(l).width : l.length * px * 0.55;
  const width2 = Math.min(4096, Math.max(...lines.map(long), 1) + 16), height = Math.min(4096, lines.length * line + 8);
  if (picture && pen) {
    picture.width = width2;
    picture.height = height;
    pen.font = font;
    pen.textBaseline = "middle";
    pen.textAlign = t.align ?? "center";
    pen.fillStyle = "#ffffff";
    const x = t.align === "left" ? 8 : t.align === "right" ? width2 - 8 : width2 / 2;
    lines.forEach((l, i) => pen.fillText(l, x, line * (i + 0.5) + 4));
  }
  const unit4 = t.size / (px * capital);
  return { picture, width: width2 * unit4, height: height * unit4, x: (t.align === "left" ? 0.5 : t.align === "right" ? -0.5 : 0) * width2 * unit4 };
}
function inkOf(m, onSolid) {
  const ink = linear(m?.base_color);
  if (!onSolid) return ink;
  return 0.2126 * ink[0] + 0.7152 * ink[1] + 0.0722 * ink[2] > 0.18 ? [0, 0, 0] : [1, 1, 1];
}

// src/shape.ts
var Mesh = class {
  positions = [];
  normals = [];
  uvs = [];
  indices = [];
  add(p, n, u, v) {
    this.positions.push(...p);
    this.normals.push(...n);
    this.uvs.push(u, v);
    return this.positions.length / 3 - 1;
  }
  // flat adds a four-sided face whose corners go around counter-clockwise.
  flat(...c) {
    const n = normal(c[0], c[1], c[2]);
    const uv = [[0, 0], [1, 0], [1, 1], [0, 1]];
    const i = c.map((p, k) => this.add(p, n, uv[k][0], uv[k][1]));
    this.indices.push(i[0], i[1], i[2], i[0], i[2], i[3]);
  }
  triangle(a, b, c) {
    const n = normal(a, b, c);
    this.indices.push(this.add(a, n, 0, 0), this.add(b, n, 1, 0), this.add(c, n, 0.5, 1));
  }
  // turn sweeps a profile, given from the bottom up, around the Y axis.
  turn(profile, around2) {
    const base = this.positions.length / 3;
    for (let i = 0; i <= around2; i++) {
      const a = 2 * Math.PI * (i % around2) / around2;
      const s = Math.sin(a), c = Math.cos(a);
      for (const p of profile) {
        this.add([p.r * s, p.y, p.r * c], [p.nr * s, p.ny, p.nr * c], i / around2, p.v);
      }
    }
    const n = profile.length;
    for (let i = 0; i < around2; i++) {
      for (let j = 0; j < n - 1; j++) {
        const a = base + i * n + j, b = base + (i + 1) * n + j;
        const lower = profile[j], upper = profile[j + 1];
        if (lower.r === upper.r && lower.y === upper.y) continue;
        if (lower.r > 0) this.indices.push(a, b, b + 1);
        if (upper.r > 0) this.indices.push(a, b + 1, a + 1);
      }
    }
  }
  // stretched is the mesh longer along the axes, its normals still upright.
  stretched(by) {
    for (let i = 0; i < this.positions.length; i += 3) {
      const n = unit3([this.normals[i] / (by[0] || 1), this.normals[i + 1] / (by[1] || 1), this.normals[i + 2] / (by[2] || 1)]);
      for (let k = 0; k < 3; k++) {
        this.positions[i + k] *= by[k];
        this.normals[i + k] = n[k];
      }
    }
    return this;
  }
};
function unit3(v) {
  return mul(v, 1 / (length(v) || 1));
}
function normal(a, b, c) {
  return unit3(cross(sub(b, a), sub(c, a)));
}
function box(m, [w, h, d]) {
  const at2 = (i, j, k) => [(i - 0.5) * w, (j - 0.5) * h, (k - 0.5) * d];
  m.flat(at2(0, 0, 1), at2(1, 0, 1), at2(1, 1, 1), at2(0, 1, 1));
  m.flat(at2(1, 0, 0), at2(0, 0, 0), at2(0, 1, 0), at2(1, 1, 0));
  m.flat(at2(1, 0, 1), at2(1, 0, 0), at2(1, 1, 0), at2(1, 1, 1));
  m.flat(at2(0, 0, 0), at2(0, 0, 1), at2(0, 1, 1), at2(0, 1, 0));
  m.flat(at2(0, 1, 1), at2(1, 1, 1), at2(1, 1, 0), at2(0, 1, 0));
  m.flat(at2(0, 0, 0), at2(1, 0, 0), at2(1, 0, 1), at2(0, 0, 1));
}
function arc(r, below, above, rings) {
  const out = [];
  for (let i = 0; i <= rings; i++) {
    const a = Math.PI * i / rings;
    const s = i === 0 || i === rings ? 0 : Math.sin(a), c = Math.cos(a);
    const p = { r: r * s, y: -r * c, nr: s, ny: -c, v: i / rings };
    if (2 * i < rings) out.push({ ...p, y: p.y + below });
    else if (2 * i > rings) out.push({ ...p, y: p.y + above });
    else {
      out.push({ ...p, y: below });
      if (below !== above) out.push({ ...p, y: above });
    }
  }
  return out;
}
function cylinder(m, bottom, top, h, around2) {
  const n = Math.hypot(h, bottom - top);
  const nr = h / n, ny = (bottom - top) / n;
  const profile = [
    { r: 0, y: -h / 2, nr: 0, ny: -1, v: 0.5 },
    { r: bottom, y: -h / 2, nr: 0, ny: -1, v: 0 },
    { r: bottom, y: -h / 2, nr, ny, v: 0 },
    { r: top, y: h / 2, nr, ny, v: 1 }
  ];
  if (top > 0) profile.push({ r: top, y: h / 2, nr: 0, ny: 1, v: 1 }, { r: 0, y: h / 2, nr: 0, ny: 1, v: 0.5 });
  m.turn(profile, around2);
}
function lathe(m, rings, n, turn2) {
  const at2 = ([y, r], i) => {
    const a = turn2 + 2 * Math.PI * (i % n) / n;
    return [r * Math.sin(a), y, r * Math.cos(a)];
  };
  for (let k = 0; k + 1 < rings.length; k++) {
    const lo = rings[k], hi = rings[k + 1];
    for (let i = 0; i < n; i++) {
      const a = at2(lo, i), b = at2(lo, i + 1), c = at2(hi, i + 1), d = at2(hi, i);
      if (lo[1] > 0) m.triangle(a, b, c);
      if (hi[1] > 0) m.triangle(a, c, d);
    }
  }
}
function extrude(m, outline, middle) {
  outline.forEach((p, i) => {
    const q = outline[(i + 1) % outline.length];
    const at2 = ([x, y], z) => [x, y, z];
    const pf = at2(p, 0.5), qf = at2(q, 0.5), pb = at2(p, -0.5), qb = at2(q, -0.5);
    m.triangle(at2(middle, 0.5), pf, qf);
    m.triangle(at2(middle, -0.5), qb, pb);
    m.triangle(pf, pb, qb);
    m.triangle(pf, qb, qf);
  });
}
function around(n, at2) {
  return Array.from({ length: n }, (_, i) => at2(i));
}
function figure(m, kind) {
  switch (kind) {
    case "pyramid":
      return lathe(m, [[-0.5, 0], [-0.5, Math.SQRT1_2], [0.5, 0]], 4, Math.PI / 4);
    case "crystal":
      return lathe(m, [[-0.5, 0], [-0.1, 0.5], [0.5, 0]], 6, 0);
    case "gem":
      return lathe(m, [[-0.5, 0], [0.15, 0.5], [0.5, 0.3], [0.5, 0]], 8, 0);
    case "wedge":
      return extrude(m, [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5]], [-0.2, -0.2]);
    case "arrow":
      return extrude(m, [[-0.5, -0.15], [0.1, -0.15], [0.1, -0.4], [0.5, 0], [0.1, 0.4], [0.1, 0.15], [-0.5, 0.15]], [0.12, 0]);
    case "gear":
      return extrude(m, around(48, (i) => {
        const r = i % 4 > 1 ? 0.38 : 0.5, a = 2 * Math.PI * i / 48;
        return [r * Math.cos(a), r * Math.sin(a)];
      }), [0, 0]);
    case "heart":
      return extrude(m, around(32, (i) => {
        const t = -2 * Math.PI * i / 32;
        const y = 13 * Math.cos(t) - 5 * Math.cos(2 * t) - 2 * Math.cos(3 * t) - Math.cos(4 * t);
        return [16 * Math.sin(t) ** 3 / 34, (y + 2.5) / 34];
      }), [0, 0.05]);
    default:
      return extrude(m, around(10, (i) => {
        const r = i % 2 === 1 ? 0.2 : 0.5, a = Math.PI * i / 5;
        return [-r * Math.sin(a), r * Math.cos(a)];
      }), [0, 0]);
  }
}
function solid2(g) {
  const m = new Mesh();
  const size = g.size ?? [1, 1, 1];
  const segments = g.segments?.[0] ?? 32, sides = g.segments?.[1] ?? 16;
  const r = g.radius ?? 0, h = g.height ?? 0, tube = g.tube ?? 0;
  switch (g.kind) {
    case "box":
      box(m, size);
      break;
    case "plane": {
      const x = size[0] / 2, z = size[2] / 2;
      m.flat([-x, 0, z], [x, 0, z], [x, 0, -z], [-x, 0, -z]);
      break;
    }
    case "sphere":
      m.turn(arc(r, 0, 0, Math.max(2, segments >> 1)), segments);
      break;
    case "capsule": {
      const half = Math.max(h / 2 - r, 0);
      let rings = Math.max(2, segments >> 1);
      rings += rings % 2;
      m.turn(arc(r, -half, half, rings), segments);
      break;
    }
    case "cylinder":
      cylinder(m, r, r, h, segments);
      break;
    case "cone":
      cylinder(m, r, 0, h, segments);
      break;
    case "torus": {
      const profile = Array.from({ length: sides + 1 }, (_, i) => {
        const a = 2 * Math.PI * (i % sides) / sides;
        return { r: r + tube * Math.cos(a), y: tube * Math.sin(a), nr: Math.cos(a), ny: Math.sin(a), v: i / sides };
      });
      m.turn(profile, segments);
      break;
    }
    case "ring":
    case "disc": {
      const inner = g.kind === "ring" ? Math.min(r - tube, r * 0.999) : 0;
      m.turn([{ r, y: 0, nr: 0, ny: 1, v: 0 }, { r: inner, y: 0, nr: 0, ny: 1, v: 1 }], segments);
      break;
    }
    default:
      figure(m, g.kind);
      return m.stretched(size);
  }
  return g.stretch ? m.stretched(g.stretch) : m;
}

// src/babylon/models.ts
import { LoadAssetContainerAsync, Mesh as Mesh2 } from "@babylonjs/core";
import "@babylonjs/loaders/glTF/index.js";

// src/files.ts
var corners = 3e6;
function packed(text3, path) {
  const doc = JSON.parse(text3);
  const parts2 = [], starts = [];
  let size = 0;
  for (const b of doc.buffers ?? []) {
    const data = /^data:[^,]*;base64,/.exec(b.uri ?? "");
    if (!data) throw new Error(`${path} needs another file, ${b.uri ?? "which it does not name"}; use a .glb or embed it`);
    const part = bytes(b.uri.slice(data[0].length));
    starts.push(size);
    parts2.push(part);
    size += part.length + 3 & ~3;
  }
  for (const v of doc.bufferViews ?? []) {
    v.byteOffset = (v.byteOffset ?? 0) + (starts[v.buffer] ?? 0);
    v.buffer = 0;
  }
  if (size > 0) doc.buffers = [{ byteLength: size }];
  const json = new TextEncoder().encode(JSON.stringify(doc)), long = json.length + 3 & ~3;
  const out = new Uint8Array(12 + 8 + long + (size > 0 ? 8 + size : 0)).fill(32, 0, 20 + long), view2 = new DataView(out.buffer);
  [1179937895, 2, out.length, long, 1313821514].forEach((v, i) => view2.setUint32(i * 4, v, true));
  out.set(json, 20);
  if (size > 0) {
    view2.setUint32(20 + long, size, true);
    view2.setUint32(24 + long, 5130562, true);
    parts2.forEach((p, i) => out.set(p, 28 + long + starts[i]));
  }
  return out.buffer;
}
function obj(text3) {
  const places = [], directions = [], pictures = [];
  const p = [], n = [], t = [];
  let smooth = true;
  const corner = (ref) => {
    const at2 = (list3, s) => {
      const i = Number(s);
      return s ? list3[i < 0 ? list3.length + i : i - 1] : void 0;
    };
    const [a, b, c] = ref.split("/");
    const place = at2(places, a);
    if (!place) throw new Error(`a face of the model names the corner ${a}, which is not there`);
    p.push(...place);
    t.push(...at2(pictures, b) ?? [0, 0]);
    const d = at2(directions, c);
    if (!d) smooth = false;
    n.push(...d ?? [0, 0, 0]);
  };
  for (const line2 of text3.split("\n")) {
    const [what, ...rest] = line2.trim().split(/\s+/);
    const numbers2 = (k) => Array.from({ length: k }, (_, i) => Number(rest[i]) || 0);
    if (what === "v") places.push(numbers2(3));
    else if (what === "vn") directions.push(numbers2(3));
    else if (what === "vt") pictures.push(numbers2(2));
    else if (what === "f") for (let i = 2; i < rest.length; i++) for (const k of [0, i - 1, i]) corner(rest[k]);
    if (p.length > corners * 3) throw new Error("the model has too many corners");
  }
  return solid3(p, smooth ? n : void 0, t);
}
function stl(data) {
  const view2 = new DataView(data.buffer), p = [];
  const count2 = data.length >= 84 ? view2.getUint32(80, true) : 0;
  if (data.length >= 84 && data.length === 84 + count2 * 50) {
    if (count2 * 3 > corners) throw new Error("the model has too many corners");
    for (let i = 0; i < count2; i++) for (let k = 0; k < 9; k++) p.push(view2.getFloat32(84 + i * 50 + 12 + k * 4, true));
  } else {
    for (const m of new TextDecoder().decode(data).matchAll(/vertex\s+(\S+)\s+(\S+)\s+(\S+)/g)) p.push(Number(m[1]) || 0, Number(m[2]) || 0, Number(m[3]) || 0);
    if (p.length === 0 || p.length % 9 > 0) throw new Error("the model is no STL file");
  }
  return solid3(p);
}
function solid3(positions, normals, uvs) {
  if (positions.length === 0) throw new Error("the model has no faces");
  if (!normals) {
    normals = [];
    for (let i = 0; i < positions.length; i += 9) {
      const [a, b, c] = [0, 3, 6].map((k) => positions.slice(i + k, i + k + 3));
      const n = cross(sub(b, a), sub(c, a));
      for (let k = 0; k < 3; k++) normals.push(...mul(n, 1 / (length(n) || 1)));
    }
  }
  return { positions, normals, uvs: uvs ?? new Array(positions.length / 3 * 2).fill(0), indices: positions.slice(0, positions.length / 3).map((_, i) => i) };
}

// src/babylon/models.ts
async function model(asset, parent, look, gone) {
  const data = bytes(asset.data ?? ""), kind = asset.path.toLowerCase().replace(/^.*\./, ""), world = parent.getScene();
  const put2 = (s) => {
    const mesh = new Mesh2(`${parent.name} model`, world, parent);
    geometry(s, asset.path, world).applyToMesh(mesh);
    mesh.material = look;
    mesh.receiveShadows = true;
    mesh.metadata = { surface: true };
    return void 0;
  };
  if (kind === "obj") return put2(obj(new TextDecoder().decode(data)));
  if (kind === "stl") return put2(stl(data));
  if (kind !== "glb" && kind !== "gltf") throw new Error(`${asset.path}: a module shows glTF, OBJ and STL`);
  const file2 = kind === "gltf" ? new Uint8Array(packed(new TextDecoder().decode(data), asset.path)) : data;
  const container = await LoadAssetContainerAsync(file2, world, { pluginExtension: ".glb" });
  if (gone()) {
    container.dispose();
    return void 0;
  }
  for (const c of container.cameras.splice(0)) c.dispose();
  container.addAllToScene();
  for (const root of container.rootNodes) root.parent = parent;
  for (const m of container.meshes) m.receiveShadows = true;
  for (const g of container.animationGroups) g.stop();
  return container.animationGroups.length > 0 ? new Clip(container.animationGroups[0]) : void 0;
}
var Clip = class {
  constructor(group) {
    this.group = group;
    group.start(true);
    group.pause();
  }
  group;
  time = 0;
  step(seconds) {
    const { from, to } = this.group, rate = this.group.targetedAnimations[0]?.animation.framePerSecond ?? 60, long = (to - from) / rate;
    this.time = long > 0 ? (this.time + seconds) % long : 0;
    this.group.goToFrame(from + this.time * rate);
  }
};

// src/babylon/build.ts
var neutral = Math.PI;
function color(v) {
  return new Color3(v[0], v[1], v[2]);
}
function build(scene, engine2) {
  const world = new World(engine2);
  world.useRightHandedSystem = true;
  const maker = new Maker(scene, world);
  const built = { world, maker, byId: /* @__PURE__ */ new Map(), clips: [], faults: [], pending: [], gone: false };
  const nodes = scene.nodes ?? [];
  surroundings(scene, world);
  const all = [];
  for (const n of nodes) {
    const object = maker.make(n, n.parent >= 0 ? all[n.parent] : null, built);
    all.push(object);
    if (n.camera) {
      if (!built.camera) built.camera = { node: n.id, data: n.camera };
      lens(new FreeCamera(`${object.name} camera`, Vector3.Zero(), world, false), n.camera).parent = object;
    }
  }
  if (!nodes.some((n) => n.light && n.light.type !== "ambient")) {
    const sun = new DirectionalLight("sun", new Vector3(-3, -6, -4).normalize(), world);
    sun.intensity = 0.8 * neutral;
  }
  return built;
}
var Maker = class {
  constructor(scene, world) {
    this.scene = scene;
    this.world = world;
  }
  scene;
  world;
  materials = [];
  solids = [];
  shadows = /* @__PURE__ */ new Map();
  // lights is how many there may be at a time, with those of the scene itself.
  get lights() {
    const { nodes = [], prototypes = [] } = this.scene;
    return prototypes.some((n) => n.light) ? 12 : nodes.filter((n) => n.light).length + 2;
  }
  make(n, parent, built) {
    const { world, scene } = this, object = new TransformNode(n.name ?? n.path, world);
    object.id = n.id;
    object.metadata = { id: n.id };
    object.position.fromArray(n.t ?? [0, 0, 0]);
    object.rotationQuaternion = Quaternion.FromArray(n.r ?? [0, 0, 0, 1]);
    object.scaling.fromArray(n.s ?? [1, 1, 1]);
    object.parent = parent;
    built.byId.set(n.id, object);
    const surface = scene.materials?.[n.material ?? -1], shape = scene.geometries?.[n.geometry ?? -1];
    if (surface && shape) {
      const look = this.materials[n.material] ??= material(surface, `material ${n.material}`, scene, built, this.lights);
      if (shape.kind === "model") file(n, scene, object, look, built);
      else {
        const mesh = new Mesh3(`${object.name} mesh`, world, object);
        (this.solids[n.geometry] ??= geometry(solid2(shape), `solid ${n.geometry}`, world)).applyToMesh(mesh);
        mesh.material = look;
        mesh.receiveShadows = true;
        mesh.metadata = { surface: true };
        for (const s of this.shadows.values()) s.addShadowCaster(mesh, false);
      }
    }
    if (n.text) letter(n, n.text.value, scene, built);
    if (n.light) {
      const l = light3(n.light, object);
      if (n.light.shadow && (l instanceof DirectionalLight || l instanceof SpotLight || l instanceof PointLight)) {
        const s = shadow(l);
        this.shadows.set(l, s);
        l.onDisposeObservable.addOnce(() => this.shadows.delete(l));
        for (const m of world.meshes) if (m.metadata?.surface) s.addShadowCaster(m, false);
      }
    }
    if (n.visible === false) object.setEnabled(false);
    return object;
  }
};
function geometry(s, name3, world) {
  const data = new VertexData();
  data.positions = s.positions;
  data.normals = s.normals;
  data.uvs = s.uvs;
  data.indices = s.indices;
  return new Geometry(name3, world, data);
}
function lens(c, data) {
  c.minZ = data.near;
  c.maxZ = data.far;
  c.fov = data.fov;
  if (data.ortho) c.mode = Camera.ORTHOGRAPHIC_CAMERA;
  c.metadata = { ortho: data.ortho ?? 0 };
  return c;
}
function erase(object) {
  for (const c of object.getChildMeshes(true)) if (c.metadata?.letters) c.dispose(false, true);
}
function letter(n, value, scene, built) {
  const object = built.byId.get(n.id);
  if (!object) return;
  erase(object);
  if (value === "") return;
  const { world } = built;
  const { picture, width: width2, height, x } = letters({ size: 0.1, ...n.text, value });
  const sheet = CreatePlane(`${object.name} text`, { width: width2, height, sideOrientation: Mesh3.DOUBLESIDE }, world);
  const ink = unlit(`${object.name} ink`, world);
  ink.albedoColor = color(inkOf(n.material === void 0 ? void 0 : scene.materials?.[n.material], n.geometry !== void 0));
  if (picture) {
    const t = new DynamicTexture(`${object.name} letters`, picture, world, true);
    t.hasAlpha = true;
    t.update(true);
    ink.albedoTexture = t;
    ink.useAlphaFromAlbedoTexture = true;
  }
  ink.transparencyMode = Material.MATERIAL_ALPHABLEND;
  ink.backFaceCulling = false;
  ink.disableDepthWrite = true;
  sheet.material = ink;
  sheet.metadata = { letters: true };
  sheet.parent = object;
  sheet.position.set(x, 0, n.geometry === void 0 ? 0 : ((scene.geometries ?? [])[n.geometry].size?.[2] ?? 0) / 2 + 2e-3);
}
function unlit(name3, world) {
  const m = new PBRMaterial(name3, world);
  m.unlit = true;
  m.sideOrientation = Material.CounterClockWiseSideOrientation;
  return m;
}
function file(n, scene, object, look, built) {
  const asset = scene.assets?.[(scene.geometries ?? [])[n.geometry].asset ?? -1];
  const missing = (text3) => {
    if (built.gone) return;
    built.faults.push({ node: n.id, text: `${called(n)}: ${text3}` });
    const wires = unlit(`${object.name} missing`, built.world);
    wires.wireframe = true;
    wires.albedoColor = color(linear("#d03a2b"));
    const box3 = CreateBox(`${object.name} missing`, {}, built.world);
    box3.material = wires;
    box3.parent = object;
  };
  if (!asset?.data) return missing(`the model ${asset?.path ?? ""} did not come with the scene`);
  built.pending.push(model(asset, object, look, () => built.gone).then((clip2) => {
    if (clip2) built.clips.push(clip2);
  }, (e) => missing(e instanceof Error ? e.message : String(e))));
}
function texture(index2, scene, built, colour) {
  const asset = scene.assets?.[index2 ?? -1];
  if (!asset?.data) return null;
  const url = `data:${asset.media_type};base64,${asset.data}`;
  const t = new Texture(url, built.world, { buffer: url, noMipmap: false });
  t.gammaSpace = colour;
  t.wrapU = t.wrapV = Texture.WRAP_ADDRESSMODE;
  return t;
}
function material(m, name3, scene, built, lights) {
  const out = m.unlit ? unlit(name3, built.world) : new PBRMaterial(name3, built.world);
  out.sideOrientation = Material.CounterClockWiseSideOrientation;
  out.maxSimultaneousLights = Math.min(Math.max(lights, 4), 12);
  out.useGLTFLightFalloff = true;
  out.albedoColor = color(linear(m.base_color));
  out.alpha = alpha(m.base_color);
  out.metallic = m.metallic ?? 0;
  out.roughness = m.roughness ?? 0.5;
  out.emissiveColor = color(linear(m.emissive ?? "#000000"));
  out.emissiveIntensity = m.emissive_intensity ?? 1;
  out.indexOfRefraction = m.ior ?? 1.5;
  out.backFaceCulling = !m.double_sided;
  out.twoSidedLighting = m.double_sided === true;
  out.transparencyMode = m.alpha === "blend" ? Material.MATERIAL_ALPHABLEND : m.alpha === "mask" ? Material.MATERIAL_ALPHATEST : Material.MATERIAL_OPAQUE;
  out.alphaCutOff = 0.5;
  out.albedoTexture = texture(m.maps?.base_color, scene, built, true);
  if (out.albedoTexture && m.alpha && m.alpha !== "opaque") {
    out.albedoTexture.hasAlpha = true;
    out.useAlphaFromAlbedoTexture = true;
  }
  out.bumpTexture = texture(m.maps?.normal, scene, built, false);
  out.emissiveTexture = texture(m.maps?.emissive, scene, built, true);
  const orm = texture(m.maps?.orm, scene, built, false);
  if (orm) {
    out.metallicTexture = orm;
    out.useRoughnessFromMetallicTextureGreen = out.useMetallnessFromMetallicTextureBlue = true;
    out.useRoughnessFromMetallicTextureAlpha = false;
  }
  return out;
}
function light3(l, parent) {
  const world = parent.getScene(), name3 = `${parent.name} light`, ahead = new Vector3(0, 0, -1);
  let out;
  switch (l.type) {
    case "ambient":
    case "hemisphere": {
      const above = new HemisphericLight(name3, Vector3.Up(), world);
      above.groundColor = color(linear(l.type === "ambient" ? l.color : l.ground ?? "#ffffff"));
      above.specular = Color3.Black();
      out = above;
      break;
    }
    case "directional":
      out = new DirectionalLight(name3, ahead, world);
      break;
    case "spot":
      out = spot(name3, world, l.angle ?? 0.5, l.penumbra ?? 0);
      break;
    case "area":
      out = spot(name3, world, 1.4, 0.6);
      break;
    default:
      out = new PointLight(name3, Vector3.Zero(), world);
  }
  out.parent = parent;
  out.diffuse = color(linear(l.color));
  if (!(out instanceof HemisphericLight)) out.specular = out.diffuse.clone();
  if (l.range) out.range = l.range;
  out.metadata = { unit: out instanceof HemisphericLight ? 1 : neutral, level: true };
  out.intensity = (l.intensity ?? 1) * out.metadata.unit;
  return out;
}
function spot(name3, world, angle, penumbra) {
  const out = new SpotLight(name3, Vector3.Zero(), new Vector3(0, 0, -1), 2 * angle, 1, world);
  out.innerAngle = 2 * angle * (1 - penumbra);
  return out;
}
function shadow(l) {
  const s = new ShadowGenerator(1024, l);
  if (!(l instanceof PointLight)) s.usePercentageCloserFiltering = true;
  s.normalBias = 0.02;
  s.bias = 1e-3;
  return s;
}
function surroundings(scene, world) {
  const e = scene.environment ?? {}, colors = e.sky?.colors ?? [];
  const back2 = colors.length > 0 ? colors[colors.length - 1] : "#dfe5ec";
  world.clearColor = Color4.FromColor3(Color3.FromHexString(back2.slice(0, 7)));
  if (colors.length > 1) dome(colors, world);
  if (e.fog) {
    world.fogMode = World.FOGMODE_EXP2;
    world.fogDensity = e.fog.density;
    world.fogColor = Color3.FromHexString(e.fog.color.slice(0, 7));
  }
  const develop = world.imageProcessingConfiguration;
  develop.exposure = e.exposure ?? 1;
  develop.toneMappingEnabled = e.tone_mapping === "aces";
  develop.toneMappingType = 1;
  const given = e.ambient ?? { color: "#ffffffff", intensity: 0.3 };
  const ambient = new HemisphericLight("ambient", Vector3.Up(), world);
  ambient.diffuse = ambient.groundColor = color(linear(given.color));
  ambient.specular = Color3.Black();
  ambient.intensity = given.intensity;
  const around2 = linear(given.color).map((c) => Math.round(c * 255));
  const mirror = RawTexture.CreateRGBATexture(new Uint8Array(Array.from({ length: 8 }, () => [...around2, 255]).flat()), 4, 2, world, false);
  mirror.coordinatesMode = Texture.EQUIRECTANGULAR_MODE;
  mirror.gammaSpace = false;
  mirror.level = given.intensity;
  world.environmentTexture = mirror;
}
function dome(colors, world) {
  const ball2 = CreateSphere("sky", { diameter: 2, segments: 24, sideOrientation: Mesh3.DOUBLESIDE }, world);
  const at2 = ball2.getVerticesData(VertexBuffer.PositionKind), paint = [];
  for (let i = 0; i < at2.length; i += 3) {
    const u = (1 - Math.min(Math.max(at2[i + 1], -1), 1)) / 2 * (colors.length - 1), k = Math.min(Math.floor(u), colors.length - 2);
    const from = linear(colors[k]), to = linear(colors[k + 1]);
    paint.push(...from.map((v, c) => v + (to[c] - v) * (u - k)), 1);
  }
  ball2.setVerticesData(VertexBuffer.ColorKind, paint);
  const sky = unlit("sky", world);
  sky.backFaceCulling = false;
  sky.disableDepthWrite = true;
  sky.fogEnabled = false;
  ball2.material = sky;
  ball2.infiniteDistance = true;
  ball2.applyFog = false;
  ball2.isPickable = false;
  ball2.hasVertexAlpha = false;
  ball2.renderingGroupId = 0;
  ball2.alphaIndex = -1;
  ball2.scaling.setAll(100);
  ball2.metadata = { sky: true };
}
function shade(srgb) {
  return color(srgb.map(light2));
}
function nodeOf(mesh) {
  for (let o = mesh; o; o = o.parent) if (o.metadata?.id) return o.metadata.id;
  return void 0;
}

// src/babylon/engine.ts
import {
  CreateLines,
  HemisphericLight as HemisphericLight2,
  Light as Light2,
  Material as Material2,
  Mesh as Mesh4,
  PBRMaterial as PBRMaterial2,
  Quaternion as Quaternion2,
  RawTexture as RawTexture2,
  TransformNode as TransformNode2,
  Vector3 as Vector32,
  VertexData as VertexData2
} from "@babylonjs/core";

// src/names.ts
var names = new Map(Array.from(`aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000 blanchedalmond ffebcd
blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed
cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9
darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f
darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff
dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc
ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4
indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6
lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1
lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0
lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3
mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585
midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23
orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5
peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f
royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb
slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8
tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32`.matchAll(/(\w+) (\w+)/g), (m) => [m[1], `#${m[2]}`]));
function painted(value) {
  if (Array.isArray(value)) return value.length >= 3 && value.every(Number.isFinite) ? [value[0], value[1], value[2]] : void 0;
  if (typeof value !== "string") return void 0;
  const text3 = value.trim().toLowerCase(), short3 = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(text3);
  if (short3) return hex(`#${short3[1]}${short3[1]}${short3[2]}${short3[2]}${short3[3]}${short3[3]}`);
  if (/^#[0-9a-f]{6}([0-9a-f]{2})?$/.test(text3)) return hex(text3);
  const named2 = names.get(text3);
  return named2 === void 0 ? void 0 : hex(named2);
}

// src/quads.ts
var corners2 = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
var Quads = class {
  constructor(swarm) {
    this.swarm = swarm;
    const n = swarm.count * 4;
    this.positions = new Float32Array(n * 3);
    this.colours = new Float32Array(n * 4);
    this.uvs = new Float32Array(n * 2);
    for (let i = 0; i < swarm.count; i++) {
      this.indices.push(...[0, 1, 2, 0, 2, 3].map((k) => i * 4 + k));
      corners2.forEach(([x, y], k) => this.uvs.set([x + 0.5, y + 0.5], (i * 4 + k) * 2));
    }
  }
  swarm;
  positions;
  colours;
  // linear, with alpha
  uvs;
  indices = [];
  // face turns the squares towards an eye: both rotations are in the scene, the
  // scale is that of where the particles are.
  face(eye, here, scale) {
    const axis2 = (v) => turn(back(here), turn(eye, v)), right = axis2([1, 0, 0]), up = axis2([0, 1, 0]);
    const { places, colours, sizes, count: count2 } = this.swarm;
    for (let i = 0; i < count2; i++) {
      for (let c = 0; c < 4; c++) {
        const at2 = i * 4 + c, [x, y] = corners2[c];
        for (let k = 0; k < 3; k++) this.positions[at2 * 3 + k] = places[i * 3 + k] + sizes[i] * (right[k] * x + up[k] * y) / (scale[k] || 1);
        for (let k = 0; k < 4; k++) this.colours[at2 * 4 + k] = colours[i * 4 + k];
      }
    }
  }
};
function spot2(size = 32) {
  const out = new Uint8Array(size * size * 4).fill(255);
  for (let i = 0; i < size * size; i++) {
    const x = (i % size + 0.5) / size - 0.5, y = (Math.floor(i / size) + 0.5) / size - 0.5;
    const u = Math.min(Math.max((0.5 - Math.sqrt(x * x + y * y)) / 0.3, 0), 1);
    out[i * 4 + 3] = Math.round(u * u * (3 - 2 * u) * 255);
  }
  return out;
}

// src/babylon/engine.ts
function engine(scene, built, eye) {
  const { world } = built, of = (node) => built.byId.get(node);
  const own2 = /* @__PURE__ */ new Map(), made = /* @__PURE__ */ new Set();
  const surface = (object) => {
    const known2 = own2.get(object);
    if (known2) return known2;
    for (const c of object.getChildMeshes(true)) {
      if (!c.metadata?.surface || !(c.material instanceof PBRMaterial2)) continue;
      const m = c.material.clone(`${object.name} look`);
      c.material = m;
      own2.set(object, m);
      return m;
    }
    return void 0;
  };
  const lamps = (object) => object.getChildren((c) => c instanceof Light2 && c.metadata?.level, true);
  return {
    place(node, part, value) {
      const object = of(node);
      if (!object) return;
      if (part === "rotation") object.rotationQuaternion = Quaternion2.FromArray(value);
      else object[part === "scale" ? "scaling" : "position"].fromArray(value);
    },
    look(node, key, value) {
      const object = of(node);
      if (!object) return;
      const amount = typeof value === "number" ? value : void 0, paint = painted(value);
      if (key === "intensity" && amount !== void 0) for (const l of lamps(object)) l.intensity = Math.max(amount, 0) * l.metadata.unit;
      if (key === "color" && paint) {
        for (const l of lamps(object)) {
          l.diffuse = shade(paint);
          if (!(l instanceof HemisphericLight2)) l.specular = l.diffuse.clone();
        }
      }
      const m = key === "intensity" ? void 0 : surface(object);
      if (!m) return;
      if ((key === "color" || key === "base_color") && paint) m.albedoColor = shade(paint);
      else if (key === "emissive" && paint) m.emissiveColor = shade(paint);
      else if (amount === void 0) return;
      else if (key === "opacity") {
        m.alpha = clamp3(amount);
        m.transparencyMode = m.alpha < 1 ? Material2.MATERIAL_ALPHABLEND : Material2.MATERIAL_OPAQUE;
      } else if (key === "emissive_intensity") m.emissiveIntensity = Math.max(amount, 0);
      else if (key === "metallic") m.metallic = clamp3(amount);
      else if (key === "roughness") m.roughness = clamp3(amount);
    },
    show: (node, visible) => of(node)?.setEnabled(visible),
    letter: (n, text3) => letter(n, text3, scene, built),
    copy(node, like, parent) {
      const from = of(like), object = from?.clone(node, null) ?? new TransformNode2(node, world);
      for (const o of object.getDescendants()) if (o.metadata?.id) o.metadata = {};
      object.id = node;
      object.metadata = { id: node };
      object.parent = of(parent) ?? null;
      object.setEnabled(true);
      built.byId.set(node, object);
    },
    make(n, parent) {
      built.maker.make(n, of(parent) ?? null, built);
      made.add(n.id);
    },
    remove(node) {
      const object = of(node);
      if (!object) return;
      if (made.delete(node)) erase(object);
      own2.get(object)?.dispose();
      own2.delete(object);
      object.dispose();
      built.byId.delete(node);
    },
    swarm(node, swarm) {
      const quads = new Quads(swarm), object = of(node), mesh = new Mesh4(`${object.name} particles`, world, object);
      const ink = unlit(mesh.name, world), data = new VertexData2();
      [data.positions, data.colors, data.uvs, data.indices] = [quads.positions, quads.colours, quads.uvs, quads.indices];
      data.applyToMesh(mesh, true);
      const dot2 = RawTexture2.CreateRGBATexture(spot2(), 32, 32, world, true);
      dot2.hasAlpha = true;
      ink.albedoTexture = dot2;
      ink.useAlphaFromAlbedoTexture = true;
      ink.transparencyMode = Material2.MATERIAL_ALPHABLEND;
      ink.alphaMode = swarm.adds ? 1 : 2;
      ink.backFaceCulling = false;
      ink.disableDepthWrite = true;
      mesh.material = ink;
      mesh.hasVertexAlpha = true;
      mesh.isPickable = false;
      mesh.alwaysSelectAsActiveMesh = true;
      mesh.metadata = { particles: true };
      const update = () => {
        const s = object.absoluteScaling;
        object.computeWorldMatrix(true);
        quads.face(Quaternion2.FromRotationMatrix(eye().getWorldMatrix().getRotationMatrix()).asArray(), object.absoluteRotationQuaternion.asArray(), [s.x, s.y, s.z]);
        mesh.updateVerticesData("position", quads.positions);
        mesh.updateVerticesData("color", quads.colours);
      };
      update();
      return { update, dispose: () => mesh.dispose(false, true) };
    },
    step(seconds) {
      for (const c of built.clips) c.step(seconds);
      return built.clips.length > 0;
    },
    get lively() {
      return built.clips.length > 0;
    },
    dispose() {
      built.gone = true;
      built.byId.clear();
      own2.clear();
      world.dispose();
    }
  };
}
function beams(built) {
  const lines = [];
  return (hand, ray2) => {
    if (built.gone || !ray2 && !lines[hand]) return;
    const points = ray2 ? [new Vector32(...ray2.from), new Vector32(...ray2.ahead).scale(3).add(new Vector32(...ray2.from))] : [Vector32.Zero(), Vector32.Zero()];
    lines[hand] = CreateLines(`hand ${hand}`, { points, updatable: true, instance: lines[hand] }, built.world);
    lines[hand].isPickable = false;
    lines[hand].setEnabled(ray2 !== void 0);
  };
}
function clamp3(x) {
  return Math.min(Math.max(x, 0), 1);
}

// src/babylon/module.ts
function create(data, canvas, options = {}) {
  const scene = checked(data);
  if (!options.engine && !canvas) throw new TypeError("createScene needs a canvas or options.engine");
  const engine2 = options.engine ?? new Drawing(canvas, true, { stencil: true });
  const built = build(scene, engine2), { world } = built;
  const camera = lens(new FreeCamera2("eye", Vector33.Zero(), world), built.camera?.data ?? { fov: 50 * Math.PI / 180, near: 0.05, far: 5e3 });
  camera.rotationQuaternion = Quaternion3.Identity();
  world.activeCamera = camera;
  const size = { zoom: 1 }, eye = eyeOf(camera, size), first3 = view(box2(world), own(built));
  eye.position = first3.t;
  eye.rotation = first3.r;
  const controls2 = canvas && options.controls !== false ? new Orbit(eye, canvas) : void 0;
  if (controls2) controls2.target = first3.target;
  const stage = new Running(scene, engine(scene, built, () => world.activeCamera ?? camera), options.still ?? false);
  stage.hear(() => ({ t: camera.globalPosition.asArray(), r: eye.rotation }));
  const pipeline = effects(scene.post, world, camera);
  const hit = (ray2) => pick(stage, world, ray2);
  const aspect = () => engine2.getRenderWidth() / Math.max(engine2.getRenderHeight(), 1);
  const pointer = canvas && new Pointer(canvas, {
    stage: () => stage,
    hit,
    ray: (x, y) => through(eye, aspect(), x, y),
    ahead: () => camera.getDirection(new Vector33(0, 0, -1)).asArray(),
    orbit: (on) => {
      if (controls2) controls2.enabled = on;
    },
    describe: () => {
    }
  });
  const act = perform(stage, canvas, options.ui);
  void Promise.all(built.pending).then(() => {
    for (const f of built.faults) act.fault(f.node, f.text);
  });
  const update = (dt) => {
    stage.advance(dt);
    if (built.gone) return;
    if (canvas && !options.engine && (canvas.width !== canvas.clientWidth || canvas.height !== canvas.clientHeight) && canvas.clientWidth > 0) engine2.resize();
    flat(camera, size, aspect());
    world.render();
  };
  const frame2 = () => update(Math.min(engine2.getDeltaTime() / 1e3, 0.25));
  if (options.loop !== false) engine2.runRenderLoop(frame2);
  let session;
  return {
    scene: world,
    update,
    emit: (node, event, payload2) => stage.raise(node, event, payload2),
    async enter(mode) {
      const helper = await WebXRExperienceHelper.CreateAsync(world);
      const output = helper.sessionManager.getWebXRRenderTarget();
      const manager = await helper.enterXRAsync(mode, "local-floor", output, { optionalFeatures: ["hand-tracking"] });
      const hands = new Immersive(stage, manager.session, { hit, beam: beams(built) });
      const seen = manager.onXRFrameObservable.add((f) => hands.frame(f, manager.referenceSpace));
      const clear = world.clearColor, sky = world.getMeshByName("sky");
      if (mode === "immersive-ar") {
        world.clearColor = new Color42(0, 0, 0, 0);
        sky?.setEnabled(false);
      }
      session = { end: () => helper.exitXRAsync() };
      helper.onStateChangedObservable.add((state) => {
        if (state !== WebXRState.NOT_IN_XR) return;
        manager.onXRFrameObservable.remove(seen);
        hands.dispose();
        session = void 0;
        if (built.gone) return;
        world.clearColor = clear;
        sky?.setEnabled(true);
        world.activeCamera = camera;
        helper.dispose();
      });
      return manager.session;
    },
    dispose() {
      if (built.gone) return;
      engine2.stopRenderLoop(frame2);
      void session?.end();
      controls2?.dispose();
      pointer?.dispose();
      pipeline?.dispose();
      act.dispose();
      stage.dispose();
      if (!options.engine) engine2.dispose();
    }
  };
}
function own(built) {
  const object = built.camera && built.byId.get(built.camera.node);
  if (!object) return void 0;
  object.computeWorldMatrix(true);
  return { t: object.getAbsolutePosition().asArray(), r: object.absoluteRotationQuaternion.asArray() };
}
function box2(world) {
  let out;
  for (const m of world.meshes) {
    if (!m.isEnabled() || m.metadata?.sky || m.metadata?.particles || m.getTotalVertices() === 0) continue;
    m.computeWorldMatrix(true);
    const { minimumWorld: a, maximumWorld: b } = m.getBoundingInfo().boundingBox;
    out = out ? [[Math.min(out[0][0], a.x), Math.min(out[0][1], a.y), Math.min(out[0][2], a.z)], [Math.max(out[1][0], b.x), Math.max(out[1][1], b.y), Math.max(out[1][2], b.z)]] : [[a.x, a.y, a.z], [b.x, b.y, b.z]];
  }
  return out;
}
function eyeOf(camera, size) {
  const ortho = camera.metadata.ortho;
  return {
    get position() {
      return camera.position.asArray();
    },
    set position(t) {
      camera.position.fromArray(t);
    },
    get rotation() {
      return camera.rotationQuaternion.asArray();
    },
    set rotation(r) {
      camera.rotationQuaternion = Quaternion3.FromArray(r);
    },
    flat: ortho > 0,
    height: (distance) => ortho > 0 ? ortho / size.zoom : 2 * distance * Math.tan(camera.fov / 2),
    zoom(by) {
      size.zoom = Math.min(Math.max(size.zoom / by, 0.01), 1e3);
      return ortho > 0;
    }
  };
}
function flat(camera, size, aspect) {
  if (camera.mode !== Camera2.ORTHOGRAPHIC_CAMERA) return;
  const half = camera.metadata.ortho / size.zoom / 2;
  camera.orthoTop = half;
  camera.orthoBottom = -half;
  camera.orthoLeft = -half * aspect;
  camera.orthoRight = half * aspect;
}
function pick(stage, world, ray2) {
  const found = world.pickWithRay(new Beam(new Vector33(...ray2.from), new Vector33(...ray2.ahead), 1e5), (m) => m.isPickable && m.isEnabled() && nodeOf(m) !== void 0);
  const node = found?.pickedMesh && nodeOf(found.pickedMesh);
  if (!found?.pickedPoint || !node) return void 0;
  return { node, grab: stage.nearest(node, "grab"), point: found.pickedPoint.asArray(), distance: found.distance };
}
function effects(list3, world, camera) {
  const some = shown(list3);
  if (some.length === 0) return void 0;
  const g = grades(some), p = new DefaultRenderingPipeline("effects", true, world, [camera]);
  world.clearColor = world.clearColor.toLinearSpace();
  p.samples = 4;
  p.bloomEnabled = g.bloom > 0;
  p.bloomThreshold = g.threshold;
  p.bloomWeight = 0.5 * g.bloom;
  p.chromaticAberrationEnabled = g.fringe > 0;
  p.chromaticAberration.aberrationAmount = 30 * g.fringe;
  p.grainEnabled = g.grain > 0;
  p.grain.intensity = 30 * g.grain;
  const develop = p.imageProcessing.imageProcessingConfiguration;
  develop.exposure *= g.brightness;
  develop.contrast = g.contrast;
  develop.vignetteEnabled = g.vignette > 0;
  develop.vignetteWeight = 4 * g.vignette;
  develop.vignetteBlendMode = ImageProcessingConfiguration.VIGNETTEMODE_MULTIPLY;
  if (g.saturation !== 1) {
    develop.colorCurvesEnabled = true;
    develop.colorCurves = new ColorCurves();
    develop.colorCurves.globalSaturation = Math.min(Math.max((g.saturation - 1) * 100, -100), 100);
  }
  return p;
}
export {
  create
};
