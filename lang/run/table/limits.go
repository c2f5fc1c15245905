package table

// Limit is a row of the limits. They are part of what a program means: interpreters
// stop at the same place, so none of them is an option.
type Limit struct {
	Name  string
	Value int
	About string
	Group string // a heading, where one begins
}

const mega = 1 << 20

// Limits are the limits of running and of documents.
var Limits = []Limit{
	{"MaxTurn", 10_000, "RUN001: instructions of a turn", "Limits of running. They are part of what a program means: two interpreters\nmust stop at the same place, so none of them is an option."},
	{"MaxLong", 100_000, "RUN001: of a turn of init and of tests", ""},
	{"MaxStep", 200_000, "instructions of a step; what is left waits for the next one", ""},
	{"MaxInit", 50_000_000, "instructions of all first values together", ""},
	{"MaxHosted", 10_000, "instructions of a step of a hosted run", ""},
	{"MaxCalls", 128, "RUN002: calls within calls", ""},
	{"MaxEvents", 10_000, "RUN003: events of a cascade, and tree nodes of a tick", ""},
	{"MaxText", 1 * mega, "RUN007: bytes of a text", ""},
	{"MaxItems", 100_000, "RUN007: elements of a list, fields of an object", ""},
	{"MaxStack", 4096, "RUN007: values on the stack of a turn", ""},
	{"MaxAlloc", 8 * mega, "RUN007: bytes and elements that one turn may make", ""},
	{"MaxHeld", 64 * mega, "RUN007: bytes and elements that the state holds", ""},
	{"MaxWaiting", 10_000, "turns that wait for a time", ""},
	{"MaxSpawned", 10_000, "RUN007: spawned nodes that are there", ""},
	{"MaxRows", 200_000, "RUN007: rows of tables that belong to them", ""},
	{"MaxTrace", 100_000, "entries of a trace; later ones are counted only", ""},
	{"MaxDepth", 64, "of values within values, where they are compared or printed", ""},
	{"MaxNoted", 4096, "bytes of a value in a trace", ""},

	{"ChargeElements", 64, "", "What large values cost beyond one instruction: one more for so many elements\nthat are compared, walked over or put in order, and for so many bytes of a text\nthat are made, searched, compared or printed. Both interpreters count alike,\nso that a turn ends at the same place."},
	{"ChargeBytes", 512, "", ""},
	{"ChargeRows", 8, "of what is spawned", ""},

	{"MaxDocument", 32 * mega, "bytes", "Limits of a program/1 document."},
	{"MaxFunctions", 100_000, "", ""},
	{"MaxCode", 1 * mega, "integers of a function", ""},
	{"MaxTotalCode", 4 * mega, "", ""},
	{"MaxConsts", 1 * mega, "", ""},
	{"MaxEntries", 100_000, "of any other table", ""},
	{"MaxLocals", 4096, "", ""},
	{"MaxNesting", 64, "of trees", ""},
}
