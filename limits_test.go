package meshd_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sameNumber are constants of one name and one value in two packages that are two
// things: what bounds one has nothing to do with what bounds the other.
var sameNumber = map[string]string{
	"maxcode = 64":               "bytes of a code in three protocols and a file, each read on its own",
	"maxkey = 128":               "a key of the log's store, a key of the index",
	"maxframe = 65536":           "a frame of reconciliation, a frame of a WebSocket",
	"minnonce = 8":               "EIP-4361's, and that of the seven lines",
	"maxtext = 65536":            "a text of a document in characters; texts of proofs in bytes, by two parsers",
	"maxoutbox = 64":             "frames for a socket, hints for a peer",
	"maxdepth = 32":              "of JSON in canonical form, of JSON in tokens",
	"maxtime = 9007199254740991": "the last second of a token of either version: what JSON says exactly",
	"maxname = 64":               "of agents and networks (crdt/change), of fields of the index",
	"maxnonce = 128":             "of a signature over a request, of a sign-in text",
	"maxtoken = 8192":            "a token of either version",
	"maxname = 128":              "of a zone, of a file of givers",
	"maxheader = 8192":           "of a payment, of a signature",
	"maxperagent = 10":           "streams, and places in rooms",
}

// TestLimitsStandOnce: a limit is a constant of the package that judges it, and texts
// and schemas are made of that constant. So no field of a request has a number for a
// bound, no text of the gateway names one, and no two packages have a limit of one name
// and one value.
func TestLimitsStandOnce(t *testing.T) {
	t.Parallel()
	where := map[string][]string{}
	sources(t, func(pkg, file string, f *ast.File) {
		if strings.HasSuffix(file, "_test.go") || !slices.Contains([]string{"crdt", "identity", "p2p", "node", "gateway", "cmd"}, room(pkg)) {
			return
		}
		for name, value := range limitsOf(f) {
			key := strings.ToLower(name) + " = " + value
			where[key] = append(where[key], pkg)
		}
		if room(pkg) == "gateway" {
			boundsOfFields(t, file, f)
			numbersInTexts(t, file, f)
		}
	})
	for key, list := range where {
		if _, known := sameNumber[key]; len(list) > 1 && !known {
			slices.Sort(list)
			t.Errorf("%s stands in %s: let one of them import the other's, or say in sameNumber why they are two things", key, strings.Join(list, " and "))
		}
	}
	for key := range sameNumber {
		if len(where[key]) < 2 {
			t.Errorf("%s stands no more than once; take its row out", key)
		}
	}
}

// limitsOf are the constants of a file that bound something, with their values.
func limitsOf(f *ast.File) map[string]string {
	out := map[string]string{}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			for i, n := range v.Names {
				lower := strings.ToLower(n.Name)
				if i < len(v.Values) && (strings.HasPrefix(lower, "max") || strings.HasPrefix(lower, "min")) {
					if value := number(v.Values[i]); value.Kind() != constant.Unknown {
						out[n.Name] = value.ExactString()
					}
				}
			}
		}
	}
	return out
}

// number is the value of an expression of literals.
func number(e ast.Expr) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.ParenExpr:
		return number(e.X)
	case *ast.BinaryExpr:
		x, y := number(e.X), number(e.Y)
		if x.Kind() != constant.Int || y.Kind() != constant.Int {
			return constant.MakeUnknown()
		}
		if e.Op == token.SHL || e.Op == token.SHR {
			n, _ := constant.Uint64Val(y)
			return constant.Shift(x, e.Op, uint(n))
		}
		return constant.BinaryOp(x, e.Op, y)
	}
	return constant.MakeUnknown()
}

// boundsOfFields finds numbers that bound a field of a request.
func boundsOfFields(t *testing.T, file string, f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		c, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		named := false
		for _, e := range c.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok && fmt.Sprint(kv.Key) == "Help" {
				named = true
			}
		}
		for _, e := range c.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok || !named || !slices.Contains([]string{"Max", "Min", "Items"}, fmt.Sprint(kv.Key)) {
				continue
			}
			if v := number(kv.Value); v.Kind() == constant.Int && constant.Compare(v, token.GTR, constant.MakeInt64(1)) {
				t.Errorf("%s: a field is bounded by the number %s; name it where it is judged", file, v)
			}
		}
		return true
	})
}

// numberInText is a bound that a sentence names.
var numberInText = regexp.MustCompile(`(?i)\b(?:up to|at most|at least|more than|less than|longer than|no more than|\d+ to|between) [1-9][\d.,]*`)

// numbersInTexts finds bounds in texts that people read: the help of fields and tools,
// and what refusals say.
func numbersInTexts(t *testing.T, file string, f *ast.File) {
	check := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				return true
			}
			if found := numberInText.FindString(text); found != "" {
				t.Errorf("%s: %q names a bound in words; write it with the constant that judges it", file, found)
			}
			return true
		})
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if fmt.Sprint(n.Key) == "Help" {
				check(n.Value)
			}
		case *ast.CallExpr:
			name := ""
			switch x := n.Fun.(type) {
			case *ast.SelectorExpr:
				name = x.Sel.Name
			case *ast.Ident:
				name = x.Name
			}
			if slices.Contains([]string{"Refuse", "Fault", "Missing", "Hinted", "BadParam"}, name) {
				for _, a := range n.Args {
					check(a)
				}
			}
		}
		return true
	})
}
