package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/meshd/meshd/identity/wallet"
)

// TestSignInInABrowser signs in to a gateway in Chromium, by each way that its page offers, and
// uses the pages behind it: in both themes and two widths, by the keyboard, with and without
// scripts. The wallet that the browser has is one of this test, which signs what it is asked for.
func TestSignInInABrowser(t *testing.T) {
	t.Parallel()
	needPrograms(t, "chromium")
	key, err := wallet.KeyFromSecret([32]byte{7, 7, 7})
	if err != nil {
		t.Fatal(err)
	}
	signs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		sig := key.SignText(string(text))
		fmt.Fprintf(w, "0x%s", hex.EncodeToString(sig[:]))
	}))
	t.Cleanup(signs.Close)
	url, _ := serveNodeWith(t, []string{"MESHD_GATEWAY_ENABLED=true", "MESHD_LIMITS_MODE=off", "MESHD_GATEWAY_STARTING_CREDITS=100"})
	driveByNode(t, conformanceChecks, "signin.mjs", url, signs.URL, key.Address().String())
}
