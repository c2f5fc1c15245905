// {{header}}
// Loads scene.wasm and reads it. The module imports nothing and draws nothing:
// whoever draws asks for the transforms after every step.

// load takes the bytes of the module, or a response that brings them.
export async function load(source) {
  const bytes = source instanceof Response ? await source.arrayBuffer() : source;
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const module = instance.exports;
  const text = new Uint8Array(module.memory.buffer, module.scene(), module.scene_len());
  const scene = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  const count = module.node_count();
  const all = new Float32Array(module.memory.buffer, module.transforms(), count * 10); // memory never grows, so this view stays
  module.init();
  return {
    scene,
    count,
    // transform is place (3), turn (x y z w) and size (3) of a node, relative to its parent.
    transform(node) {
      if (!Number.isInteger(node) || node < 0 || node >= count) throw new RangeError(`no node ${node} of ${count}`);
      return all.subarray(node * 10, node * 10 + 10);
    },
    // step moves time on by seconds; more than a day, less than none or no number is no time.
    step(seconds) { module.step(seconds); },
    // reset goes back to the beginning.
    reset() { module.init(); },
  };
}
