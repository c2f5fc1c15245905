// Colours as programs write them.
import { linear } from "./runtime.js";
import type { Vec } from "./scene.js";

let pen: CanvasRenderingContext2D | null = null;

// said is the light of a colour: #rrggbb, a name or a form of CSS, or three
// numbers of sRGB from 0 to 1; undefined when it is none.
export function said(value: unknown): Vec | undefined {
  if (Array.isArray(value)) {
    const parts = value.slice(0, 3).map(Number);
    return parts.length === 3 && parts.every(Number.isFinite) ? linear(written(parts.map((v) => v * 255))) : undefined;
  }
  if (typeof value !== "string") return undefined;
  if (/^#[0-9a-f]{6}([0-9a-f]{2})?$/i.test(value)) return linear(value);
  if (!CSS.supports("color", value)) return undefined;
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return undefined;
  pen.fillStyle = "#000000";
  pen.fillStyle = value; // reads as #rrggbb, or as rgba(…) when it is not opaque
  const parts = /^rgba?\((\d+), (\d+), (\d+)/.exec(String(pen.fillStyle));
  return linear(parts ? written(parts.slice(1).map(Number)) : String(pen.fillStyle));
}

function written(parts: number[]): string {
  return "#" + parts.map((v) => Math.round(Math.min(Math.max(v, 0), 255)).toString(16).padStart(2, "0")).join("");
}
