package mcp_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/meshd/meshd/gateway/service/servicetest"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/wallet"
)

func walletOf(t testing.TB, n byte) *wallet.Key {
	t.Helper()
	k, err := wallet.KeyFromSecret([32]byte(bytes.Repeat([]byte{n}, 32)))
	must(t, err)
	return k
}

// signed are the three forms in which a wallet answers a first stage.
func signed(k *wallet.Key, first map[string]any) map[string]string {
	c := first["challenge"].(map[string]any)
	hexed := func(sig [65]byte) string { return "0x" + hex.EncodeToString(sig[:]) }
	return map[string]string{
		"text":  hexed(k.SignText(c["text"].(string))),
		"siwe":  hexed(k.SignText(c["siwe"].(string))),
		"typed": hexed(k.SignDigest(wallet.NewTypedData(wallet.Registration, "Mesh", first["nonce"].(string)).Digest())),
	}
}

func TestRegisterByWallet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(modern, "")
	for i, form := range []string{"text", "siwe", "typed"} {
		k := walletOf(t, byte(i+1))
		args := map[string]any{"name": "agent " + form, "wallet_address": k.Address().String()}
		first, ok := callTool(t, s, "register_agent", args)
		if !ok || first["stage"] != "challenge" || first["instructions"].(map[string]any)["sign_format"] == "" {
			t.Fatalf("first stage %v", first)
		}
		args["nonce"], args["signature"] = first["nonce"], signed(k, first)[form]
		second, ok := callTool(t, s, "register_agent", args)
		if !ok || second["stage"] != "registered" || second["agent"].(map[string]any)["wallet_address"] != k.Address().String() ||
			second["wallet"].(map[string]any)["portable"] != (form != "typed") || second["recovery"] == nil {
			t.Errorf("second stage %v", second)
		}
		refused(t, s, "register_agent", args, "nonce_invalid")
		refused(t, s, "register_agent", map[string]any{"name": "again", "wallet_address": k.Address().String()}, "wallet_taken")
	}
}

func TestWalletRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(modern, "")
	k, other := walletOf(t, 1), walletOf(t, 2)
	address := k.Address().String()
	refused(t, s, "register_agent", map[string]any{"name": "ada", "wallet_address": address[:41] + "a"}, "invalid_wallet")
	refused(t, s, "register_agent", map[string]any{"name": "ada", "wallet_address": "0x"}, "invalid_wallet")
	refused(t, s, "register_agent", map[string]any{"name": "-", "wallet_address": address}, "invalid_name")
	refused(t, s, "register_agent", map[string]any{"name": "ada", "wallet_address": address, "did": servicetest.DID(servicetest.Key(1)).String()}, "invalid_param")
	refused(t, s, "register_agent", map[string]any{"name": "ada", "wallet_address": address, "signature": "x"}, "proof_required")
	refused(t, s, "register_agent", map[string]any{"name": "ada", "wallet_address": address, "nonce": "x", "signature": "x"}, "nonce_invalid")
	refused(t, s, "register_agent", map[string]any{"name": "ada", "generate_wallet": true, "wallet_address": address}, "invalid_param")
	refused(t, s, "register_agent", map[string]any{"name": "ada", "generate_wallet": "yes"}, "validation_failed")
	for name, sign := range map[string]func(first map[string]any) string{
		"malformed":    func(map[string]any) string { return "0x00" },
		"other wallet": func(first map[string]any) string { return signed(other, first)["text"] },
		"foreign name": func(first map[string]any) string {
			sig := k.SignDigest(wallet.NewTypedData(wallet.Registration, "Mash", first["nonce"].(string)).Digest())
			return hex.EncodeToString(sig[:])
		},
	} {
		args := map[string]any{"name": "ada", "wallet_address": address}
		first, ok := callTool(t, s, "register_agent", args)
		if !ok {
			t.Fatalf("%s: %v", name, first)
		}
		args["nonce"], args["signature"] = first["nonce"], sign(first)
		refused(t, s, "register_agent", args, "signature_invalid")
		args["signature"] = signed(k, first)["text"]
		refused(t, s, "register_agent", args, "nonce_invalid") // burnt
	}
}

func TestGeneratedWallet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(modern, "")
	send := func() (map[string]any, bool) {
		return callWith(t, s, &sdk.CallToolParams{Name: "register_agent", Meta: sdk.Meta{"idempotencyKey": "once"},
			Arguments: map[string]any{"name": "ada", "generate_wallet": true}})
	}
	first, ok := send()
	held := first["wallet"].(map[string]any)
	secret, err := hex.DecodeString(strings.TrimPrefix(held["private_key"].(string), "0x"))
	must(t, err)
	k, err := wallet.KeyFromSecret([32]byte(secret))
	must(t, err)
	if !ok || held["source"] != "generated" || held["address"] != k.Address().String() || held["portable"] != true {
		t.Errorf("wallet %v", held)
	}
	again, ok := send()
	if !ok || again["wallet"].(map[string]any)["private_key"] != nil || encode(t, again["agent"]) != encode(t, first["agent"]) {
		t.Errorf("repeated %v", again)
	}
}

// A key that lacks a scope is refused by tools as by paths.
func TestScopesOfTools(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, _ := register(t, w.dial(modern, ""), "ada", servicetest.Key(1))
	_, secret, err := w.state.CreateKey(t.Context(), state.NewKey{AgentID: id, Scopes: state.Scopes{state.ScopeRead}, ExpiresAt: servicetest.Start.Add(time.Hour)}, servicetest.Start)
	must(t, err)
	s := w.dial(modern, secret.Reveal())
	for tool, args := range map[string]map[string]any{"contribute_knowledge": lessonArgs("a"), "update_profile": {"bio": "x"}} {
		if out := refused(t, s, tool, args, "scope_missing"); out["details"].(map[string]any)["need"] != "mesh:write" {
			t.Errorf("%s: %v", tool, out)
		}
	}
	if me, ok := callTool(t, s, "get_me", nil); !ok || me["agentId"] != id {
		t.Errorf("me %v", me)
	}
}
