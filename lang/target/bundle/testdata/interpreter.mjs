// The interpreter as it was built and is joined, for tests in Node.
import { readFileSync } from "node:fs";

const text = ["../core.js", "adapter.js"].map((f) => readFileSync(new URL(f, import.meta.url), "utf8")).join("");
export const { Bodies, load, Machine, nodesOf, parse, Runtime } = await import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
