package module

import "github.com/meshd/meshd/lang/token"

// What a project may make the compiler read (language.md §14).
const (
	MaxModules  = 512             // files of one compile (LIM004)
	MaxImports  = 64              // imports that import each other in a row (LIM004)
	MaxFile     = token.MaxSource // bytes of one file
	MaxEntries  = 20_000          // names below the root that are looked at for its sources
	MaxSettings = 1 << 20         // bytes of project.json
	MaxTraits   = 64              // trait files of a project
	MaxData     = 1 << 20         // bytes of an imported data file
	// MaxDataValues counts values and keys of an imported .json: a run makes them
	// within one turn of init.
	MaxDataValues = 30_000
	MaxDataDepth  = 60   // of values within values
	MaxSpec       = 1024 // bytes of a specifier
)
