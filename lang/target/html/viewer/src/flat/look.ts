// How a thing looks on a flat page: what a turn leaves of its box, and colours.
// The page has been laid out by the same rules in lang/target/native2d.
import { product, turn, type Quat, type Vec } from "../vector.ts";

export const perMetre = 100;

// around is the turn around Z of a rotation = Rz · rest, and the rest.
export function around(q: Quat): { cos: number; sin: number; rest: Quat } {
  const m11 = 1 - 2 * (q[1] * q[1] + q[2] * q[2]), m12 = 2 * (q[0] * q[1] - q[3] * q[2]), n = Math.sqrt(m11 * m11 + m12 * m12);
  const [cos, sin] = n > 1e-6 ? [m11 / n, -m12 / n] : [1, 0];
  const half = Math.atan2(sin, cos) / 2;
  return { cos, sin, rest: product([0, 0, -Math.sin(half), Math.cos(half)], q) };
}

// matrix is the transform of a place, y down.
export function matrix(t: Vec, q: Quat, s: Vec): string {
  const { cos, sin } = around(q);
  return `matrix(${[cos * s[0], -sin * s[0], sin * s[1], cos * s[1], t[0] * perMetre, -t[1] * perMetre].map((x) => Math.round(x * 1e4) / 1e4 || 0).join(",")})`;
}

// extent is how wide and high a box is in pixels, and whether its axis points at
// who looks.
export function extent(q: Quat, box: Vec): { w: number; h: number; end: boolean } {
  const { rest } = around(q);
  const [x, y, z] = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as Vec[]).map((a) => turn(rest, a));
  const sum = (k: number) => Math.abs(x[k]) * box[0] + Math.abs(y[k]) * box[1] + Math.abs(z[k]) * box[2];
  return { w: sum(0) * perMetre, h: sum(1) * perMetre, end: Math.abs(y[2]) > 0.7 };
}

export type Rgb = [number, number, number];

// rgb reads a colour as authors write them: a name, hex, or three numbers of 0 to 1.
export function rgb(value: unknown): Rgb | undefined {
  if (Array.isArray(value) && value.length >= 3) return value.slice(0, 3).map((v) => byte(Number(v) * 255)) as Rgb;
  if (typeof value !== "string") return undefined;
  const hex = /^#([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(value);
  if (hex) return [0, 2, 4].map((i) => parseInt(hex[1].slice(i, i + 2), 16)) as Rgb;
  const probe = document.createElement("i");
  probe.style.color = value;
  if (!probe.style.color) return undefined;
  document.body.append(probe);
  const parts = getComputedStyle(probe).color.match(/[\d.]+/g);
  probe.remove();
  return parts && parts.length >= 3 ? (parts.slice(0, 3).map(Number) as Rgb) : undefined;
}

export function byte(v: number): number { return Math.round(Math.min(Math.max(v || 0, 0), 255)); }

export function hex(c: Rgb): string { return "#" + c.map((v) => byte(v).toString(16).padStart(2, "0")).join(""); }

// contrast is black or white, whichever is read more easily on a colour.
export function contrast(c: Rgb): string {
  const l = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2] > 0.179 ? "#000000" : "#ffffff";
}
