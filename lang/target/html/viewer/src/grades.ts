// Effects on the whole picture as numbers.
import type { Data, Effect } from "./scene.ts";

// kinds are the effects that are shown.
const kinds = new Set(["bloom", "vignette", "chromatic_aberration", "film_grain", "color_grading"]);

export function shown(list: Effect[] | undefined): Effect[] { return (list ?? []).filter((e) => kinds.has(e.kind)); }

// Grades are how strong effects are; one that a scene does not have does nothing.
export interface Grades {
  bloom: number; threshold: number; vignette: number; extent: number; fringe: number; grain: number; brightness: number; contrast: number; saturation: number;
}

export function grades(list: Effect[]): Grades {
  const get = (kind: string, fallback: number, off: number, ...keys: string[]) => {
    const e = list.find((x) => x.kind === kind);
    if (!e) return off;
    const p: { [key: string]: Data } = e.params ?? {};
    for (const k of keys) if (typeof p[k] === "number" && Number.isFinite(p[k])) return p[k] as number;
    return fallback;
  };
  return {
    bloom: get("bloom", 1, 0, "intensity", "strength"), threshold: get("bloom", 0.8, 0, "threshold"), vignette: get("vignette", 0.5, 0, "intensity", "darkness"),
    extent: get("vignette", 0.4, 0.4, "offset", "extent"), fringe: get("chromatic_aberration", 0.5, 0, "intensity", "offset"), grain: get("film_grain", 0.2, 0, "intensity"),
    brightness: 1 + get("color_grading", 0, 0, "brightness", "exposure"), contrast: get("color_grading", 1, 1, "contrast"), saturation: get("color_grading", 1, 1, "saturation"),
  };
}
