package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"

	"github.com/meshd/meshd/gateway/clients"
)

// has reports whether settings have a server of ours.
func has(c clients.Client, text []byte) (bool, error) {
	all, err := read(c, text)
	if err != nil {
		return false, err
	}
	servers, err := serversOf(c, all)
	if err != nil {
		return false, err
	}
	_, ok := servers[clients.Name]
	return ok, nil
}

// read is the meaning of settings; an empty file has none yet.
func read(c clients.Client, text []byte) (map[string]any, error) {
	all := map[string]any{}
	if len(bytes.TrimSpace(text)) == 0 {
		return all, nil
	}
	if c.TOML {
		if err := toml.Unmarshal(text, &all); err != nil {
			return nil, fmt.Errorf("it is not TOML: %w", err)
		}
		return all, nil
	}
	plain, err := hujson.Standardize(bytes.Clone(text))
	if err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(plain))
	d.UseNumber()
	if err := d.Decode(&all); err != nil || all == nil {
		return nil, errors.New("it is not an object of JSON")
	}
	return all, nil
}

func serversOf(c clients.Client, all map[string]any) (map[string]any, error) {
	v, there := all[c.Key]
	servers, ok := v.(map[string]any)
	if there && !ok {
		return nil, fmt.Errorf("%s in it is not an object", c.Key)
	}
	return servers, nil
}

// with are settings with a server of ours. What else stands in them stays as it is
// written, comments and order too.
func with(c clients.Client, text []byte, server clients.MCPServer) ([]byte, error) {
	before, err := read(c, text)
	if err != nil {
		return nil, err
	}
	servers, err := serversOf(c, before)
	if err != nil {
		return nil, err
	}
	block, err := c.Block(server)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return []byte(block), nil
	}
	wanted, err := read(c, []byte(block))
	if err != nil {
		return nil, err
	}
	if old, ok := servers[clients.Name]; ok && reflect.DeepEqual(old, wanted[c.Key].(map[string]any)[clients.Name]) {
		return text, nil
	}
	var out []byte
	if c.TOML {
		out = append(bytes.TrimRight(cut(c, text), "\n"), '\n', '\n')
		out = append(bytes.TrimLeft(out, "\n"), block...)
	} else if out, err = patch(c, text, servers == nil, &server); err != nil {
		return nil, err
	}
	return out, same(c, before, out)
}

// without are settings without a server of ours.
func without(c clients.Client, text []byte) ([]byte, error) {
	before, err := read(c, text)
	if err != nil {
		return nil, err
	}
	servers, err := serversOf(c, before)
	if err != nil {
		return nil, err
	}
	if _, ok := servers[clients.Name]; !ok {
		return text, nil
	}
	out := text
	if c.TOML {
		out = cut(c, text)
	} else if out, err = patch(c, text, false, nil); err != nil {
		return nil, err
	}
	if left, err := has(c, out); err != nil || left {
		return nil, errors.New("it names the server in a form that is not known")
	}
	return out, same(c, before, out)
}

// patch adds, replaces or, for nil, removes the server in JSON with comments.
func patch(c clients.Client, text []byte, first bool, server *clients.MCPServer) ([]byte, error) {
	v, err := hujson.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	type step struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value,omitempty"`
	}
	var steps []step
	if first {
		steps = append(steps, step{"add", "/" + c.Key, map[string]any{}})
	}
	if path := "/" + c.Key + "/" + clients.Name; server == nil {
		steps = append(steps, step{Op: "remove", Path: path})
	} else {
		steps = append(steps, step{"add", path, server})
	}
	ops, err := json.Marshal(steps)
	if err != nil {
		return nil, fmt.Errorf("encode settings: %w", err)
	}
	if err := v.Patch(ops); err != nil {
		return nil, fmt.Errorf("it cannot be changed: %w", err)
	}
	if server == nil {
		servers := v.Find("/" + c.Key).Value.(*hujson.Object)
		servers.AfterExtra = append(bytes.TrimRight(servers.AfterExtra, " \t\r\n"), "\n"+indentOf(text)...)
		return v.Pack(), nil
	}
	if err := lay(&v, c, indentOf(text), first, server); err != nil {
		return nil, err
	}
	return v.Pack(), nil
}

// lay gives the server lines of its own, indented as the file is.
func lay(v *hujson.Value, c clients.Client, indent string, first bool, server *clients.MCPServer) error {
	raw, err := json.MarshalIndent(server, indent+indent, indent)
	if err != nil {
		return fmt.Errorf("encode settings: %w", err)
	}
	nice, err := hujson.Parse(raw)
	if err != nil {
		return fmt.Errorf("encode settings: %w", err)
	}
	outer := v.Value.(*hujson.Object)
	if i := member(outer, c.Key); first {
		outer.Members[i].Name.BeforeExtra = hujson.Extra("\n" + indent)
		outer.Members[i].Value.BeforeExtra = hujson.Extra(" ")
		if !bytes.Contains(outer.AfterExtra, []byte("\n")) {
			outer.AfterExtra = append(outer.AfterExtra, '\n')
		}
	}
	servers := v.Find("/" + c.Key).Value.(*hujson.Object)
	m := &servers.Members[member(servers, clients.Name)]
	m.Value.Value = nice.Value
	m.Value.BeforeExtra = hujson.Extra(" ")
	m.Name.BeforeExtra = append(bytes.TrimRight(m.Name.BeforeExtra, " \t\r\n"), "\n"+indent+indent...)
	if !bytes.Contains(servers.AfterExtra, []byte("\n")) {
		servers.AfterExtra = append(servers.AfterExtra, "\n"+indent...)
	}
	return nil
}

// member is the place of a member that is there; the last one of a name counts.
func member(o *hujson.Object, name string) int {
	at := -1
	for i, m := range o.Members {
		if l, ok := m.Name.Value.(hujson.Literal); ok && l.String() == name {
			at = i
		}
	}
	return at
}

// indentOf is what the first indented line of a file begins with.
func indentOf(text []byte) string {
	for line := range bytes.Lines(text) {
		if rest := bytes.TrimLeft(line, " \t"); len(rest) < len(line) && len(bytes.TrimSpace(rest)) > 0 {
			return string(line[:len(line)-len(rest)])
		}
	}
	return "  "
}

// cut takes the tables of our server out of TOML.
func cut(c clients.Client, text []byte) []byte {
	var out []byte
	ours := false
	for line := range bytes.Lines(text) {
		if name, ok := header(line); ok {
			ours = slices.Equal(name[:min(2, len(name))], []string{c.Key, clients.Name})
		}
		if !ours {
			out = append(out, line...)
		}
	}
	return out
}

// header reads a line that opens a table, and its bare or quoted keys.
func header(line []byte) (name []string, ok bool) {
	text, _, _ := strings.Cut(string(line), "#")
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "[") || !strings.HasSuffix(text, "]") {
		return nil, false
	}
	for _, key := range strings.Split(strings.Trim(text, "[]"), ".") {
		name = append(name, strings.Trim(strings.TrimSpace(key), `"'`))
	}
	return name, true
}

// same refuses an edit that changed the meaning of anything but our server.
func same(c clients.Client, before map[string]any, out []byte) error {
	after, err := read(c, out)
	if err != nil {
		return fmt.Errorf("it has a form that is not known: %w", err)
	}
	for _, all := range []map[string]any{before, after} {
		servers, err := serversOf(c, all)
		if err != nil {
			return err
		}
		delete(servers, clients.Name)
		if len(servers) == 0 {
			delete(all, c.Key)
		}
	}
	if !reflect.DeepEqual(before, after) {
		return errors.New("it has a form that is not known: other settings would change")
	}
	return nil
}
