// A fault ends a handler. It has the place in the source where it happened.
import { Obj, type Value } from "./value.ts";

export type Code = "RUN001" | "RUN002" | "RUN003" | "RUN004" | "RUN005" | "RUN006" | "RUN007";

export class Fault {
  function = "";
  line = 0;
  column = 0;
  thrown: Value = null;
  constructor(readonly code: Code, public message: string) {}

  // value is what a catch sees.
  value(): Value {
    if (this.code === "RUN006" && typeof this.thrown !== "string") return this.thrown;
    return new Obj(new Map<string, Value>([["message", this.message], ["code", this.code]]));
  }
}

export const tooLong = (text: string) => new Fault("RUN001", text);
export const tooDeep = (text: string) => new Fault("RUN002", text);
export const tooMany = (text: string) => new Fault("RUN003", text);
export const wrongKind = (text: string) => new Fault("RUN004", text);
export const tooLarge = (text: string) => new Fault("RUN007", text);
