package table

import "strings"

// Operation is a row of the operations that interpreters answer themselves: its
// parameters with their kinds, and the kind of its result. ? may be left out, … are
// any number. Arguments that are not given are 0 where a number is wanted, else null.
type Operation struct{ Name, Params, Result string }

// Operations are the operations that interpreters answer themselves. All others go
// to the host.
var Operations = []Operation{
	{"log", "…values", "null"}, {"print", "…values", "null"}, {"console.log", "…values", "null"},
	{"clamp", "value number, low number, high number", "number"},
	{"lerp", "from, to, at number", "any"}, // of numbers, and of lists of them
	{"ease", "at number, name string", "number"},
	{"tween", "node?, property string, to, seconds number?, easing string?", "null"},
	{"move_to", "node?, to list, seconds number?, easing string?", "null"},
	{"transition", "node?, to string", "null"},
	{"play", "what, …rest", "any"}, {"stop", "what, …rest", "any"},
	{"llm_call", "prompt string, …rest", "string"},
	{"instances", "template string", "list"},
	{"map_range", "value number, from number, to number, low number, high number", "number"},
	{"random", "low number?, high number?", "number"},
	{"random_int", "low number, high number", "number"},
	{"choose", "…values", "any"},
	{"now", "", "number"}, {"current_time", "", "number"},
	{"wait", "seconds", "any"},
	{"generate_id", "", "string"},
	{"distance", "from, to", "number"},
	{"typeof", "value", "string"},
	{"set_timeout", "then function, seconds number", "null"},
	{"get_node", "name string", "node"}, {"find_all", "name string", "list"},
	{"show", "node?", "null"}, {"hide", "node?", "null"}, {"set_text", "node?, text", "null"}, {"destroy", "node?", "null"},
	{"calls", "operation string", "number"},
	{"JSON.stringify", "value", "string"}, {"JSON.parse", "text string", "any"},
	{"Object.keys", "object", "list"}, {"Object.values", "object", "list"}, {"Object.entries", "object", "list"},
	{"Number", "value", "number"}, {"parseFloat", "value", "number"}, {"parseInt", "value", "number"}, {"parse_number", "value", "number"},
	{"String", "value", "string"}, {"Boolean", "value", "boolean"},
	{"Math.min", "…values", "number"}, {"Math.max", "…values", "number"}, {"Math.hypot", "…values", "number"}, {"Math.random", "", "number"},
	{"Math.pow", "base number, power number", "number"}, {"Math.atan2", "y number, x number", "number"},
	{"Math.abs", "x number", "number"}, {"Math.floor", "x number", "number"}, {"Math.ceil", "x number", "number"}, {"Math.round", "x number", "number"},
	{"Math.trunc", "x number", "number"}, {"Math.sign", "x number", "number"}, {"Math.sqrt", "x number", "number"}, {"Math.cbrt", "x number", "number"},
	{"Math.exp", "x number", "number"}, {"Math.log", "x number", "number"}, {"Math.log2", "x number", "number"}, {"Math.log10", "x number", "number"},
	{"Math.sin", "x number", "number"}, {"Math.cos", "x number", "number"}, {"Math.tan", "x number", "number"},
	{"Math.asin", "x number", "number"}, {"Math.acos", "x number", "number"}, {"Math.atan", "x number", "number"},
}

// Numbers counts the parameters of an operation that takes numbers, all of them, and
// gives one: its body sees nothing else. 0 for others.
func (o Operation) Numbers() int {
	if o.Result != "number" || o.Params == "" {
		return 0
	}
	params := strings.Split(o.Params, ", ")
	for _, p := range params {
		if !strings.HasSuffix(p, " number") {
			return 0
		}
	}
	return len(params)
}

// OperationOf is the row of an operation, nil without one.
func OperationOf(name string) *Operation {
	for i := range Operations {
		if Operations[i].Name == name {
			return &Operations[i]
		}
	}
	return nil
}

// Method is a row of the built-ins of a kind of value, with all its names.
type Method struct {
	Of, Names string
	Light     bool // touches a place or two of a list, however long it is
	Changes   bool // changes the list
}

// Methods are the built-ins of values.
var Methods = []Method{
	{Of: "list", Names: "push append add", Light: true, Changes: true},
	{Of: "list", Names: "pop set clear", Light: true, Changes: true},
	{Of: "list", Names: "shift unshift splice sort reverse remove delete", Changes: true},
	{Of: "list", Names: "at first last length count", Light: true},
	{Of: "list", Names: "map flatMap flat_map filter forEach each for_each find findIndex find_index some every reduce"},
	{Of: "list", Names: "indexOf index_of includes contains has join slice concat flat keys values toString to_string"},
	{Of: "object", Names: "keys values entries has contains hasOwnProperty get set delete remove clear toString to_string stop"},
	{Of: "node", Names: "emit show hide set_text"},
	{Of: "number", Names: "toFixed to_fixed toString to_string"},
	{Of: "string", Names: "toUpperCase uppercase upper to_upper toLowerCase lowercase lower to_lower trim split replace replaceAll replace_all"},
	{Of: "string", Names: "includes contains startsWith starts_with endsWith ends_with indexOf index_of slice substring substr charAt at"},
	{Of: "string", Names: "repeat padStart padEnd pad_start pad_end concat toString to_string"},
}

// ListMethods are the names of the methods of lists for which has is true.
func ListMethods(has func(Method) bool) map[string]bool {
	out := map[string]bool{}
	for _, name := range listMethods(has) {
		out[name] = true
	}
	return out
}

func listMethods(has func(Method) bool) []string {
	var out []string
	for _, m := range Methods {
		if m.Of == "list" && has(m) {
			out = append(out, strings.Fields(m.Names)...)
		}
	}
	return out
}
