package ast

// ConstantOf is the name and the value of a constant that a word declares beside
// settings: define limit = 3, param rate: number = 2. VarDecl is another node.
func ConstantOf(n Node) (name string, value Node, ok bool) {
	switch n := n.(type) {
	case *TypedMember:
		if n.Default != nil && len(n.Words) == 1 && declares[n.Words[0]] {
			return n.Name, n.Default, true
		}
	case *Command:
		if len(n.Args) != 1 || !declares[n.Verb] {
			break
		}
		if a, set := n.Args[0].(*Assign); set && a.Op == "=" {
			if id, bare := a.Target.(*Ident); bare {
				return id.Name, a.Value, true
			}
		}
	}
	return "", nil, false
}

// declares are the words of ConstantOf.
var declares = map[string]bool{"define": true, "param": true, "const": true, "let": true, "var": true, "val": true}
