package v0

// Work says what a verification took: tokens, proofs that were read and had their
// signatures looked at, and comparisons. Unlike time, it is the same everywhere.
func Work(raw string, c Check) (r Result, tokens, loads, steps int) {
	r, v := run(c.Memo.load(raw), c)
	return r, len(v.order), v.loads, v.steps
}

// MaxSteps is the budget of comparisons.
const MaxSteps = maxSteps
