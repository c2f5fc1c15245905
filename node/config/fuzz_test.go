package config

import (
	"strings"
	"testing"
)

// FuzzFile feeds any bytes as the YAML file: no panic, every fault has a place
// and one line, and what is accepted without a fault loads the same twice.
func FuzzFile(f *testing.F) {
	sample, err := Sample(map[string]string{"p2p.listen": listenLoopback, "log.level": "debug"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sample)
	for _, s := range []string{
		"", "---\n", "~", "a: &a [*a]", "p2p: {listen: [/ip4/1.2.3.4/tcp/1]}", "log:\n  level: info\n---\n", "? [a]\n: b",
		"log: {level: !!binary aGk=}", "<<: {a: b}", "%YAML 1.2\n---\nlog:\n", "\xff\xfe", "node:\n\tname: x", "limits: {read: 1e9}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first, faults := parseYAML("f.yaml", data)
		for _, fault := range faults {
			if !strings.HasPrefix(fault.Where, "f.yaml") || fault.Text == "" {
				t.Errorf("fault without a place: %+v", fault)
			}
		}
		second, again := parseYAML("f.yaml", data)
		if len(again) != len(faults) || len(second.values) != len(first.values) {
			t.Error("two readings differ")
		}
		l := merge(defaultLayer(), first)
		l.confine()
		l.Config.Validate()
		l.Effective()
	})
}

// FuzzEnv feeds any text as an environment.
func FuzzEnv(f *testing.F) {
	f.Add("MESHD_LOG_LEVEL=debug\nMESHD_LOOPBACK=1\nMESHD_=x\nMESHD_P2P_LISTEN=,,\n=x")
	f.Fuzz(func(t *testing.T, environ string) {
		l, _ := Load(Sources{Env: strings.Split(environ, "\n")})
		if l == nil || len(l.Effective()) != len(table) {
			t.Error("no listing")
		}
	})
}
