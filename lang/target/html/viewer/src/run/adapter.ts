// What the interpreter asks of the engine that shows a scene. It knows no
// library: a target writes one Adapter and hands its own objects to nobody.

// Plain is a value of a program outside of it: JSON, a node as its id.
export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

export interface Adapter {
  // setTransform passes the place of a node in its parent. A rotation of three
  // numbers is in degrees, Rx·Ry·Rz as in sources; of four a quaternion.
  setTransform(node: string, part: "position" | "rotation" | "scale", value: number[]): void;
  // setMaterial passes a key of the look of a node, under its canonical name: color, opacity,
  // emissive, emissive_intensity, metallic, roughness, intensity (of a light).
  setMaterial(node: string, key: string, value: Plain): void;
  setVisible(node: string, visible: boolean): void;
  setText(node: string, text: string): void;
  // play starts or stops something of a node: a sound or an animation.
  play(node: string, what: "sound" | "animation", name: string, on: boolean, options: { [key: string]: Plain }): void;
  // say is a line of the program for people; a fault has its place in the source.
  say(line: Said): void;
  // changed passes a state key or a property that is none of the above.
  changed?(owner: string, key: string, value: Plain): void;
  // spawn makes a node that looks like the one with the id like ("" where no node of
  // the name is). Is that one a prototype of the scene, its children are passed next,
  // one by one, and the new node is as visible as the prototype says.
  spawn?(node: string, name: string, like: string, parent: string): void;
  remove?(node: string): void;
  // host answers an operation that the interpreter does not know; undefined says that there is none.
  host?(name: string, node: string, args: Plain[]): Plain | undefined;
  readonly physics?: Physics;
}

// Said is a log line or a fault.
export interface Said {
  level: "log" | "fault";
  node: string;
  text: string;
  code?: string; // RUN001 …
  function?: string;
  line?: number;
  column?: number;
}

// Physics moves bodies in fixed steps. The interpreter steps it after the turns
// of a step and raises what it reports as events of the next.
export interface Physics {
  step(seconds: number): Contact[];
  // moved are the bodies whose place the last step changed.
  moved(): Iterable<{ node: string; position: number[]; rotation: number[] }>;
  // place says that the program moved a body.
  place(node: string, part: "position" | "rotation" | "scale", value: number[]): void;
  // call does what a program asks of a body, such as apply_impulse; false when it is unknown.
  call(name: string, node: string, args: Plain[]): boolean;
}

export interface Contact {
  node: string;
  event: string; // collision_enter, collision_exit, trigger_enter, trigger_exit …
  payload: Plain;
}
