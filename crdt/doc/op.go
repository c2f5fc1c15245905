package doc

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// action is what an operation does.
type action uint64

const (
	makeMap  action = 0
	set      action = 1
	makeList action = 2
	del      action = 3
	makeText action = 4
)

// makes reports whether a creates an object.
func (a action) makes() bool { return a == makeMap || a == makeList || a == makeText }

// valueKind is the low four bits of a value's metadata; the rest is its length.
type valueKind uint8

const (
	kindNull  valueKind = 0
	kindFalse valueKind = 1
	kindTrue  valueKind = 2
	kindUint  valueKind = 3
	kindInt   valueKind = 4
	kindText  valueKind = 6
	kindBytes valueKind = 7
)

// opRef names an operation within a chunk: actor is an index, 0 for the author.
// The zero opRef is the root object or the head of a sequence.
type opRef struct {
	actor uint64
	ctr   uint64
}

// op is one operation as a chunk spells it. Its slices are valid until the next.
type op struct {
	ctr    uint64
	obj    opRef
	isKey  bool   // the target is a key of a map, else an element of a sequence
	key    []byte // of a map
	elem   opRef  // of a sequence; for an insert the element before
	insert bool
	action action
	kind   valueKind
	value  []byte
	preds  []opRef // what it replaces, ascending by counter, then by actor id
}

// opReader walks the operations of a chunk, one row of every column at a time.
type opReader struct {
	c         *Chunk
	ctr       uint64
	preds     int
	objActor  uints
	objCtr    uints
	keyActor  uints
	keyCtr    deltas
	keyText   texts
	insert    bools
	action    uints
	valueMeta uints
	value     reader
	predCount uints
	predActor uints
	predCtr   deltas
}

func (c *Chunk) ops() *opReader {
	return &opReader{
		c:         c,
		ctr:       c.StartOp,
		objActor:  newUints(c.columns.objActor),
		objCtr:    newUints(c.columns.objCtr),
		keyActor:  newUints(c.columns.keyActor),
		keyCtr:    newDeltas(c.columns.keyCtr),
		keyText:   newTexts(c.columns.keyText),
		insert:    newBools(c.columns.insert),
		action:    newUints(c.columns.action),
		valueMeta: newUints(c.columns.valueMeta),
		value:     reader{c.columns.value},
		predCount: newUints(c.columns.predCount),
		predActor: newUints(c.columns.predActor),
		predCtr:   newDeltas(c.columns.predCtr),
	}
}

// next fills o with the next operation. It returns false at the end, after it
// checked that every column ends there.
func (r *opReader) next(o *op) (bool, error) {
	if !r.action.more() {
		return false, r.end()
	}
	o.ctr = r.ctr
	r.ctr++
	if err := r.readAction(o); err != nil {
		return false, err
	}
	if err := r.readObj(o); err != nil {
		return false, err
	}
	if err := r.readKey(o); err != nil {
		return false, err
	}
	if err := r.readValue(o); err != nil {
		return false, err
	}
	if err := r.readPreds(o); err != nil {
		return false, err
	}
	return true, checkShape(o)
}

func (r *opReader) readAction(o *op) error {
	a, ok, err := r.action.next()
	if err != nil || !ok {
		return column("action", or(err, errNull))
	}
	switch o.action = action(a); o.action {
	case makeMap, set, makeList, del, makeText:
	default:
		return fmt.Errorf("action %d is not allowed", a)
	}
	if o.insert, err = r.insert.next(); err != nil {
		return column("insert", err)
	}
	return nil
}

func (r *opReader) readObj(o *op) error {
	a, hasActor, err := r.objActor.next()
	if err != nil {
		return column("object actor", err)
	}
	c, hasCtr, err := r.objCtr.next()
	if err != nil {
		return column("object counter", err)
	}
	if hasActor != hasCtr {
		return column("object", errNull)
	}
	o.obj = opRef{}
	if hasActor {
		o.obj = opRef{a, c}
		return r.checkRef("object", o.obj, o.ctr)
	}
	return nil
}

func (r *opReader) readKey(o *op) error {
	a, hasActor, err := r.keyActor.next()
	if err != nil {
		return column("key actor", err)
	}
	c, hasCtr, err := r.keyCtr.next()
	if err != nil {
		return column("key counter", err)
	}
	s, hasText, err := r.keyText.next()
	if err != nil {
		return column("key text", err)
	}
	o.isKey, o.key, o.elem = hasText, s, opRef{}
	switch {
	case hasText:
		if hasActor || hasCtr {
			return fmt.Errorf("key is both a text and an element")
		}
		if len(s) < 1 || len(s) > MaxKey {
			return fmt.Errorf("key of %d bytes, 1 to %d are allowed", len(s), MaxKey)
		}
		return nil
	case hasActor && hasCtr:
		o.elem = opRef{a, c}
		return r.checkRef("key", o.elem, o.ctr)
	case !hasActor && hasCtr && c == 0:
		if !o.insert {
			return fmt.Errorf("the head of a sequence is no element")
		}
		return nil
	}
	return column("key", errNull)
}

func (r *opReader) readValue(o *op) error {
	meta, ok, err := r.valueMeta.next()
	if err != nil || !ok {
		return column("value", or(err, errNull))
	}
	if o.value, err = r.value.take(meta >> 4); err != nil {
		return column("value", err)
	}
	o.kind = valueKind(meta & 15)
	number := reader{o.value}
	switch o.kind {
	case kindNull, kindFalse, kindTrue:
		if len(o.value) != 0 {
			return column("value", errRange)
		}
	case kindUint:
		var v uint64
		if v, err = number.uleb(); err == nil && v > math.MaxInt64 {
			err = errWide
		}
	case kindInt:
		_, err = number.sleb()
	case kindText:
		if !utf8.Valid(o.value) {
			return column("value", errUTF8)
		}
	case kindBytes:
	default:
		return fmt.Errorf("value type %d is not allowed", o.kind)
	}
	if err != nil {
		return column("value", err)
	}
	if (o.kind == kindUint || o.kind == kindInt) && len(number.b) != 0 {
		return column("value", errMinimal)
	}
	if len(o.value) > MaxScalar {
		return fmt.Errorf("value of %d bytes, at most %d are allowed", len(o.value), MaxScalar)
	}
	return nil
}

func (r *opReader) readPreds(o *op) error {
	n, ok, err := r.predCount.next()
	if err != nil || !ok {
		return column("predecessors", or(err, errNull))
	}
	if n > uint64(maxPreds-r.preds) {
		return fmt.Errorf("more than %d predecessors", maxPreds)
	}
	r.preds += int(n)
	o.preds = o.preds[:0]
	for range n {
		a, okActor, err := r.predActor.next()
		if err != nil {
			return column("predecessor actor", err)
		}
		c, okCtr, err := r.predCtr.next()
		if err != nil {
			return column("predecessor counter", err)
		}
		if !okActor || !okCtr {
			return column("predecessors", errNull)
		}
		p := opRef{a, c}
		if err := r.checkRef("predecessor", p, o.ctr); err != nil {
			return err
		}
		if k := len(o.preds); k > 0 && !r.before(o.preds[k-1], p) {
			return fmt.Errorf("predecessors are not in ascending order")
		}
		o.preds = append(o.preds, p)
	}
	return nil
}

// checkRef reports an actor index out of range and a counter that is not below
// the operation's own: Lamport order forbids both.
func (r *opReader) checkRef(what string, ref opRef, ctr uint64) error {
	if ref.actor > uint64(len(r.c.others)) {
		return fmt.Errorf("%s: actor index %d is out of range", what, ref.actor)
	}
	if ref.ctr < 1 || ref.ctr >= ctr {
		return fmt.Errorf("%s: counter %d is not below the operation's own %d", what, ref.ctr, ctr)
	}
	return nil
}

// before orders operations by counter, then by the bytes of their actor.
func (r *opReader) before(a, b opRef) bool {
	if a.ctr != b.ctr {
		return a.ctr < b.ctr
	}
	x, y := r.c.actor(a.actor), r.c.actor(b.actor)
	return string(x[:]) < string(y[:])
}

// actor is the actor behind an index that is in range.
func (c *Chunk) actor(i uint64) [16]byte {
	if i == 0 {
		return c.Actor
	}
	return c.others[i-1]
}

func (r *opReader) end() error {
	if len(r.value.b) != 0 {
		return column("value", errRows)
	}
	if err := r.insert.end(); err != nil {
		return column("insert", err)
	}
	for _, c := range [...]struct {
		name string
		*rle
	}{
		{"object actor", &r.objActor.rle}, {"object counter", &r.objCtr.rle},
		{"key actor", &r.keyActor.rle}, {"key counter", &r.keyCtr.rle}, {"key text", &r.keyText.rle},
		{"value", &r.valueMeta.rle},
		{"predecessors", &r.predCount.rle}, {"predecessor actor", &r.predActor.rle}, {"predecessor counter", &r.predCtr.rle},
	} {
		if err := c.end(); err != nil {
			return column(c.name, err)
		}
	}
	return nil
}

// checkShape reports combinations that no editor writes and that Automerge
// does not expect.
func checkShape(o *op) error {
	if o.action != set && o.kind != kindNull {
		return fmt.Errorf("only a set carries a value")
	}
	if o.insert && o.isKey {
		return fmt.Errorf("insert into a map")
	}
	if o.insert && (len(o.preds) != 0 || o.action == del) {
		return fmt.Errorf("insert replaces something")
	}
	if o.action == del && len(o.preds) == 0 {
		return fmt.Errorf("delete names nothing to delete")
	}
	if o.obj == (opRef{}) && !o.isKey {
		return fmt.Errorf("the root is a map")
	}
	return nil
}

// checkOps walks all operations once: it fills Ops and Text and refuses what
// the chunk alone shows to be wrong.
func (c *Chunk) checkOps() error {
	r := c.ops()
	used := make([]bool, 1+len(c.others))
	own := newRefs()
	var o op
	for {
		ok, err := r.next(&o)
		if err == nil && ok {
			err = c.checkOp(own, &o, used)
		}
		if err != nil {
			return refuse("operation %d: %v", c.Ops, err)
		}
		if !ok {
			break
		}
		c.Ops++
	}
	for i, u := range used[1:] {
		if !u {
			return refuse("other actor %d is not referred to", i+1)
		}
	}
	return nil
}

func (c *Chunk) checkOp(own *refs, o *op, used []bool) error {
	if c.Ops == MaxOps {
		return fmt.Errorf("more than %d operations", MaxOps)
	}
	if o.ctr > maxCounter {
		return errRange
	}
	used[o.obj.actor], used[o.elem.actor] = true, true
	for _, p := range o.preds {
		used[p.actor] = true
	}
	if o.insert && o.kind == kindText {
		c.Text += uint64(utf8.RuneCount(o.value))
	}
	return own.apply(c, o, true)
}

// column says in which column err was met.
func column(name string, err error) error { return fmt.Errorf("%s column: %w", name, err) }

// or is err, or fallback when err is nil.
func or(err, fallback error) error {
	if err != nil {
		return err
	}
	return fallback
}
