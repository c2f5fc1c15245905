// Parses files by the grammar of tree-sitter for their language:
// node grammar.mjs LANGUAGE FILE…
// A language is the name of a grammar in the package: gdscript, kotlin, swift.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

setFlagsFromString("--liftoff-only"); // optimising a grammar takes longer than parsing by it

const here = dirname(fileURLToPath(import.meta.url));
const [name, ...files] = process.argv.slice(2);
const Parser = createRequire(import.meta.url)("web-tree-sitter");
await Parser.init();
const language = await Parser.Language.load(join(here, `node_modules/@cursorless/tree-sitter-wasms/out/tree-sitter-${name}.wasm`));

// fault is the first place that the grammar does not know.
function fault(node) {
  if (node.isError || node.isMissing) return `${node.startPosition.row + 1}:${node.startPosition.column + 1}: ${node.text.slice(0, 60)}`;
  if (!node.hasError) return "";
  for (const c of node.children) {
    const f = fault(c);
    if (f) return f;
  }
  return "";
}

for (const file of files) {
  const parser = new Parser(); // scanners remember what they saw before
  parser.setLanguage(language);
  const tree = parser.parse(readFileSync(file, "utf8"));
  const message = fault(tree.rootNode) || (tree.rootNode.hasError ? "something is not whole" : "");
  console.log(JSON.stringify({ file, ok: message === "", message }));
  tree.delete();
  parser.delete();
}
