package scene

import (
	"math"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/sfc32"
	"github.com/meshd/meshd/lang/trait"
)

// The ways of taking a number by chance.
const (
	between = 1 + iota // 0 to 1, 0 to a, a to b
	whole              // the same in whole numbers, b with them
	oneOf              // an element of a list
)

// chances are the calls that take one.
var chances = map[string]int{
	"random": between, "rand": between, "random_range": between, "randomRange": between, "rand_range": between, "random_float": between, "randomFloat": between,
	"random_between": between, "random_int": whole, "randomInt": whole, "randint": whole, "randInt": whole,
	"random_choice": oneOf, "randomChoice": oneOf, "random_pick": oneOf, "pick_random": oneOf, "random_element": oneOf, "choose": oneOf,
}

// chance is what a value by chance is where the scene is made (X18). It follows from which
// of the calls it is, by the first time each was reached, and how often it was, so that
// equal sources are equal scenes.
func (b *builder) chance(n *ast.Call, way int, s *scope) (result, bool) {
	if len(n.Args) > 2 || way == oneOf && len(n.Args) != 1 {
		return result{}, false
	}
	args, dyn := [2]Value{}, false
	for i, a := range n.Args {
		r := b.eval(a, s)
		if args[i], dyn = r.v, dyn || r.dyn; args[i].Kind != trait.Number && way != oneOf {
			return result{}, false
		}
	}
	if b.throws == nil {
		b.throws = map[ast.Node]*throw{}
	}
	if b.throws[n] == nil {
		b.throws[n] = &throw{call: uint32(len(b.throws))}
	}
	b.throws[n].count++
	share := shareOf(b.throws[n].call, b.throws[n].count)
	if way == oneOf {
		list := args[0].List
		if args[0].Kind != trait.List || len(list) == 0 {
			return result{}, false
		}
		return result{list[int(share*float64(len(list)))], dyn}, true
	}
	low, high := 0.0, 1.0
	switch len(n.Args) {
	case 1:
		high = args[0].Num
	case 2:
		low, high = args[0].Num, args[1].Num
	}
	if way == whole {
		low, high = math.Ceil(low), math.Floor(high)
		return result{numOf(low + math.Floor(float64(share*(high-low+1)))), dyn}, true
	}
	v := numOf(derived(low + float64(share*(high-low))))
	v.Unit = args[max(len(n.Args)-1, 0)].Unit
	return result{v, dyn}, true
}

// throw is which call by chance one is, and how often it was reached.
type throw struct{ call, count uint32 }

// shareOf is a number from 0 up to 1 that follows from two others.
func shareOf(a, b uint32) float64 {
	r := sfc32.New([4]uint32{a, b})
	return r.Float()
}
