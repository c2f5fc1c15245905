// Package apidoc writes the page about the API for people out of the API's own
// description, so that the page says what the code does. Markdown is the whole
// of it; scripts/apidoc keeps docs/api.md with it.
package apidoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// document is the part of an OpenAPI description that the page shows.
type document struct {
	Tags []struct {
		Name string `json:"name"`
	} `json:"tags"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	Tags       []string         `json:"tags"`
	Summary    string           `json:"summary"`
	Security   []map[string]any `json:"security"`
	Parameters []struct {
		Name        string `json:"name"`
		In          string `json:"in"`
		Description string `json:"description"`
		Required    bool   `json:"required"`
		Schema      schema `json:"schema"`
	} `json:"parameters"`
	RequestBody *struct {
		Content map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Description string `json:"description"`
		Content     map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
	Scope    string `json:"x-scope"`
	Bucket   string `json:"x-bucket"`
	Resource string `json:"x-resource"`
	Ability  string `json:"x-ability"`
	KeyOnly  string `json:"x-key-only"`
	Role     string `json:"x-role"`
}

// keyed reports whether an operation needs a credential: one way to call it is
// without, where not.
func (op operation) keyed() bool {
	return len(op.Security) > 0 && !slices.ContainsFunc(op.Security, func(way map[string]any) bool { return len(way) == 0 })
}

type schema struct {
	Ref         string            `json:"$ref"`
	Type        any               `json:"type"`
	Format      string            `json:"format"`
	Description string            `json:"description"`
	Enum        []any             `json:"enum"`
	Default     any               `json:"default"`
	Items       *schema           `json:"items"`
	OneOf       []schema          `json:"oneOf"`
	AnyOf       []schema          `json:"anyOf"`
	Properties  map[string]schema `json:"properties"`
	Required    []string          `json:"required"`
	MinLength   *float64          `json:"minLength"`
	MaxLength   *float64          `json:"maxLength"`
	Minimum     *float64          `json:"minimum"`
	Maximum     *float64          `json:"maximum"`
	MaxItems    *float64          `json:"maxItems"`
}

// Markdown is the page of an API description. The same description gives the
// same bytes.
func Markdown(openapi []byte) ([]byte, error) {
	var d document
	if err := json.Unmarshal(openapi, &d); err != nil {
		return nil, fmt.Errorf("read API description: %w", err)
	}
	var b bytes.Buffer
	b.WriteString(preface)
	for _, tag := range d.Tags {
		fmt.Fprintf(&b, "\n## %s\n", tag.Name)
		for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
			for _, method := range []string{"get", "post", "put", "patch", "delete"} {
				if op, ok := d.Paths[path][method]; ok && slices.Contains(op.Tags, tag.Name) {
					d.write(&b, strings.ToUpper(method), path, op)
				}
			}
		}
	}
	d.roles(&b)
	d.objects(&b)
	return b.Bytes(), nil
}

// objects writes what replies are made of.
func (d *document) objects(b *bytes.Buffer) {
	b.WriteString("\n## Objects\n")
	within := d.within()
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		if (!strings.HasSuffix(name, "Reply") || within[name]) && len(d.Components.Schemas[name].Properties) > 0 {
			fmt.Fprintf(b, "\n### %s\n", name)
			d.fields(b, "Field", d.Components.Schemas[name])
		}
	}
}

func (d *document) write(b *bytes.Buffer, method, path string, op operation) {
	fmt.Fprintf(b, "\n### %s %s\n\n%s.", method, path, strings.TrimSuffix(op.Summary, "."))
	switch {
	case op.Scope != "":
		fmt.Fprintf(b, " Needs an API key with the scope `%s`.", op.Scope)
	case op.keyed():
		b.WriteString(" Needs an API key.")
	}
	switch {
	case op.KeyOnly != "":
		fmt.Fprintf(b, " No token has the right to it: %s.", op.KeyOnly)
	case op.Ability != "" && op.keyed():
		fmt.Fprintf(b, " A token needs `%s` on `%s`.", op.Ability, op.Resource)
		if op.Role != "" {
			fmt.Fprintf(b, " In the team from the role `%s` up.", op.Role)
		}
	}
	if op.Bucket != "" {
		fmt.Fprintf(b, " Counts against `%s`.", op.Bucket)
	}
	b.WriteString("\n\n```sh\n" + curl(method, path, op) + "\n```\n")
	d.parameters(b, op)
	if op.RequestBody != nil {
		d.fields(b, "Body", op.RequestBody.Content["application/json"].Schema)
	}
	d.replies(b, op)
}

func (d *document) parameters(b *bytes.Buffer, op operation) {
	first := true
	for _, p := range op.Parameters {
		if p.In != "query" {
			continue
		}
		if first {
			b.WriteString("\n| Query | Type | What |\n|---|---|---|\n")
			first = false
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", p.Name, cell(d.typeOf(p.Schema)), cell(p.Description))
	}
}

// fields writes the properties of an object.
func (d *document) fields(b *bytes.Buffer, title string, s schema) {
	s = d.resolve(s)
	if len(s.Properties) == 0 {
		return
	}
	fmt.Fprintf(b, "\n| %s | Type | What |\n|---|---|---|\n", title)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		mark := ""
		if title == "Body" && slices.Contains(s.Required, name) {
			mark = " *"
		}
		p := s.Properties[name]
		fmt.Fprintf(b, "| `%s`%s | %s | %s |\n", name, mark, cell(d.typeOf(p)), cell(p.Description))
	}
}

func (d *document) replies(b *bytes.Buffer, op operation) {
	var refused []string
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		r := op.Responses[status]
		codes, is := strings.CutPrefix(r.Description, "Refused: ")
		if !is {
			if s, ok := r.Content["application/json"]; ok {
				d.fields(b, "Reply "+status, s.Schema)
			} else {
				fmt.Fprintf(b, "\nReply %s.\n", status)
			}
			continue
		}
		var own []string
		for _, c := range strings.Split(codes, ", ") {
			if !slices.Contains(everywhere, c) {
				own = append(own, "`"+c+"`")
			}
		}
		if own != nil {
			refused = append(refused, status+" "+strings.Join(own, " "))
		}
	}
	if refused != nil {
		fmt.Fprintf(b, "\nRefusals of its own: %s.\n", strings.Join(refused, " · "))
	}
}

// within are the schemas that fields of others have. A reply that is one of them stands
// among the objects too, where the links to it lead.
func (d *document) within() map[string]bool {
	out := map[string]bool{}
	var visit func(s schema)
	visit = func(s schema) {
		if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
			out[name] = true
		}
		if s.Items != nil {
			visit(*s.Items)
		}
		for _, one := range append(s.OneOf, s.AnyOf...) {
			visit(one)
		}
	}
	for _, s := range d.Components.Schemas {
		for _, p := range s.Properties {
			visit(p)
		}
	}
	return out
}

// resolve follows a reference.
func (d *document) resolve(s schema) schema {
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		return d.Components.Schemas[name]
	}
	return s
}

// typeOf says in a few words what a schema takes.
func (d *document) typeOf(s schema) string {
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		return "[" + name + "](#" + strings.ToLower(name) + ")"
	}
	if any := append(s.OneOf, s.AnyOf...); len(any) > 0 {
		var parts []string
		for _, o := range any {
			parts = append(parts, d.typeOf(o))
		}
		return strings.Join(parts, " or ")
	}
	var text string
	switch t := s.Type.(type) {
	case string:
		text = t
	case []any:
		var parts []string
		for _, x := range t {
			parts = append(parts, fmt.Sprint(x))
		}
		text = strings.Join(parts, " or ")
	}
	if s.Items != nil {
		text = "list of " + d.typeOf(*s.Items)
	}
	if s.Format != "" && s.Format != "int64" && s.Format != "double" && s.Format != "int32" {
		text += ", " + s.Format
	}
	if len(s.Enum) > 0 {
		var parts []string
		for _, e := range s.Enum {
			parts = append(parts, fmt.Sprintf("`%v`", e))
		}
		text = strings.Join(parts, ", ")
	}
	text += bounds(s.MinLength, s.MaxLength, " characters") + bounds(s.Minimum, s.Maximum, "") + bounds(nil, s.MaxItems, " items")
	if s.Default != nil {
		text += fmt.Sprintf("; default `%v`", s.Default)
	}
	return text
}

func bounds(least, most *float64, unit string) string {
	switch {
	case least != nil && most != nil && *least == *most:
		return fmt.Sprintf(", %s%s", plain(*most), unit)
	case least != nil && most != nil:
		return fmt.Sprintf(", %s to %s%s", plain(*least), plain(*most), unit)
	case most != nil:
		return fmt.Sprintf(", at most %s%s", plain(*most), unit)
	case least != nil && *least != 0:
		return fmt.Sprintf(", at least %s%s", plain(*least), unit)
	}
	return ""
}

// plain writes a bound with its digits where those can be read.
func plain(n float64) string {
	if n < 1e9 && n > -1e9 {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return strconv.FormatFloat(n, 'g', -1, 64)
}

// cell is text that fits a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "|", `\|`), "\n", " ")
}
