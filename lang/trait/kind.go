package trait

import (
	"fmt"
	"slices"
	"strings"
)

// Base is the name of a simple parameter type.
type Base string

// The parameter types of the catalogue. Name is a reference to a node, a
// function or a template.
const (
	TypeNumber     Base = "number"
	TypeInteger    Base = "integer"
	TypeString     Base = "string"
	TypeBoolean    Base = "boolean"
	TypeColor      Base = "color"
	TypeVec2       Base = "vec2"
	TypeVec3       Base = "vec3"
	TypeVec4       Base = "vec4"
	TypeQuat       Base = "quat"
	TypeEnum       Base = "enum"
	TypeList       Base = "list"
	TypeMap        Base = "map"
	TypeObject     Base = "object"
	TypeExpression Base = "expression"
	TypeHandler    Base = "handler"
	TypeAsset      Base = "asset"
	TypeName       Base = "name"
	TypeDuration   Base = "duration"
	TypeLength     Base = "length"
	TypeAngle      Base = "angle"
	TypeAny        Base = "any"
)

var bases = []Base{
	TypeNumber, TypeInteger, TypeString, TypeBoolean, TypeColor, TypeVec2, TypeVec3, TypeVec4, TypeQuat, TypeEnum, TypeList,
	TypeMap, TypeObject, TypeExpression, TypeHandler, TypeAsset, TypeName, TypeDuration, TypeLength, TypeAngle, TypeAny,
}

// Type is a parsed parameter type: one or more alternatives.
type Type []Term

// Term is one alternative of a type. Elem is the type of the elements of a
// list<T> and nil for everything else.
type Term struct {
	Base Base
	Elem Type
}

// ParseType reads a type as the catalogue spells it: names joined by '|', lists
// as list or list<T>. Lists nest at most four deep.
func ParseType(s string) (Type, error) {
	if len(s) > MaxName {
		return nil, fmt.Errorf("type is longer than %d bytes", MaxName)
	}
	t, rest, err := parseType(s, 4)
	if err != nil {
		return nil, err
	}
	if rest != "" {
		return nil, fmt.Errorf("type %q has %q behind its end", s, rest)
	}
	return t, nil
}

func parseType(s string, depth int) (Type, string, error) {
	if depth == 0 {
		return nil, s, fmt.Errorf("lists are nested too deep")
	}
	var t Type
	for {
		end := strings.IndexAny(s, "|<>")
		if end < 0 {
			end = len(s)
		}
		term := Term{Base: Base(s[:end])}
		if !slices.Contains(bases, term.Base) {
			return nil, s, fmt.Errorf("type %q is not known", s[:end])
		}
		s = s[end:]
		if term.Base == TypeList && strings.HasPrefix(s, "<") {
			elem, rest, err := parseType(s[1:], depth-1)
			if err != nil {
				return nil, s, err
			}
			if !strings.HasPrefix(rest, ">") {
				return nil, s, fmt.Errorf("list< has no >")
			}
			term.Elem, s = elem, rest[1:]
		}
		t = append(t, term)
		if !strings.HasPrefix(s, "|") {
			return t, s, nil
		}
		s = s[1:]
	}
}

// String is the spelling ParseType reads.
func (t Type) String() string {
	parts := make([]string, len(t))
	for i, term := range t {
		parts[i] = string(term.Base)
		if term.Elem != nil {
			parts[i] += "<" + term.Elem.String() + ">"
		}
	}
	return strings.Join(parts, "|")
}

// Has says whether b is one of the alternatives.
func (t Type) Has(b Base) bool {
	return slices.ContainsFunc(t, func(term Term) bool { return term.Base == b })
}

// measured says whether an alternative takes a number, so that a range or a
// unit makes sense.
func (t Type) measured() bool {
	return slices.ContainsFunc(t, func(term Term) bool {
		switch term.Base {
		case TypeNumber, TypeInteger, TypeDuration, TypeLength, TypeAngle, TypeVec2, TypeVec3, TypeVec4:
			return true
		case TypeList:
			return term.Elem != nil && term.Elem.measured()
		default:
			return false
		}
	})
}
