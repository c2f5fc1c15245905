// Leaves out of the 3D library what the viewer has no use for, so that a page
// stays small: shaders of materials that it never makes, white space, comments and
// what is never reached of the others, the library's own file format, environment maps.
// Something that is not found stops the build: another version of the library
// wants another look.
import { readFileSync } from "node:fs";

// Materials that neither the viewer nor a glTF file makes.
const shaders = ["backgroundCube", "cube", "equirect", "linedashed", "meshlambert", "meshmatcap", "meshnormal", "meshphong", "meshtoon", "shadow", "sprite"];

// Parts of the remaining shaders for what the viewer never has: environment maps,
// batches, clipping planes, probes and some kinds of maps. In the shaders that are
// left they stand behind conditions that never hold; the others belong to shaders
// that are left out.
const parts = [
  "envmap_fragment", "envmap_common_pars_fragment", "envmap_pars_fragment", "envmap_pars_vertex", "envmap_physical_pars_fragment", "envmap_vertex",
  "batching_pars_vertex", "batching_vertex", "gradientmap_pars_fragment", "lights_toon_fragment", "lights_toon_pars_fragment", "lights_phong_fragment", "lights_phong_pars_fragment",
  "lights_lambert_fragment", "lights_lambert_pars_fragment", "displacementmap_vertex", "displacementmap_pars_vertex", "clipping_planes_fragment", "clipping_planes_pars_fragment",
  "clipping_planes_pars_vertex", "clipping_planes_vertex", "lightmap_pars_fragment", "bumpmap_pars_fragment", "lightprobes_pars_fragment", "alphahash_fragment", "alphahash_pars_fragment",
];

// Conditions of the shaders that never hold, for neither the viewer nor a glTF
// file makes what they ask for.
const never = [
  "USE_REVERSED_DEPTH_BUFFER", "USE_LOGARITHMIC_DEPTH_BUFFER", "USE_RETROREFLECTION", "USE_LIGHTMAP",
  "USE_SPECULARMAP", "USE_ALPHAMAP", "USE_DISPLACEMENTMAP", "USE_BATCHING", "USE_BATCHING_COLOR", "USE_BUMPMAP", "USE_ALPHAHASH", "USE_ENVMAP", "USE_LIGHT_PROBES",
  "DECODE_VIDEO_TEXTURE", "DECODE_VIDEO_TEXTURE_EMISSIVE", "USE_POINTS_UV", "USE_INSTANCING_MORPH", "USE_NORMALMAP_OBJECTSPACE", "DITHERING", "ALPHA_TO_COVERAGE",
  "USE_PACKED_NORMALMAP", "SHADOWMAP_TYPE_BASIC", "SHADOWMAP_TYPE_VSM", "NUM_RECT_AREA_LIGHTS > 0", "NUM_SUN_LIGHTS > 0", "NUM_SUN_LIGHT_SHADOWS > 0",
  "NUM_LIGHT_PROBE_GRIDS > 0",
];

// Functions of the shaders that nothing calls: curves that the viewer does not offer,
// and lights in the shape of a rectangle.
const functions = [
  "ReinhardToneMapping", "CineonToneMapping", "RRTAndODTFit", "ACESFilmicToneMapping", "agxDefaultContrastApprox", "AgXToneMapping",
  "LTC_Uv", "LTC_ClippedSphereFormFactor", "LTC_EdgeVectorFormFactor", "LTC_Evaluate",
];

// Methods that write and read the library's own files.
const methods = ["toJSON", "fromJSON", "static toJSON", "static fromJSON", "static parse", "static parseAnimation", "static CreateFromMorphTargetSequence", "static CreateClipsFromMorphTargetSequences"];

// Methods that nothing calls: not the library, not its loaders, not the viewer.
const uncalled = [
  "addColors", "addGeometry", "addInstance", "addLayerUpdate", "addScaledSH", "angleTo", "applyEuler", "attach", "clampLength", "clampScalar",
  "clearViewOffset", "closePath", "containsBox", "convertLinearToSRGB", "convertSRGBToLinear", "copyAt", "copyLinearToSRGB", "copySRGBToLinear",
  "createDataTexture", "crossFadeFrom", "crossFadeTo", "deleteGeometry", "deleteInstance", "determinant", "distanceSq", "distanceSqToLine3",
  "distanceToSphere", "divide", "ellipse", "expandByScalar", "extractBasis", "fadeIn", "fadeOut", "getArea", "getAt", "getAverageFrequency",
  "getBoundingBox", "getBoundingSphere", "getClip", "getColorAt", "getCurrentLevel", "getDetune", "getDistanceModel", "getEffectiveFOV",
  "getEffectiveTimeScale", "getEffectiveWeight", "getElapsed", "getFilmHeight", "getFilter", "getFilters", "getFocalLength", "getFrequencyData",
  "getGeometryIdAt", "getGeometryRangeAt", "getHSL", "getIndirect", "getIrradianceAt", "getLoop", "getMasterVolume", "getMaxDistance", "getMidpoint",
  "getMixer", "getMorphAt", "getObjectById", "getPlane", "getPlaybackRate", "getRefDistance", "getRolloffFactor", "getRoot", "getStyle", "getTimescale",
  "getViewBounds", "getViewSize", "getVisibleAt", "getVolume", "halt", "intersectLine", "intersectObject", "intersectsLine", "isRunning", "isScheduled",
  "lerpColors", "lerpHSL", "lerpVectors", "localToWorld", "makeBasis", "makeRotationZ", "makeSafe", "makeShear", "manhattanDistanceTo", "multiplyVectors",
  "offsetHSL", "onUpload", "projectOnPlane", "projectOnVector", "projectPoint", "randomDirection", "removeFilter", "removeLevel", "reorder", "rotateAround",
  "rotateOnWorldAxis", "rotateTowards", "rotateZ", "roundToZero", "setAxisAngleFromQuaternion", "setAxisAngleFromRotationMatrix", "setBuffer", "setColor",
  "setColorAt", "setCount", "setCustomSort", "setDirectionalCone", "setDistanceModel", "setDuration", "setEffectiveTimeScale", "setEffectiveWeight",
  "setFilter", "setFilters", "setFocalLength", "setFrame", "setFromArray", "setFromAttributeAndIndices", "setFromCartesianCoords", "setFromCenterAndSize",
  "setFromColor", "setFromCoplanarPoints", "setFromCylindrical", "setFromCylindricalCoords", "setFromMatrix3", "setFromMatrix3Column",
  "setFromPointsAndIndices", "setFromSpherical", "setFromSphericalCoords", "setFromUnitVectors", "setFromVector3", "setFromXRController", "setGeometryAt",
  "setGeometryIdAt", "setGeometrySize", "setIndirect", "setInstanceCount", "setItemSize", "setLoop", "setLoopEnd", "setLoopStart", "setMasterVolume",
  "setMaxDistance", "setMediaElementSource", "setMediaStreamSource", "setMimeType", "setMorphAt", "setName", "setNodeSource", "setOptions", "setRefDistance",
  "setResourcePath", "setRolloffFactor", "setRotationFromAxisAngle", "setRotationFromEuler", "setRotationFromMatrix", "setRotationFromQuaternion", "setTime",
  "setTimescale", "setType", "setViewOffset", "setVisibleAt", "setVolume", "slerpQuaternions", "startAt", "stopAllAction", "subScalar", "syncWith",
  "toShapes", "transformUv", "translateX", "translateY", "transposeIntoArray", "uncache", "uncacheClip", "uncacheRoot", "unsubscribe_", "updateArcLengths",
  "validateGeometryId", "warp", "zero",
];

export const trim = {
  name: "trim",
  setup(build) {
    build.onLoad({ filter: /three\.module\.js$/ }, ({ path }) => ({ contents: renderer(readFileSync(path, "utf8")), loader: "js" }));
    build.onLoad({ filter: /three\.core\.js$/ }, ({ path }) => ({ contents: core(readFileSync(path, "utf8")), loader: "js" }));
    build.onLoad({ filter: /Loader\.js$/ }, ({ path }) => ({ contents: quiet(readFileSync(path, "utf8"), "warn|error"), loader: "js" }));
  },
};

function renderer(text) {
  for (const name of never) if (!text.includes(name)) throw new Error(`${name} not found`);
  for (const name of functions) text = without(text, new RegExp(`(?:vec2|vec3|float) ${name}\\([^)]*\\) \\{(?:(?!\\\\n\\}).)*\\\\n\\}\\\\n`), name);
  let count = 0;
  text = text.replace(/^(?:var|const) [\w$]+ = "[^"]*\\n[^"]*";$/gm, (line) => (count++, shorter(line)));
  if (count < 120) throw new Error(`${count} shaders found`);
  for (const name of parts) {
    const whole = new RegExp(`^(?:var|const) ${name} ?= ?".*";?$`, "m");
    if (!whole.test(text)) throw new Error(`${name} not found`);
    text = text.replace(whole, `const ${name} = "";`);
  }
  for (const name of shaders) for (const kind of ["vert", "frag"]) text = without(text, new RegExp(`^\\t${name}_${kind}: [\\w$]+,?$`, "m"), `${name}_${kind}`);
  text = without(text, method("fromEquirectangularTexture"), "fromEquirectangularTexture");
  const from = text.indexOf("class PMREMGenerator {"), to = text.indexOf("\n}\n", from);
  if (from < 0 || to < 0) throw new Error("PMREMGenerator not found");
  return quiet(`${text.slice(0, from)}class PMREMGenerator { constructor() { throw new Error("no environment maps"); } }${text.slice(to + 2)}`);
}

// shorter is a line of a shader without comments and without white space that
// its language does not need.
function shorter(line) {
  const [, begin, text, end] = /^(.*?")(.*)(";)$/.exec(line.replace(/\/\/.*?(?=\\n|";$)/g, "").replace(/\/\*.*?\*\//g, ""));
  return begin + reached(text.split("\\n").map((l) => {
    const bare = l.replace(/(\\t| )+/g, " ").trim();
    return bare.startsWith("#") ? bare : bare.replace(/ *([=+*<>,;(){}/?:-]) */g, "$1").trimEnd();
  })).join("\\n").replace(/(\\n)+/g, "\\n") + end;
}

// reached leaves out the lines that stand behind conditions that never hold.
function reached(lines) {
  const out = [], open = [];
  const holds = (condition) => !condition.split("&&").some((c) => never.includes(c.replace(/^[( ]*defined *\(|[()]/g, "").trim()));
  for (const line of lines) {
    const [, word, rest] = /^#(ifdef|ifndef|if|elif|else|endif)\b(.*)$/.exec(line) ?? [];
    const top = open.at(-1), live = open.every((o) => o.on);
    if (!word) {
      if (live) out.push(line);
    } else if (word === "endif") {
      open.pop();
      if (top.written && open.every((o) => o.on)) out.push(line);
    } else if (word.startsWith("if")) {
      const written = rest.includes("||") || holds(rest), on = written || word === "ifndef";
      open.push({ on, written, over: !written && on }); // over: what follows is never reached
      if (written && live) out.push(line);
    } else if (top.over) top.on = false;
    else {
      const outer = open.slice(0, -1).every((o) => o.on), can = word === "else" || rest.includes("||") || holds(rest);
      top.on = can;
      if (!can) continue;
      if (top.written) {
        if (outer) out.push(line);
      } else if (word === "elif") {
        top.written = true;
        if (outer) out.push(`#if${rest}`);
      } else top.over = true; // all before it never hold: it stands alone
    }
  }
  return out;
}

function core(text) {
  let count = 0;
  for (const m of methods) {
    text = text.replace(method(m), () => (count++, ""));
  }
  if (count < 30) throw new Error(`${count} methods of the file format found`);
  for (const m of uncalled) text = without(text, method(m), m);
  return quiet(text);
}

// quiet leaves of what the library warns of who warns, which is enough to find the
// place: its advice is for people who write code for it.
// Errors of loaders stay, for pages show them.
function quiet(text, who = "warn|error|warnOnce|Error") {
  return text.replace(new RegExp(`\\b(${who})\\( (['"\`])((?:THREE\\.)?[\\w.]+):? [^'"\`$\\\\]*\\2`, "g"), "$1( $2$3$2");
}

function method(name) { return new RegExp(`^\\t${name}\\(.*\\) \\{\\n(?:\\t\\t.*\\n|\\n)*\\t\\}\\n`, "gm"); }

function without(text, pattern, name) {
  const out = text.replace(pattern, "");
  if (out === text) throw new Error(`${name} not found`);
  return out;
}
