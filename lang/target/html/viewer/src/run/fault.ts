// A fault ends a handler. It has the place in the source where it happened.
import { Code } from "./tables.gen.ts";
import { Obj, type Value } from "./value.ts";

export class Fault {
  function = "";
  line = 0;
  column = 0;
  thrown: Value = null;
  constructor(readonly code: Code, public message: string) {}

  // value is what a catch sees.
  value(): Value {
    if (this.code === Code.Thrown && typeof this.thrown !== "string") return this.thrown;
    return new Obj(new Map<string, Value>([["message", this.message], ["code", this.code]]));
  }
}

export const tooLong = (text: string) => new Fault(Code.Turn, text);
export const tooDeep = (text: string) => new Fault(Code.Calls, text);
export const tooMany = (text: string) => new Fault(Code.Events, text);
export const wrongKind = (text: string) => new Fault(Code.Kind, text);
export const tooLarge = (text: string) => new Fault(Code.Size, text);
