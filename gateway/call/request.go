package call

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/meshd/meshd/gateway/cursor"
)

// Request is embedded in every request struct. It keeps how the request came, for
// what is asked of a request as a whole; the zero value is a request that this
// program makes itself.
type Request struct{ values Values }

// Warnings names fields that were ignored, as unknown_field:<name>; nil for none.
func (r Request) Warnings() []string { return r.values.Warnings }

// Empty reports whether the caller gave no field.
func (r Request) Empty() bool { return r.values.Empty() }

// Filter binds a cursor to the list and to every field of the request but those
// that say which page is wanted.
func (r Request) Filter(list string) cursor.Filter { return r.values.Filter(list) }

// Said is err with its fields called as the caller called them.
func (r Request) Said(err error) error { return r.values.Said(err) }

// Missing are the fields that the form requires and the caller did not give.
func (r Request) Missing() []Problem {
	var bad []Problem
	for _, f := range r.values.form {
		if f.Required && r.values.m[f.Name] == nil {
			bad = append(bad, Missing(f.Name, "is needed"))
		}
	}
	return bad
}

// Calling is r for a caller to whom a field has another name.
func (r Request) Calling(field, used string) Request {
	return Request{r.values.Calling(field, used)}
}

// Opt is a field of which it matters whether it was given.
type Opt[T any] struct {
	Value T    // the default of the field when it was not given or is null
	Given bool // by the caller, perhaps as null
	Null  bool // given as null
}

// Set reports whether a value was given.
func (o Opt[T]) Set() bool { return o.Given && !o.Null }

// read fills o with a field of v; its parameter is what Values keep of a field.
func (o *Opt[T]) read(v Values, name string, kind Kind) {
	fill(kind, reflect.ValueOf(&o.Value).Elem(), v.get(name))
	o.Given, o.Null = v.has(name), v.null(name)
}

// optional is an *Opt of any type.
type optional interface {
	read(v Values, name string, kind Kind)
	value() reflect.Type
}

func (o *Opt[T]) value() reflect.Type { return reflect.TypeFor[T]() }

// FormOf is a Form that is read into a T: a struct that embeds Request and has one
// member for each field, named in its tag (`field:"min_price"`). Its type follows
// from the kind of the field: string for Text, int for Int, float64 for Number,
// bool for Bool, time.Time for Time and Moment, []string for Texts and TextOrList,
// json.RawMessage for Object, Objects and Numbers, and any for TextOrMap and
// TextOrNumber; or an Opt of that.
type FormOf[T any] struct {
	Form
	members []member
}

// member is where a field goes in a struct.
type member struct {
	name  string
	kind  Kind
	index []int
	opt   bool
}

var requestType = reflect.TypeFor[Request]()

// Define is the form of a T. It panics when a field has no member, a member no
// field, or one the type of another kind: a request that is not described as it is
// read is a mistake of who wrote it, and shows before anything else runs.
func Define[T any](form Form) FormOf[T] {
	t := reflect.TypeFor[T]()
	out := FormOf[T]{Form: form}
	fields := map[string]Field{}
	for _, f := range form {
		fields[f.Name] = f
	}
	whole := false
	for _, m := range reflect.VisibleFields(t) {
		if m.Type == requestType {
			whole = true
			continue
		}
		name, tagged := m.Tag.Lookup("field")
		if !tagged {
			if m.Anonymous || len(m.Index) > 1 && t.FieldByIndex(m.Index[:len(m.Index)-1]).Type == requestType {
				continue
			}
			panic(fmt.Sprintf("%s.%s has no field", t, m.Name))
		}
		f, ok := fields[name]
		if !ok {
			panic(fmt.Sprintf("%s.%s: the form has no field %s", t, m.Name, name))
		}
		delete(fields, name)
		o, opt := reflect.New(m.Type).Interface().(optional)
		inner := m.Type
		if opt {
			inner = o.value()
		}
		if want := f.Kind.memberType(); inner != want {
			panic(fmt.Sprintf("%s.%s is %s, and %s needs %s", t, m.Name, inner, name, want))
		}
		out.members = append(out.members, member{name, f.Kind, m.Index, opt})
	}
	for name := range fields {
		panic(fmt.Sprintf("%s has no member for %s", t, name))
	}
	if !whole {
		panic(fmt.Sprintf("%s does not embed call.Request", t))
	}
	return out
}

// memberType is the type of a member for a field of this kind.
func (k Kind) memberType() reflect.Type {
	switch k {
	case Text:
		return reflect.TypeFor[string]()
	case Int:
		return reflect.TypeFor[int]()
	case Number:
		return reflect.TypeFor[float64]()
	case Bool:
		return reflect.TypeFor[bool]()
	case Time, Moment:
		return reflect.TypeFor[time.Time]()
	case Texts, TextOrList:
		return reflect.TypeFor[[]string]()
	case Object, Objects, Numbers:
		return reflect.TypeFor[json.RawMessage]()
	}
	return reflect.TypeFor[any]()
}

// Read is the request in v. A field that was not given, or is null, has the
// default of the form by which v was read; one that is no field of that form is zero.
func (f FormOf[T]) Read(v Values) T {
	var out T
	to := reflect.ValueOf(&out).Elem()
	for i := range f.members {
		m := &f.members[i]
		at := to.FieldByIndex(m.index)
		if m.opt {
			at.Addr().Interface().(optional).read(v, m.name, m.kind)
			continue
		}
		fill(m.kind, at, v.get(m.name))
	}
	to.FieldByName("Request").Set(reflect.ValueOf(Request{v}))
	return out
}

// Defaults is the request of a caller who gives nothing.
func (f FormOf[T]) Defaults() T { return f.Read(Values{form: f.Form}) }

// From reads the request out of another one, which has some of its fields.
func (f FormOf[T]) From(r Request) T { return f.Read(r.values) }

// fill sets a member to what Values keep of a field of its kind, nil for none.
func fill(kind Kind, to reflect.Value, x any) {
	switch x := x.(type) {
	case nil:
	case float64:
		if kind == Int {
			to.SetInt(int64(x))
			return
		}
		to.Set(reflect.ValueOf(x))
	case string:
		if kind == Texts || kind == TextOrList {
			to.Set(reflect.ValueOf([]string{x}))
			return
		}
		to.Set(reflect.ValueOf(x))
	default:
		to.Set(reflect.ValueOf(x))
	}
}

// ReadJSON reads a body into a T: Form.FromJSON, then Read.
func (f FormOf[T]) ReadJSON(raw []byte) (T, error) {
	v, err := f.FromJSON(raw)
	return f.Read(v), err
}

// PageOf is what a request of a page of a list has in common with others.
type PageOf struct {
	Limit  int    `field:"limit"`
	Cursor string `field:"cursor"`
}
