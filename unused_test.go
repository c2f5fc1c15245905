package meshd_test

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestEverythingHasAUser lists packages that nothing but tests imports, and exported names
// that nothing but tests mentions: who reads them looks for a use that is not there.
func TestEverythingHasAUser(t *testing.T) {
	t.Parallel()
	type name struct{ pkg, of string }
	declared := map[name]string{} // to the file
	inside := map[name]int{}      // mentions in the own package, its declaration counted
	outside := map[name]bool{}    // mentions elsewhere
	imported := map[string]bool{}
	programs := map[string]bool{}
	sources(t, func(pkg, file string, f *ast.File) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		programs[pkg] = programs[pkg] || f.Name.Name == "main"
		for _, d := range f.Decls {
			for _, n := range exported(d) {
				declared[name{pkg, n}] = file
			}
		}
		paths := map[string]string{}
		for p, as := range imports(f) {
			if to, ours := strings.CutPrefix(p, module+"/"); ours {
				imported[to] = true
				paths[as] = to
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && paths[x.Name] != "" {
					outside[name{paths[x.Name], n.Sel.Name}] = true
				}
			case *ast.Ident:
				inside[name{pkg, n.Name}]++
			}
			return true
		})
	})
	var lonely []string
	for n, file := range declared {
		if inside[n] < 2 && !outside[n] && !programs[n.pkg] {
			lonely = append(lonely, n.pkg+"."+n.of)
			if _, known := waiting[n.pkg]; !known && !slices.Contains(served, n.pkg) && waiting[n.pkg+"."+n.of] == "" {
				t.Errorf("%s: %s has no user outside of tests; take it away", file, n.of)
			}
		}
	}
	pkgs := map[string]bool{}
	for n := range declared {
		pkgs[n.pkg] = true
	}
	for _, pkg := range sorted(pkgs) {
		if !imported[pkg] && !programs[pkg] && !slices.Contains(served, pkg) && waiting[pkg] == "" {
			t.Errorf("nothing but tests imports %s; take it away", pkg)
		}
	}
	for of := range waiting {
		if !slices.Contains(lonely, of) && (!pkgs[of] || imported[of]) {
			t.Errorf("%s has a user, or is gone; take its row out", of)
		}
	}
}

// exported are the exported names that a declaration makes in its package.
func exported(d ast.Decl) (out []string) {
	add := func(id *ast.Ident) {
		if id.IsExported() {
			out = append(out, id.Name)
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			add(d.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				add(s.Name)
			case *ast.ValueSpec:
				if d.Tok == token.CONST && (s.Type != nil || len(s.Values) == 0 || mentions(s.Values[0], "iota")) {
					continue // one of an enumeration
				}
				for _, id := range s.Names {
					add(id)
				}
			}
		}
	}
	return out
}

// mentions reports whether an expression has a name in it.
func mentions(e ast.Expr, name string) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return true
	})
	return found
}

// served are packages for tests alone.
var served = []string{
	"crdt/cbor/cddl", "crdt/doc/internal/chunktest", "crdt/internal/vectortest", "crdt/internal/worldtest", "crdt/log/logtest",
	"gateway/access/accesstest", "gateway/oauth/oauthtest", "gateway/service/servicetest", "gateway/state/pgtest", "gateway/state/statetest",
	"lang/run/tracetest", "lang/target/direct/directtest", "node/world", "p2p/internal/vectorfile", "p2p/simnet",
}

// waiting are packages and names whose user is still to come, or that serve tests of other
// packages, each with what it is for.
var waiting = map[string]string{
	"identity/attest.SignPlay":     "statements about play",
	"identity/attest.OpenPlay":     "statements about play",
	"identity/keys.NewKeySet":      "key sets of services are published",
	"identity/keys.ParseKeySet":    "key sets of services are published",
	"identity/ucan/v0.UcansHeader": "the bridge to other networks of UCAN",
	"lang/grammar":                 "colours in the studio and in editors",
	"lang/ast.Schema":              "the format of a tree, as tests and docs have it",
	"lang/scene.Schema":            "the format of a scene, as tests and docs have it",
	"lang/run.Schema":              "the format of a program, as tests and docs have it",
	"lang/scene.Read":              "tests of targets read scenes back",
	"lang/diag.Lookup":             "tests find what a code means",
	"node/control.FromSocket":      "tests see whose request came by the socket",
	"node/events.All":              "tests subscribe to everything",
}

// foreign are methods that a library asks for by an interface of its own.
var foreign = strings.Fields(`CompletePromptArgument CompleteResourceArgument CumulativeStats DeliverMessage DropRPC DuplicateMessage GoString Graft
	HandlePeerFound Infof Initialize Initialized InterceptAccept InterceptAddrDial InterceptPeerDial InterceptSecured InterceptUpgraded LogRecvMessage LogValue
	MeasureCPU NotificationChannel OnClosedOutboundStream OnNewOutboundStream Preallocate PreferredSourceIPForDestination Prune RecvRPC RejectMessage
	ResolveDNSAddr ResolveDNSComponent ReuseForWrite RoundTrip SendRPC SessionID SyncData SyncTo ThrottlePeer TrySchedule UndeliverableMessage UnmarshalRecord
	Unregister UpdateGetAllowedWithoutPermission ValidateMessage`)

// asked are methods that tests of other packages ask what no program does, or that the
// tables above have a package for, with why.
var asked = map[string]string{
	"DeleteSpace": "an index by itself forgets a space; a node makes its index anew", "Exclude": "two traits of a source that exclude one another, as the checker's tests ask",
	"HasWhy": "findings of a token", "IsItem": "kinds of nodes", "OwnerHandler": "the gateway's own handler without a socket",
	"Satisfied": "a policy by itself", "Breaches": "documents against their CDDL",
	"NewNeighbour": "of a simulated network", "NewPlaceNear": "of a simulated network", "NewReached": "of a simulated network",
	"Continues": "sets of keys that wait",
}

// TestMethodsHaveUsers lists exported methods whose name no program mentions and no
// interface has.
func TestMethodsHaveUsers(t *testing.T) {
	t.Parallel()
	declared, used := map[string]string{}, map[string]bool{}
	sources(t, func(pkg, file string, f *ast.File) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Name.IsExported() && !strings.HasSuffix(pkg, "test") {
				declared[fn.Name.Name] = file
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				used[n.Sel.Name] = true
			case *ast.InterfaceType:
				for _, m := range n.Methods.List {
					for _, id := range m.Names {
						used[id.Name] = true
					}
				}
			}
			return true
		})
	})
	for n, file := range declared {
		if !used[n] && !slices.Contains(foreign, n) && asked[n] == "" {
			t.Errorf("%s: %s has no user outside of tests; take it away", file, n)
		}
	}
	for _, n := range slices.AppendSeq(slices.Clone(foreign), maps.Keys(asked)) {
		if used[n] || declared[n] == "" {
			t.Errorf("the method %s has a user, or is gone; take its row out", n)
		}
	}
}
