package config

import (
	"maps"
	"slices"
	"strings"
)

// Sources are the places settings come from. The zero value loads the defaults.
type Sources struct {
	File     string   // YAML file; empty: none
	Optional bool     // a File that does not exist is no fault
	Text     []byte   // what stands in File when it is not nil: File is a name then
	Env      []string // NAME=value, as of os.Environ
	Flags    []Flag   // those the user gave
}

// Flag is one command-line flag the user gave.
type Flag struct {
	Key   string // key it sets
	Name  string // its name without dashes
	Value string // as a key's default is written: "true", "30s", "a,b"
}

// Loaded is a Config that remembers where each value came from.
type Loaded struct {
	Config Config

	origins map[string]string
}

// Load reads all layers. It always returns a Loaded: with a non-nil error,
// which is then a Faults, a value that could not be read keeps that of the layer
// below, so that a diagnosing command can go on; a node must not run with it.
func Load(src Sources) (*Loaded, error) {
	var fs Faults
	file, fileFaults := src.file()
	env, envFaults := envLayer(src.Env)
	flags, flagFaults := flagLayer(src.Flags)
	fs = append(append(append(fs, fileFaults...), envFaults...), flagFaults...)

	profile := profileLayer(defaultLayer(), file, env, flags)
	l := merge(defaultLayer(), profile, file, env, flags)
	l.confine()

	for _, f := range l.Config.Validate() {
		f.Where = l.Origin(f.Key)
		fs = append(fs, f)
	}
	if len(fs) == 0 {
		return l, nil
	}
	return l, fs[:min(len(fs), maxFaults)]
}

func (src Sources) file() (*layer, Faults) {
	if src.Text != nil {
		return parseYAML(src.File, src.Text)
	}
	return fileLayer(src.File, src.Optional)
}

// Origin says where the value of a key came from: default, profile:<name>,
// <file>:<line>, env:<NAME>, flag:--<name>, or p2p.loopback for what that key
// implies. It is empty for an unknown key.
func (l *Loaded) Origin(key string) string { return l.origins[key] }

// Chosen reports whether the owner set the key in the file, the environment or
// a flag. A port that was not chosen may be exchanged for a free one.
func (l *Loaded) Chosen(key string) bool {
	o := l.origins[key]
	return o != "" && o != originDefault && o != originLoopback && !strings.HasPrefix(o, originProfile)
}

const (
	originDefault  = "default"
	originProfile  = "profile:"
	originLoopback = "p2p.loopback"
)

// confine applies p2p.loopback: what finds other machines or opens ways to them is
// off whatever was set, and a default listen address becomes a loopback one. A
// chosen one is left for Validate to refuse, because somebody relies on it.
func (l *Loaded) confine() {
	if !l.Config.P2P.Loopback {
		return
	}
	force := func(name, value string) {
		k := find(name)
		k.assign(&l.Config, k.mustParse(value))
		l.origins[name] = originLoopback
	}
	force("p2p.mdns", "false")
	force("p2p.port_mapping", "false")
	if !l.Chosen("p2p.listen") {
		force("p2p.listen", listenLoopback)
	}
	if !l.Chosen("gateway.listen") && !isLoopback(l.Config.Gateway.Listen) {
		force("gateway.listen", find("gateway.listen").Default)
	}
}

// layer is the settings of one source, already of the types of their keys.
type layer struct {
	values  map[string]any
	origins map[string]string
}

func newLayer() *layer {
	return &layer{values: map[string]any{}, origins: map[string]string{}}
}

// set parses raw for the key and stores it; a raw value that does not parse is
// returned as a fault and leaves the layer as it was.
func (l *layer) set(k *Key, raw any, origin string) Faults {
	v, err := k.parse(raw)
	if err != nil {
		return Faults{{Where: origin, Key: k.Name, Text: err.Error()}}
	}
	l.values[k.Name], l.origins[k.Name] = v, origin
	return nil
}

// merge lays the layers over one another, the last on top. The first sets every key.
func merge(layers ...*layer) *Loaded {
	l := &Loaded{origins: map[string]string{}}
	values := map[string]any{}
	for _, ly := range layers {
		maps.Copy(values, ly.values)
		maps.Copy(l.origins, ly.origins)
	}
	for i := range table {
		table[i].assign(&l.Config, values[table[i].Name])
	}
	return l
}

func defaultLayer() *layer {
	l := newLayer()
	for i := range table {
		k := &table[i]
		l.values[k.Name], l.origins[k.Name] = k.mustParse(k.Default), originDefault
	}
	return l
}

// profileLayer makes the layer of the profile that the given layers choose
// together. An unknown profile changes nothing; Validate refuses it.
func profileLayer(layers ...*layer) *layer {
	var name string
	for _, ly := range layers {
		if v, ok := ly.values["node.profile"]; ok {
			name = v.(string)
		}
	}
	l := newLayer()
	for key, value := range profiles[name] {
		l.values[key], l.origins[key] = find(key).mustParse(value), originProfile+name
	}
	return l
}

// flagLayer reads the flags. A secret on the command line would stand in the
// process list, so it is refused.
func flagLayer(flags []Flag) (*layer, Faults) {
	l := newLayer()
	var fs Faults
	for _, f := range flags {
		where := "flag:--" + f.Name
		k := find(f.Key)
		switch {
		case k == nil:
			fs = append(fs, Fault{Where: where, Key: f.Key, Text: "unknown key", Hint: nearestKey(f.Key)})
		case k.Secret:
			fs = append(fs, Fault{Where: where, Key: f.Key, Text: "a secret cannot be a flag; use the environment or a file"})
		default:
			fs = append(fs, l.set(k, f.Value, where)...)
		}
	}
	return l, fs
}

// Diff names the keys whose values differ, those that take effect on reload and
// those that need a restart, each in the order of the table.
func Diff(before, after *Config) (live, restart []string) {
	for i := range table {
		k := &table[i]
		if equal(k.value(before), k.value(after)) {
			continue
		}
		if k.Live {
			live = append(live, k.Name)
		} else {
			restart = append(restart, k.Name)
		}
	}
	return live, restart
}

// equal compares two values of one key.
func equal(a, b any) bool {
	if list, ok := a.([]string); ok {
		return slices.Equal(list, b.([]string))
	}
	return a == b
}
