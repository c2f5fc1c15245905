package binding

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/identity/did"
)

func login() Login {
	issued := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return Login{Network: builtIn, Agent: "agt_abc234abc234", Subject: did.OfKey(signer(0x22).Key()), Gateway: "https://mesh.example", Service: signer(0x11).Key(),
		Nonce: "00000000-0000-4000-8000-000000000001", Issued: issued, Expires: issued.Add(5 * time.Minute)}
}

func TestLoginTextIsTheSpecified(t *testing.T) {
	t.Parallel()
	want := strings.Join([]string{
		"Mesh login",
		"network: c42617aef2f96d8df3c932896279f57b",
		"agent: agt_abc234abc234",
		"subject: " + signer(0x22).Key().String(),
		"gateway: https://mesh.example",
		"service: did:key:z6MktULudTtAsAhRegYPiZ6631RV3viv12qd4GQF8z1xB22S",
		"nonce: 00000000-0000-4000-8000-000000000001",
		"issued: 2026-01-02T03:04:05Z",
		"expires: 2026-01-02T03:09:05Z",
	}, "\n")
	got, err := login().Text()
	if err != nil || got != want {
		t.Errorf("%q, want %q (%v)", got, want, err)
	}
	if back, err := ParseLogin(want); err != nil || back != login() {
		t.Errorf("read back as %+v, %v", back, err)
	}
	// No text that is signed for something else is one.
	other := text(t, challenge(did.OfKey(signer(0x22).Key())))
	if _, err := ParseLogin(other); !errors.Is(err, ErrMalformed) {
		t.Errorf("a registration is read as a login: %v", err)
	}
	if _, err := ParseChallenge(want); !errors.Is(err, ErrMalformed) {
		t.Errorf("a login is read as a challenge: %v", err)
	}
}

func TestParseLoginRefuses(t *testing.T) {
	t.Parallel()
	good, err := login().Text()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string][2]string{
		"other first line": {"Mesh login", "Mesh Login"}, "CRLF": {"\n", "\r\n"}, "final LF": {"09:05Z", "09:05Z\n"},
		"a line more": {"09:05Z", "09:05Z\nmore: x"}, "upper case network": {"c42617ae", "C42617AE"}, "short network": {"f57b\n", "f5\n"},
		"no agent": {"agt_abc234abc234", ""}, "agent with a space": {"agt_abc", "agt abc"}, "subject did:web": {signer(0x22).Key().String(), "did:web:example.org"},
		"no scheme": {"https://", ""}, "other scheme": {"https://", "ftp://"}, "a password": {"https://", "https://a:b@"}, "a query": {"mesh.example", "mesh.example?x"},
		"service is a wallet": {signer(0x11).Key().String(), "did:pkh:eip155:1:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"},
		"short nonce":         {"00000000-0000-4000-8000-000000000001", "0000000"}, "no time": {"2026-01-02T03:04:05Z", "yesterday"},
		"no such day": {"2026-01-02T03:09:05Z", "2026-02-30T03:09:05Z"}, "label": {"issued:", "Issued:"}, "huge": {"nonce: ", "nonce: " + strings.Repeat("0", maxText)},
	} {
		bad := strings.ReplaceAll(good, c[0], c[1])
		if bad == good {
			t.Errorf("%s: nothing replaced", name)
		}
		if got, err := ParseLogin(bad); !errors.Is(err, ErrMalformed) || got != (Login{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func FuzzParseLogin(f *testing.F) {
	good, err := login().Text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add("Mesh login\n")
	f.Fuzz(func(t *testing.T, s string) {
		l, err := ParseLogin(s)
		if err != nil {
			return
		}
		if again, err := l.Text(); err != nil || again != s {
			t.Fatalf("%q is read and written as %q, %v", s, again, err)
		}
	})
}
