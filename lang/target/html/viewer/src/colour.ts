// Colours as numbers.
import type { Vec } from "./vector.ts";

// hex are the three parts of #rrggbb or #rrggbbaa, from 0 to 1.
export function hex(color: string | undefined): Vec {
  const n = parseInt((color ?? "#ffffff").slice(1, 7), 16) || 0;
  return [((n >> 16) & 255) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
}

// linear is the light of a colour that is written in sRGB.
export function linear(color: string | undefined): Vec { return hex(color).map(light) as Vec; }

// light is one part of a colour as light.
export function light(c: number): number { return c < 0.04045 ? c * 0.0773993808 : Math.pow(c * 0.9478672986 + 0.0521327014, 2.4); }

export function alpha(color: string | undefined): number { return color && color.length === 9 ? parseInt(color.slice(7), 16) / 255 : 1; }
