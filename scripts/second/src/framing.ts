// How frames stand in a stream (SPEC 18.3): uvarint length, type byte, payload.

import { bad, Bytes, join } from "./bytes.js";
import { maxFrame } from "./frames.js";

/** Framing takes the bytes of a stream as they come and gives the frames that are whole. */
export class Framing {
  private rest: Bytes = new Uint8Array();

  push(b: Bytes): void {
    this.rest = join(this.rest, b);
  }

  /** idle says that the stream may end here. */
  get idle(): boolean {
    return this.rest.length === 0;
  }

  /** next is the next whole frame, or nothing until more bytes have come. A wrong length is refused at once. */
  next(): { type: number; payload: Bytes } | undefined {
    const { rest } = this;
    let n = 0;
    let at = 0;
    for (let factor = 1; ; factor *= 128) {
      if (at >= rest.length) return undefined;
      n += (rest[at] & 127) * factor;
      if (n > maxFrame || at > 2 || (at > 0 && rest[at] === 0)) throw bad("frame length");
      if (rest[at++] < 128) break;
    }
    if (n < 1) throw bad("frame length");
    if (rest.length < at + n) return undefined;
    this.rest = rest.slice(at + n);
    return { type: rest[at], payload: rest.slice(at + 1, at + n) };
  }
}
