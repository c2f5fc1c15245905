package ast

// Import is one import. Default, Star and Names are as written before from.
type Import struct {
	Base
	Default  string
	Star     string // * as name
	Names    []*ImportName
	TypeOnly bool
	HasNames bool // braces, even empty ones
	Source   Node // String or Path; nil when damaged
}

// Kind implements Node.
func (n *Import) Kind() Kind { return KindImport }

func (n *Import) fields(v visitor) {
	v.text("default", n.Default)
	v.text("star", n.Star)
	list(v, "names", n.Names)
	v.flag("type_only", n.TypeOnly)
	v.node("source", n.Source)
}

// ImportName is name as alias.
type ImportName struct {
	Base
	Name, Alias string
}

// Kind implements Node.
func (n *ImportName) Kind() Kind { return KindImportName }

func (n *ImportName) fields(v visitor) { v.text("name", n.Name); v.text("alias", n.Alias) }

// Export is one export.
type Export struct {
	Base
	Item      Node
	Names     []*ImportName
	Star      bool
	Alias     string // export * as alias
	Source    Node   // String
	IsDefault bool
}

// Kind implements Node.
func (n *Export) Kind() Kind { return KindExport }

func (n *Export) fields(v visitor) {
	v.node("item", n.Item)
	list(v, "names", n.Names)
	v.flag("star", n.Star)
	v.text("alias", n.Alias)
	v.node("source", n.Source)
	v.flag("is_default", n.IsDefault)
}
