// Scenes that engines.mjs runs, and the arithmetic that it judges with.

export const add = (a, b) => a.map((v, i) => v + b[i]);

export const product = (m, v) => m.map((row) => row.reduce((sum, x, k) => sum + x * v[k], 0));

// rotated is the matrix of a unit quaternion.
export function rotated([x, y, z, w]) {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

// pixel is where a point is on the picture of a scene's camera, which hangs on nothing.
export function pixel(scene, point, width, height) {
  const n = scene.nodes.find((o) => o.camera), r = rotated(n.r ?? [0, 0, 0, 1]), away = add(point, (n.t ?? [0, 0, 0]).map((v) => -v));
  const [x, y, z] = [0, 1, 2].map((k) => away.reduce((sum, v, i) => sum + v * r[i][k], 0)), half = Math.tan(n.camera.fov / 2) * -z;
  return [width / 2 + (x / half) * (height / 2), height / 2 - (y / half) * (height / 2)];
}

const box = [{ kind: "box", size: [1, 1, 1] }], white = [{ base_color: "#ffffffff" }];
const eye = { id: "neye", path: "eye", kind: "camera", parent: -1, t: [0, 0, 5], camera: { fov: Math.PI / 4, near: 0.05, far: 100 } };

export const moved = {
  v: "scene/1", geometries: box, materials: white,
  nodes: [
    { id: "nmover", path: "mover", kind: "object", parent: -1, geometry: 0, material: 0 },
    { id: "nturner", path: "turner", kind: "object", parent: -1, geometry: 0, material: 0 },
  ],
  animations: [
    { node: "nmover", property: "t.y", keys: [[0, 0], [1, 2]], easing: "linear", autoplay: true },
    { node: "nturner", property: "r", keys: [[0, 0, 0, 0, 1], [1, 0, Math.SQRT1_2, 0, Math.SQRT1_2]], easing: "linear", autoplay: true },
  ],
};

export const fallen = {
  v: "scene/1", geometries: [{ kind: "sphere", radius: 0.5 }, { kind: "plane", size: [10, 0, 10] }], materials: white,
  nodes: [
    { id: "nball", path: "ball", kind: "object", parent: -1, t: [0, 4, 0], geometry: 0, material: 0, body: { type: "dynamic", mass: 1 }, collider: { shape: "sphere", size: [1, 1, 1] } },
    { id: "nfloor", path: "floor", kind: "object", parent: -1, geometry: 1, material: 0, body: { type: "static" }, collider: { shape: "plane", size: [10, 0, 10] } },
  ],
};

export const answers = {
  v: "scene/1", geometries: box, materials: white,
  nodes: [eye, { id: "ngrip", path: "grip", kind: "object", parent: -1, geometry: 0, material: 0, interact: ["grab"] }],
};

// glb is a scene with a glTF file that moves, an OBJ and an STL file.
export function glb() {
  const floats = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, /* times */ 0, 1, /* places */ 0, 0, 0, 2, 0, 0]);
  const document = {
    asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ name: "moving", mesh: 0 }], meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1] } }],
    animations: [{ channels: [{ sampler: 0, target: { node: 0, path: "translation" } }], samplers: [{ input: 1, output: 2, interpolation: "LINEAR" }] }],
    buffers: [{ byteLength: floats.byteLength, uri: `data:application/octet-stream;base64,${Buffer.from(floats.buffer).toString("base64")}` }],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: 36 }, { buffer: 0, byteOffset: 36, byteLength: 8 }, { buffer: 0, byteOffset: 44, byteLength: 24 }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] }, { bufferView: 1, componentType: 5126, count: 2, type: "SCALAR", min: [0], max: [1] },
      { bufferView: 2, componentType: 5126, count: 2, type: "VEC3" },
    ],
  };
  const text = (path, media_type, data) => ({ path, media_type, data: Buffer.from(data).toString("base64") });
  const stl = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";
  return {
    v: "scene/1", materials: white, geometries: [0, 1, 2].map((asset) => ({ kind: "model", asset })),
    assets: [text("a.gltf", "model/gltf+json", JSON.stringify(document)), text("b.obj", "model/obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), text("c.stl", "model/stl", stl)],
    nodes: [0, 1, 2].map((geometry) => ({ id: `nfile${geometry}`, path: `file${geometry}`, kind: "object", parent: -1, geometry, material: 0 })),
  };
}
