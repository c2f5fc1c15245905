package scene

// Limits bound what a source may become. The zero value of a field is its
// default; none can be switched off.
type Limits struct {
	Nodes      int // LIM005: nodes after expansion
	Depth      int // LIM005: of the tree of nodes
	Work       int // LIM007: syntax nodes visited
	Iterations int // LIM008: of @for
	Chain      int // LIM010: templates that extend each other in a row
}

// The defaults, and the ceilings that a server sets.
const (
	MaxNodes      = 100_000
	MaxDepth      = 128
	MaxWork       = 50_000_000
	MaxIterations = 100_000
	MaxChain      = 32

	ServerNodes = 20_000
	ServerDepth = 64

	stepWork = 1 << 12 // visited nodes after which Step is called

	MaxLossNodes = 100      // nodes that a loss names
	MaxDocument  = 64 << 20 // bytes of a scene/1 document that Read takes
	MaxSegments  = 256      // around a round solid
	MaxCoord     = 1e7      // metres; what lies further out is brought back
)

func (l Limits) complete() Limits {
	fill := func(n *int, most int) {
		if *n <= 0 || *n > most {
			*n = most
		}
	}
	fill(&l.Nodes, MaxNodes)
	fill(&l.Depth, MaxDepth)
	fill(&l.Work, MaxWork)
	fill(&l.Iterations, MaxIterations)
	fill(&l.Chain, MaxChain)
	return l
}
