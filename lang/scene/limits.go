package scene

// Limits bound what a source may become. The zero value of a field is its
// default; none can be switched off.
type Limits struct {
	Nodes      int // LIM005: nodes after expansion
	Depth      int // LIM005: of the tree of nodes
	Work       int // LIM007: syntax nodes visited, and what evaluating them costs beyond that
	Data       int // LIM007: bytes that the scene keeps of values, about
	Iterations int // LIM008: of @for
	Chain      int // LIM010: templates that extend each other in a row
	Triangles  int // LIM006: that a target makes of it; counted by package estimate
	Texts      int // LIM007: characters of the texts at nodes; counted there too
}

// The defaults, and the ceilings that a server sets.
const (
	MaxNodes      = 100_000
	MaxDepth      = 128
	MaxWork       = 50_000_000
	MaxData       = 1 << 30
	MaxIterations = 100_000
	MaxChain      = 32
	MaxTriangles  = 10_000_000
	MaxTexts      = 5_000_000

	ServerNodes = 20_000
	ServerDepth = 64
	ServerData  = 128 << 20

	ServerTriangles = 2_000_000
	ServerTexts     = 1_000_000

	stepWork = 1 << 12 // visited nodes after which Step is called

	MaxLossNodes = 100      // nodes that a loss names
	MaxDocument  = 64 << 20 // bytes of a scene/1 document that Read takes
	MaxSegments  = 256      // around a round solid
	MaxCoord     = 1e7      // metres; what lies further out is brought back
)

// ServerLimits are the limits of a server for what strangers send.
func ServerLimits() Limits {
	return Limits{Nodes: ServerNodes, Depth: ServerDepth, Data: ServerData, Triangles: ServerTriangles, Texts: ServerTexts}.Complete()
}

// Complete are the limits with the defaults of those that are not set.
func (l Limits) Complete() Limits {
	fill := func(n *int, most int) {
		if *n <= 0 || *n > most {
			*n = most
		}
	}
	fill(&l.Nodes, MaxNodes)
	fill(&l.Depth, MaxDepth)
	fill(&l.Work, MaxWork)
	fill(&l.Data, MaxData)
	fill(&l.Iterations, MaxIterations)
	fill(&l.Chain, MaxChain)
	fill(&l.Triangles, MaxTriangles)
	fill(&l.Texts, MaxTexts)
	return l
}
