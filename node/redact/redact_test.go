package redact

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

// secrets are a sample of each shape, with the part that must not be seen.
var secrets = map[string]string{
	"key mesh_sk_Zm9vYmFyYmF6cXV4 refused":                                     "Zm9vYmFy",
	"token eyJhbGciOiJFZERTQSJ9.eyJhdWQiOiJkaWQ6a2V5In0.c2lnbmF0dXJl":          "eyJhdWQi",
	"Authorization: Bearer abcdef0123456789":                                   "abcdef01",
	"GET /api/mesh/events?ticket=tk_31337 failed":                              "tk_31337",
	"read -----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----":      "MC4CAQ",
	"dial postgres://meshd:hunter2@db:5432/meshd: refused":                     "hunter2",
	"open vault: passphrase=correct-horse is wrong":                            "correct-horse",
	"truncated -----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIrYSSNQFaA2Hwf1duRSxQ": "MHcCAQEE",
}

func TestSecretsNeverReachTheLog(t *testing.T) {
	t.Parallel()
	for _, json := range []bool{false, true} {
		var out bytes.Buffer
		var next slog.Handler = slog.NewTextHandler(&out, nil)
		if json {
			next = slog.NewJSONHandler(&out, nil)
		}
		for text, secret := range secrets {
			log := slog.New(Handler(next))
			out.Reset()
			log.Info(text)
			log.Info("fault", "error", errors.New(text))
			log.With("cause", text).WithGroup("request").Info("x", "path", text, slog.Group("in", "er", text))
			log.Info("x", "passphrase", secret, "Authorization", secret)
			if got := out.String(); strings.Contains(got, secret) || strings.Count(got, Mark) < 6 {
				t.Errorf("%q is written as %s", text, got)
			}
		}
	}
}

// What an operator needs stays as it is.
func TestIdsAndNumbersStay(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(Handler(slog.NewTextHandler(&out, nil)))
	log.Info("request", "request", "req_0123456789abcdef", "path", "/api/mesh/entry/ent_abc", "millis", 12, "did", "did:key:z6MkkBfV8vktBtRmdhgQE1ELjMjwDfuBvYNps1hn6VvdDUbr", "ok", true)
	for _, want := range []string{"request=req_0123456789abcdef", "path=/api/mesh/entry/ent_abc", "millis=12", "did=did:key:z6Mkk", "ok=true"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, out.String())
		}
	}
}

func FuzzText(f *testing.F) {
	for text := range secrets {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Text(s)
		if len(once) > len(s)*(len(Mark)+1) {
			t.Errorf("%d bytes became %d", len(s), len(once))
		}
	})
}
