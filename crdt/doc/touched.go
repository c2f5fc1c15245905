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
