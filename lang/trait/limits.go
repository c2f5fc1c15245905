package trait

// The limits of a trait file. A file beyond a limit is refused, never cut.
const (
	MaxFile     = 4 << 20 // bytes of one file: twenty times the built-in catalogue
	MaxDepth    = 24      // nested arrays and objects in a file
	MaxTraits   = 10_000  // entries of one file, and of a whole registry
	MaxGroups   = 1_000   // categories, aliases, groups and conditional conflicts of one file, each
	MaxParams   = 128     // parameters of a trait, those it inherits included
	MaxValues   = 256     // values of an enum, aliases of a parameter, names in a list
	MaxName     = 64      // bytes of a name
	MaxUses     = 1_000   // traits of one node (LIM007)
	MaxArgs     = 1_000   // positional arguments of one use of a trait (LIM007)
	MaxSummary  = 200     // characters of a summary
	MaxText     = 2_000   // characters of any other text
	MaxExtends  = 32      // definitions that extend each other in a row (LIM010)
	MaxFaults   = 100     // faults reported for one file
	MaxSuggest  = 8       // traits of one suggestion
	MaxQuestion = 4_000   // characters of a description and its context, each
)
