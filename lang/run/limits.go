package run

// Limits of running. They are part of what a program means: two interpreters
// must stop at the same place, so none of them is an option.
const (
	MaxTurn    = 10_000     // RUN001: instructions of a turn
	MaxLong    = 100_000    // RUN001: of a turn of init and of tests
	MaxStep    = 200_000    // instructions of a step; what is left waits for the next one
	MaxInit    = 50_000_000 // instructions of all first values together
	MaxHosted  = 10_000     // the same for a hosted run
	MaxCalls   = 128        // RUN002: calls within calls
	MaxEvents  = 10_000     // RUN003: events of a cascade, and tree nodes of a tick
	MaxText    = 1 << 20    // RUN007: bytes of a text
	MaxItems   = 100_000    // RUN007: elements of a list, fields of an object
	MaxStack   = 4096       // RUN007: values on the stack of a turn
	MaxAlloc   = 8 << 20    // RUN007: bytes and elements that one turn may make
	MaxHeld    = 64 << 20
	MaxWaiting = 10_000  // turns that wait for a time
	MaxSpawned = 10_000  // RUN007: spawned nodes that are there
	MaxRows    = 200_000 // RUN007: rows of tables that belong to them
	MaxTrace   = 100_000 // entries of a trace; later ones are counted only
	MaxDepth   = 64      // of values within values, where they are compared or printed
)

// What large values cost beyond one instruction: one more for so many elements
// that are compared, walked over or put in order, and for so many bytes of a text
// that are made, searched, compared or printed. Both interpreters count alike,
// so that a turn ends at the same place.
const (
	ChargeElements = 64
	ChargeBytes    = 512
	ChargeRows     = 8 // of what is spawned
)

// Limits of a hosted run, which strangers pay nothing for.
const (
	hostedInit    = 1_000_000 // instructions of all first values together
	hostedHeld    = 1 << 19   // bytes and elements that the state holds, where others have MaxHeld
	hostedRows    = 20_000    // of what is spawned
	hostedEntries = 10_000    // of the trace
	hostedTrace   = 1 << 20   // bytes of the trace, about
	pollEvery     = 256       // instructions or turns between two questions whether to stop
)

// Limits of a program/1 document.
const (
	MaxDocument  = 32 << 20
	MaxFunctions = 100_000
	MaxCode      = 1 << 20 // integers of a function
	MaxTotalCode = 4 << 20
	MaxConsts    = 1 << 20
	MaxEntries   = 100_000 // of any other table
	MaxLocals    = 4096
	MaxNesting   = 64 // of trees
)
