// Package interpreter holds the interpreter of program/1 for web targets: one
// JavaScript module that knows no 3D library. A target writes it beside its own
// module and binds it to its engine with an Adapter, which
// lang/target/html/viewer/README.md describes. The sources are the TypeScript
// files in lang/target/html/viewer/src/run; `make viewer` builds them.
package interpreter

import _ "embed" // the module

// File is the name under which targets write the module.
const File = "interpreter.js"

// Module is the text of the ECMAScript module.
//
//go:embed interpreter.js
var Module []byte
