package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/identity/wallet"
)

// silentFacilitator is silent VARIABLE: it starts a facilitator that finds every payment good and
// never says what became of it, and sets a variable to its address.
func silentFacilitator(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: silent VARIABLE")
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			PaymentPayload struct {
				Payload struct{ Authorization struct{ From string } }
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/verify" {
			w.WriteHeader(http.StatusGatewayTimeout)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"isValid": true, "payer": asked.PaymentPayload.Payload.Authorization.From})
	}))
	ts.Defer(srv.Close)
	ts.Setenv(args[0], srv.URL)
}

// payFor is payfor URL UNITS FILE: it pays for an entry from a new wallet and writes the answer
// into a file.
func payFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: payfor URL UNITS FILE")
	}
	network, _ := pay.FindNetwork("base-sepolia")
	buyer, err := wallet.KeyFromSecret([32]byte(bytes.Repeat([]byte{7}, 32)))
	ts.Check(err)
	to, err := wallet.KeyFromSecret([32]byte{31: 1})
	ts.Check(err)
	units, err := strconv.ParseUint(args[1], 10, 64)
	ts.Check(err)
	now := uint64(time.Now().Unix())
	t := wallet.Transfer{From: buyer.Address(), To: to.Address(), Value: units, ValidAfter: now - 600, ValidBefore: now + 60, Nonce: [32]byte{1, 0xab}}
	sig := buyer.SignDigest(t.Digest(network.Token))
	raw, err := json.Marshal(map[string]any{"x402Version": 1, "scheme": "exact", "network": network.Name, "payload": map[string]any{
		"signature": fmt.Sprintf("0x%x", sig[:]), "authorization": map[string]any{"from": t.From.String(), "to": t.To.String(), "value": args[1],
			"validAfter": fmt.Sprint(t.ValidAfter), "validBefore": fmt.Sprint(t.ValidBefore), "nonce": fmt.Sprintf("0x%x", t.Nonce[:])}}})
	ts.Check(err)
	r, err := http.NewRequest(http.MethodGet, args[0], nil)
	ts.Check(err)
	r.Header.Set("X-PAYMENT", base64.StdEncoding.EncodeToString(raw))
	resp, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	ts.Check(err)
	var said struct {
		Details struct {
			PaymentID string `json:"payment_id"`
		}
	}
	ts.Check(json.Unmarshal(body, &said))
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), fmt.Appendf(nil, "status %d\npayment %s\nbody %s\n", resp.StatusCode, said.Details.PaymentID, body), 0o600))
}

// sell is sell VARIABLE URL PRICE TEXT: it writes an entry with a price as the owner's
// agent and sets a variable to its id.
func sell(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: sell VARIABLE URL PRICE TEXT")
	}
	price, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	raw, err := json.Marshal(map[string]any{"type": "gotcha", "domain": "birds", "content": args[3], "price": price})
	ts.Check(err)
	r, err := http.NewRequest(http.MethodPost, args[1]+"/api/mesh/contribute", bytes.NewReader(raw))
	ts.Check(err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(ts.ReadFile(filepath.Join(ts.Getenv("MESHD_HOME"), "keys", "owner.api-key"))))
	resp, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer resp.Body.Close()
	var said struct{ ID, Error string }
	ts.Check(json.NewDecoder(resp.Body).Decode(&said))
	if said.ID == "" {
		ts.Fatalf("sell: %d %s", resp.StatusCode, said.Error)
	}
	ts.Setenv(args[0], said.ID)
}
