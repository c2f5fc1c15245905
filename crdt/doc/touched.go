package doc

// Touched is a key of the root that a chunk writes.
type Touched struct {
	Key   string
	Fresh bool   // it replaces nothing that its author knew of
	Text  string // the value, where that is a plain text
}

// RootKeys calls yield for every key of the root that the chunk writes, in the
// order of its operations, until yield returns false.
func (c *Chunk) RootKeys(yield func(Touched) bool) {
	r := c.ops()
	var o op
	for {
		more, err := r.next(&o)
		if err != nil || !more { // DecodeChunk has seen that there is no error
			return
		}
		if !o.isKey || o.obj != (opRef{}) {
			continue
		}
		t := Touched{Key: string(o.key), Fresh: len(o.preds) == 0}
		if o.action == set && o.kind == kindText {
			t.Text = string(o.value)
		}
		if !yield(t) {
			return
		}
	}
}

// Texts calls yield for every text that the chunk writes, in the order of its
// operations, until yield returns false. What it inserts character by character
// into one sequence comes together, so that a reader sees words.
func (c *Chunk) Texts(yield func(text string) bool) {
	var run []byte
	var in opRef // the sequence that run goes into
	spill := func() bool {
		text := string(run)
		run = run[:0]
		return text == "" || yield(text)
	}
	r := c.ops()
	var o op
	for {
		more, err := r.next(&o)
		if err != nil || !more { // DecodeChunk has seen that there is no error
			spill()
			return
		}
		plain := o.action == set && o.kind == kindText
		if plain && o.insert && (len(run) == 0 || o.obj == in) {
			run, in = append(run, o.value...), o.obj
			continue
		}
		if !spill() {
			return
		}
		if plain && o.insert {
			run, in = append(run, o.value...), o.obj
		} else if plain && !yield(string(o.value)) {
			return
		}
	}
}
