package unity

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/run"
)

// What the interpreter for Udon follows. Closures, exceptions, waiting, spawning and
// spreading are not among it.
var (
	followed = func() [64]bool {
		var out [64]bool
		for op := range 63 {
			out[op] = !slices.Contains([]int{5, 17, 18, 49, 50, 52, 53, 54, 56, 57, 60, 61, 62}, op)
		}
		return out
	}()
	// widths are the operands of each instruction.
	widths = []int{
		1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2,
		2, 2, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1,
	}
	operations = strings.Fields(`log print console.log random Math.random random_int now current_time clamp show hide set_text destroy get_node play stop play_sound stop_sound
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
			case op >= len(widths) || !followed[op]:
				out[i] = "closures, exceptions, waiting, spawning and spreading"
			case op == 46:
				calls[i] = append(calls[i], call{fn: code[pc+1]})
			case op == 10:
				calls[i] = append(calls[i], call{p.Computed[code[pc+1]].Fn, p.Computed[code[pc+1]].Key})
			case op == 47 && !slices.Contains(operations, p.Host[code[pc+1]]):
				out[i] = "the operation '" + p.Host[code[pc+1]] + "'"
			case op == 48:
				if name, _ := p.Consts[code[pc+1]].(string); !slices.Contains(methods, name) {
					out[i] = "the method '" + name + "'"
				}
			}
			if op >= len(widths) {
				break
			}
			pc += 1 + widths[op]
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
