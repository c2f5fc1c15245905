package description

const (
	MaxBytes = 8 << 20 // of the JSON, which is far more than its text has
	MaxNodes = 5000    // of a scene; exports take as many

	maxTraits  = 64   // of a node
	maxText    = 8192 // bytes of a name, path or value
	maxWord    = 64   // bytes of a key
	maxNesting = 8    // of settings
	maxValues  = 2000 // in the settings of one thing
	maxDepth   = 60   // of nodes in nodes: what every target takes
)
