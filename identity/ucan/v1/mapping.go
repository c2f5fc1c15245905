package v1

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ipld/go-ipld-prime/datamodel"

	"github.com/meshd/meshd/identity/ucan"
)

// ErrNoEquivalent is wrapped by errors about a right that the other dialect
// cannot say without saying more.
var ErrNoEquivalent = errors.New("the right has no equal in the other dialect")

func noEquivalent(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrNoEquivalent, fmt.Sprintf(format, args...))
}

// Right is what one 0.10 capability says, without who gives it to whom.
type Right struct {
	Resource, Ability string
	Caveats           []map[string]any // OR; one without members is no restriction
}

// Command is the command that stands for an ability: "/" for "*", "/entry" for
// "entry/*", "/entry/put" for "entry/put". A command covers what lies below it,
// an ability does not, so only the abilities known here and their namespaces are
// mapped: none lies below another, and no namespace is an ability.
func Command(ability string) (string, error) {
	name := strings.ToLower(ability)
	switch ns, wild := strings.CutSuffix(name, "/*"); {
	case name == ucan.All:
		return "/", nil
	case !ucan.Known(name):
		return "", noEquivalent("no command for the ability %.64q", ability)
	case wild:
		return "/" + ns, nil
	}
	return "/" + name, nil
}

// Ability is the inverse of Command.
func Ability(command string) (string, error) {
	name := strings.TrimPrefix(command, "/")
	switch {
	case command == "/":
		return ucan.All, nil
	case ucan.Known(name) && !strings.Contains(name, "*"):
		return name, nil
	case ucan.Known(name+"/*") && !strings.Contains(name, "*"):
		return name + "/*", nil
	}
	return "", noEquivalent("no ability for the command %.64q", command)
}

// PolicyOf is the policy that restricts an invocation as r does: its resource is
// r's or below, and the arguments meet one of the caveats, field by field, where
// an array means one of its members. Fields that are not names, empty arrays and
// numbers that are not integers have no form.
func PolicyOf(r Right) ([]any, error) {
	if !ucan.Own(r.Resource) || !oneReading(r.Resource) {
		return nil, noEquivalent("the resource is not one of this mesh")
	}
	resource := "." + ResourceArg
	policy := []any{[]any{"or", []any{
		[]any{"==", resource, r.Resource},
		[]any{"like", resource, escapeLike(r.Resource) + "/*"},
	}}}
	if len(r.Caveats) == 0 {
		return nil, noEquivalent("no caveat can be met")
	}
	var anyOf []any
	for _, c := range r.Caveats {
		if len(c) == 0 {
			return policy, nil
		}
		all, err := caveatPolicy(c)
		if err != nil {
			return nil, err
		}
		anyOf = append(anyOf, []any{"and", all})
	}
	return append(policy, []any{"or", anyOf}), nil
}

var fieldName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

func caveatPolicy(caveat map[string]any) ([]any, error) {
	var all []any
	for _, field := range slices.Sorted(maps.Keys(caveat)) {
		if !fieldName.MatchString(field) || field == ResourceArg {
			return nil, noEquivalent("no argument for the caveat %.64q", field)
		}
		list, isList := caveat[field].([]any)
		if !isList {
			s, err := equals(field, caveat[field])
			if err != nil {
				return nil, err
			}
			all = append(all, s)
			continue
		}
		var members []any
		for _, v := range list {
			s, err := equals(field, v)
			if err != nil {
				return nil, err
			}
			members = append(members, s)
		}
		if len(members) == 0 {
			return nil, noEquivalent("the caveat %.64q can never be met", field)
		}
		all = append(all, []any{"or", members})
	}
	return all, nil
}

func equals(field string, value any) ([]any, error) {
	switch value.(type) {
	case string, bool, json.Number, int, int64:
	default:
		return nil, noEquivalent("the caveat %.64q is not a text, a truth value or an integer", field)
	}
	if _, err := nodeOf(value); err != nil {
		return nil, noEquivalent("the caveat %.64q is out of range", field)
	}
	return []any{"==", "." + field, value}, nil
}

// RightOf is the inverse of PolicyOf with Command: what a delegation with such a
// policy says in 0.10. A policy of any other shape is ErrNoEquivalent: to leave
// out what one cannot say would widen the right.
func RightOf(command string, p Policy) (Right, error) {
	ability, err := Ability(command)
	if err != nil {
		return Right{}, err
	}
	resource, caveats, err := p.split()
	if err != nil {
		return Right{}, err
	}
	if resource == "" {
		return Right{}, noEquivalent("the policy names no resource")
	}
	return Right{resource, ability, caveats}, nil
}

// split recognises the shape that PolicyOf makes: an optional part about the
// resource, and an optional part of caveats.
func (p Policy) split() (resource string, caveats []map[string]any, err error) {
	caveats = []map[string]any{{}}
	rest := p.statements
	if len(rest) > 0 {
		if r, ok := rest[0].resource(); ok {
			resource, rest = r, rest[1:]
		}
	}
	if len(rest) > 1 {
		return "", nil, noEquivalent("the policy has another form than caveats have")
	}
	if len(rest) == 1 {
		if caveats, err = rest[0].caveats(); err != nil {
			return "", nil, err
		}
	}
	return resource, caveats, nil
}

// resource recognises the first statement of PolicyOf.
func (s statement) resource() (string, bool) {
	if s.op != "or" || len(s.parts) != 2 || s.parts[0].op != "==" || s.parts[1].op != "like" ||
		s.parts[0].field() != ResourceArg || s.parts[1].field() != ResourceArg ||
		s.parts[0].value.Kind() != datamodel.Kind_String {
		return "", false
	}
	r, err := s.parts[0].value.AsString()
	return r, err == nil && s.parts[1].pattern == escapeLike(r)+"/*" && ucan.Own(r) && oneReading(r)
}

// field is the one plain field that s selects, or "".
func (s statement) field() string {
	if s.selector.opaque || len(s.selector.steps) != 1 || s.selector.steps[0].optional {
		return ""
	}
	return s.selector.steps[0].field
}

// caveats recognises the second statement of PolicyOf.
func (s statement) caveats() ([]map[string]any, error) {
	if s.op != "or" || len(s.parts) == 0 {
		return nil, noEquivalent("the policy has another form than caveats have")
	}
	var out []map[string]any
	for _, one := range s.parts {
		if one.op != "and" || len(one.parts) == 0 {
			return nil, noEquivalent("the policy has another form than caveats have")
		}
		c := make(map[string]any)
		for _, f := range one.parts {
			field, value, err := f.caveatField()
			if err != nil {
				return nil, err
			}
			if _, twice := c[field]; twice || !fieldName.MatchString(field) || field == ResourceArg {
				return nil, noEquivalent("no caveat for the argument %.64q", field)
			}
			c[field] = value
		}
		out = append(out, c)
	}
	return out, nil
}

func (s statement) caveatField() (field string, value any, err error) {
	if s.op == "==" {
		value, err = caveatValue(s.value)
		return s.field(), value, err
	}
	if s.op != "or" || len(s.parts) == 0 {
		return "", nil, noEquivalent("the policy has another form than caveats have")
	}
	field = s.parts[0].field()
	var list []any
	for _, m := range s.parts {
		if m.op != "==" || m.field() != field {
			return "", nil, noEquivalent("the policy has another form than caveats have")
		}
		v, err := caveatValue(m.value)
		if err != nil {
			return "", nil, err
		}
		list = append(list, v)
	}
	return field, list, nil
}

// caveatValue is a value as it stands in a parsed 0.10 token.
func caveatValue(n datamodel.Node) (any, error) {
	v, err := valueOf(n)
	if err != nil {
		return nil, noEquivalent("a value has no form in 0.10")
	}
	switch v := v.(type) {
	case string, bool:
		return v, nil
	case int64:
		return json.Number(strconv.FormatInt(v, 10)), nil
	}
	return nil, noEquivalent("a value has no form in 0.10")
}
