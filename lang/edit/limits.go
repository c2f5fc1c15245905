package edit

// What one call takes.
const (
	MaxOps  = 4096    // operations at once: a prompt of the largest size, with room
	MaxText = 8 << 20 // bytes of the text, before and after; as for sources
	MaxName = 256     // bytes of a name
	MaxKey  = 16      // parts of a dotted key
	MaxExpr = 16384   // bytes of an expression

	maxNearest = 3   // names in a refusal
	maxRelated = 100 // places in a result
)
