// DAG-CBOR of UCAN 1.x tokens (SPEC 18.11): deeper than that of the log, with links and floats.

import { bad, Bytes, hash, hex, join, text } from "./bytes.js";
import { encode, Reader, Value } from "./cbor.js";

/** Link is a content id, without the zero byte that stands before it in a tag 42. */
export class Link {
  constructor(readonly cid: string) {}
}
export type Item = null | boolean | number | string | Bytes | Link | Item[] | Map<string, Item>;

export const linkTo = (token: Bytes): Link => new Link("01711220" + hex(hash(token)));

/** linkBytes is a link as it stands on the wire. */
export const linkBytes = (l: Link): Bytes =>
  join(Uint8Array.of(0xd8, 0x2a), encode(Uint8Array.from(Buffer.from("00" + l.cid, "hex"))));

class Ipld extends Reader {
  protected override readonly maxDepth = 32;

  override value(depth: number): Value {
    const first = this.b[this.at];
    if (first === 0xfb) {
      this.at++;
      const v = Buffer.from(this.take(8)).readDoubleBE();
      if (!Number.isFinite(v)) throw bad("a float that is not finite");
      return v;
    }
    if (first !== 0xd8 || this.b[this.at + 1] !== 42) return super.value(depth);
    this.at += 2;
    const cid = super.value(this.maxDepth);
    if (!(cid instanceof Uint8Array) || !/^0001(55|71)1220[0-9a-f]{64}$/.test(hex(cid))) throw bad("a link");
    return new Link(hex(cid).slice(2)) as unknown as Value;
  }

  /** text is any UTF-8: that it is in NFC is a rule of the log alone. */
  override text(n: number): string {
    return text(this.take(n));
  }
}

export const decodeItem = (b: Bytes): Item => new Ipld(b).whole() as Item;
