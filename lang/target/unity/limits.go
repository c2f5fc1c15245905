package unity

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/run/table"
)

// What the interpreter for Udon follows. Closures, exceptions, waiting, spawning and
// spreading are not among it.
var (
	followed = func() []bool {
		out := make([]bool, len(table.Ops))
		for i, op := range table.Ops {
			out[i] = !slices.Contains(strings.Fields("Cell Concat Merge Fn Callv Throw Try EndTry Await Spawn Calls Methods Hosts"), op.Name)
		}
		return out
	}()
	opCall, opComp, opHost, opMethod = table.Number("Call"), table.Number("Comp"), table.Number("Host"), table.Number("Method")
	operations                       = strings.Fields(`log print console.log random Math.random random_int now current_time clamp show hide set_text destroy get_node play stop play_sound stop_sound
		transition String Boolean typeof Number Math.abs Math.floor Math.ceil Math.round Math.sqrt Math.sin Math.cos Math.min Math.max`)
	methods = strings.Fields(`push append add pop shift includes contains has indexOf index_of first last length count clear join stop get set toUpperCase upper toLowerCase
		lower trim toFixed to_fixed emit show hide set_text`)
	properties = strings.Fields("position rotation scale visible text color base_color emissive emissive_intensity opacity metallic roughness intensity volume")
)

// call is a function that another needs, and the computed value that it works out.
type call struct {
	fn       int
	computed string
}

// limits says of each function why Udon cannot run it; empty where it can.
func limits(p *run.Program) []string {
	out := make([]string, len(p.Functions))
	calls := make([][]call, len(p.Functions))
	for i := range p.Functions {
		code := p.Functions[i].Code
		if p.Functions[i].Rest {
			out[i] = "a parameter that takes all other arguments"
		}
		for pc := 0; pc < len(code); {
			op := code[pc]
			switch {
			case op >= len(followed) || !followed[op]:
				out[i] = "closures, exceptions, waiting, spawning and spreading"
			case op == opCall:
				calls[i] = append(calls[i], call{fn: code[pc+1]})
			case op == opComp:
				calls[i] = append(calls[i], call{p.Computed[code[pc+1]].Fn, p.Computed[code[pc+1]].Key})
			case op == opHost && !slices.Contains(operations, p.Host[code[pc+1]]):
				out[i] = "the operation '" + p.Host[code[pc+1]] + "'"
			case op == opMethod:
				if name, _ := p.Consts[code[pc+1]].(string); !slices.Contains(methods, name) {
					out[i] = "the method '" + name + "'"
				}
			}
			if op >= len(followed) {
				break
			}
			pc += 1 + len(table.Ops[op].Args)
		}
		calls[i] = append(calls[i], derived(p, i)...)
	}
	for again := true; again; {
		again = false
		for i := range calls {
			for _, c := range calls[i] {
				if out[i] != "" || out[c.fn] == "" {
					continue
				}
				if out[i], again = out[c.fn], true; c.computed != "" {
					out[i] = "the computed value '" + c.computed + "'"
				}
			}
		}
	}
	return out
}

// derived are the computed values that a function reads as members of a node that
// its code names.
func derived(p *run.Program, fn int) []call {
	var out []call
	for _, e := range p.Effects(fn) {
		if e.Kind != run.ReadsMember {
			continue
		}
		for _, c := range p.Computed {
			if c.Key == e.Name && c.Owner == ownerOf(p, fn, e) {
				out = append(out, call{c.Fn, c.Key})
			}
		}
	}
	return out
}

// ownerOf is the node whose member an effect is about; empty when only a run knows.
func ownerOf(p *run.Program, fn int, e run.Effect) string {
	if e.Own {
		return p.Functions[fn].Owner
	}
	return e.Owner
}
