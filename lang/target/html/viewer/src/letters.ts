// Texts as pictures.
import { linear } from "./colour.ts";
import type { Material } from "./scene.ts";
import type { Vec } from "./vector.ts";

const px = 64, capital = 0.72, line = px * 1.3;

// Letters is a text as a white picture with the size of its plane in metres; x is
// how far its middle is from where the text stands. Without a page, as in tests,
// there is no picture and the width is a guess.
export interface Letters { picture?: HTMLCanvasElement; width: number; height: number; x: number }

export function letters(t: { value: string; size: number; align?: string }): Letters {
  const lines = t.value.split("\n"), font = `600 ${px}px system-ui, sans-serif`;
  const picture = typeof document === "undefined" ? undefined : document.createElement("canvas"), pen = picture?.getContext("2d");
  if (pen) pen.font = font;
  const long = (l: string) => (pen ? pen.measureText(l).width : l.length * px * 0.55);
  const width = Math.min(4096, Math.max(...lines.map(long), 1) + 16), height = Math.min(4096, lines.length * line + 8);
  if (picture && pen) {
    picture.width = width;
    picture.height = height;
    pen.font = font;
    pen.textBaseline = "middle";
    pen.textAlign = (t.align ?? "center") as CanvasTextAlign;
    pen.fillStyle = "#ffffff";
    const x = t.align === "left" ? 8 : t.align === "right" ? width - 8 : width / 2;
    lines.forEach((l, i) => pen.fillText(l, x, line * (i + 0.5) + 4));
  }
  const unit = t.size / (px * capital);
  return { picture, width: width * unit, height: height * unit, x: (t.align === "left" ? 0.5 : t.align === "right" ? -0.5 : 0) * width * unit };
}

// inkOf is the colour of a text as light: that of its material, or on a solid
// what can be read on it.
export function inkOf(m: Material | undefined, onSolid: boolean): Vec {
  const ink = linear(m?.base_color);
  if (!onSolid) return ink;
  return 0.2126 * ink[0] + 0.7152 * ink[1] + 0.0722 * ink[2] > 0.18 ? [0, 0, 0] : [1, 1, 1];
}
