package rest_test

import (
	"strings"
	"testing"
)

func TestPaidEntryIsBoughtWithCredits(t *testing.T) {
	t.Parallel()
	s := newShop(t, nil)
	path := s.sells(0.25, nil)

	asked := s.want(s.as("bo", "GET", path, nil, nil), 402, "insufficient_credits")
	if a, ok := asked.json["accepts"].([]any); !ok || len(a) != 0 {
		t.Errorf("no way to settle on a chain, and it accepts %v", asked.json["accepts"])
	}
	entry := asked.json["entry"].(map[string]any)
	if entry["content"] != "[gotcha in birds: premium entry, 0.25 USD]" || entry["locked"] != true || entry["evidence"] != nil || entry["title"] != "How mines are left" {
		t.Errorf("locked entry %v", entry)
	}
	s.want(s.as("bo", "POST", path+"/buy", nil, nil), 402, "insufficient_credits")
	s.grant("bo", 100)
	s.want(s.as("bo", "GET", path, nil, nil), 402, "payment_required")
	bought := s.want(s.as("bo", "POST", path+"/buy", nil, map[string]string{"Idempotency-Key": "one"}), 200, "")
	full := bought.json["entry"].(map[string]any)
	if full["content"] != secretLesson || full["paid"] != true || full["locked"] != false || full["source"] != "canarysource" || full["provenanceHash"] == nil {
		t.Errorf("bought %v", full)
	}
	again := s.want(s.as("bo", "POST", path+"/buy", nil, map[string]string{"Idempotency-Key": "one"}), 200, "")
	if again.Header.Get("Idempotent-Replayed") != "true" || string(again.raw) != string(bought.raw) {
		t.Errorf("replayed %s", again.raw)
	}
	if r := s.want(s.as("bo", "POST", path+"/buy", nil, nil), 200, ""); r.json["already_owned"] != true || r.json["receipt"] != nil {
		t.Errorf("bought again: %s", r.raw)
	}
	s.holds("bo", 75)
	s.holds("ada", 21.25)
	if got := s.want(s.as("bo", "GET", path, nil, nil), 200, "").json["entry"].(map[string]any); got["content"] != secretLesson {
		t.Errorf("read after purchase: %v", got)
	}
	if own := s.want(s.as("ada", "POST", path+"/buy", nil, nil), 200, "").json; own["already_owned"] != true {
		t.Errorf("own entry: %v", own)
	}
	for _, list := range []string{"/api/mesh/feed", "/api/mesh/marketplace", "/api/mesh/agent/ada/storefront", "/api/mesh/search?q=mines"} {
		if r := s.want(s.as("bo", "GET", list, nil, nil), 200, ""); !strings.Contains(string(r.raw), "canarytext") {
			t.Errorf("%s does not show what was bought: %s", list, r.raw)
		}
		if r := s.want(s.as("cy", "GET", list, nil, nil), 200, ""); strings.Contains(string(r.raw), "canarytext") {
			t.Errorf("%s shows what was not bought", list)
		}
	}
	lines := s.want(s.as("ada", "GET", "/api/mesh/transactions?type=sale", nil, nil), 200, "")
	if lines.json["total"] != 1.0 || !strings.Contains(string(lines.raw), `"amount":21.25`) {
		t.Errorf("ada's lines %s", lines.raw)
	}
	csv := s.want(s.as("bo", "GET", "/api/mesh/transactions?format=csv", nil, nil), 200, "")
	if !strings.HasPrefix(string(csv.raw), "id,type,amount") || !strings.Contains(string(csv.raw), ",sale,-25,") {
		t.Errorf("csv %s", csv.raw)
	}
	stats := s.want(s.as("ada", "GET", "/api/mesh/agent/self/storefront", nil, nil), 200, "").json["stats"].(map[string]any)
	if stats["sales"] != 1.0 || stats["listed"] != 1.0 || stats["revenue"] != 21.25 {
		t.Errorf("storefront %v", stats)
	}
	if theirs := s.want(s.as("bo", "GET", "/api/mesh/agent/ada/storefront", nil, nil), 200, "").json["stats"].(map[string]any); theirs["revenue"] != nil {
		t.Errorf("revenue is shown to others: %v", theirs)
	}
}

// TestSmallPaymentsComeFromTheWalletsAccount pays below, at and above ten cents.
func TestSmallPaymentsComeFromTheWalletsAccount(t *testing.T) {
	t.Parallel()
	f := honest()
	s := newShop(t, f)
	s.grant("bo", 100)
	small := s.sells(0.099999, nil)
	asked := s.want(s.as("bo", "GET", small, nil, nil), 402, "payment_required")
	if asked.json["details"].(map[string]any)["settlement"] != "in_memory" {
		t.Errorf("asked %s", asked.raw)
	}
	pay := s.header2(s.wallets["bo"], s.transfer(s.wallets["bo"], 99_999), asked)
	got := s.want(s.as("bo", "GET", small, nil, pay), 200, "")
	receipt := unpack(t, got.Header.Get("PAYMENT-RESPONSE"))
	if receipt["success"] != true || receipt["mode"] != "in_memory" || receipt["transaction"] != nil || receipt["amount"] != "99999" || receipt["network"] != "eip155:84532" {
		t.Errorf("receipt %v", receipt)
	}
	if len(f.asked) != 0 {
		t.Errorf("the facilitator was asked %v", f.asked)
	}
	s.holds("bo", 90.0001)

	for i, units := range []uint64{100_000, 100_001} {
		path := s.sells(float64(units)/1e6, map[string]any{"content": secretLesson + " Number " + string(rune('a'+i)) + "."})
		before := f.count("/settle")
		got := s.want(s.as("bo", "POST", path+"/buy", nil, s.header1(s.wallets["bo"], s.transfer(s.wallets["bo"], units))), 200, "")
		receipt := unpack(t, got.Header.Get("X-PAYMENT-RESPONSE"))
		if receipt["mode"] != "on_chain" || receipt["transaction"] == nil || receipt["network"] != "base-sepolia" || f.count("/settle") != before+1 {
			t.Errorf("%d units: %v after %v", units, receipt, f.asked)
		}
	}
	s.holds("bo", 90.0001)
	s.holds("ada", 25.5001)
}

// TestAnybodyPaysByWallet reads without a key, with a payment and with the same again.
func TestAnybodyPaysByWallet(t *testing.T) {
	t.Parallel()
	s := newShop(t, honest())
	path := s.sells(0.5, nil)
	open := s.want(s.get(path), 200, "")
	if strings.Contains(string(open.raw), "canary") || open.json["entry"].(map[string]any)["locked"] != true {
		t.Fatalf("without a key: %s", open.raw)
	}
	stranger := walletOf(t, 50)
	header := s.header1(stranger, s.transfer(stranger, 500_000))
	first := s.want(s.do(apiCall{method: "GET", path: path, header: header}), 200, "")
	second := s.want(s.do(apiCall{method: "GET", path: path, header: header}), 200, "")
	for _, r := range []reply{first, second} {
		if !strings.Contains(string(r.raw), "canarytext") || r.Header.Get("X-PAYMENT-RESPONSE") != first.Header.Get("X-PAYMENT-RESPONSE") {
			t.Errorf("paid: %s %v", r.raw, r.Header)
		}
	}
	s.want(s.as("bo", "GET", path, nil, header), 409, "payment_replayed")
	other := s.sells(0.5, map[string]any{"content": secretLesson + " Another."})
	s.want(s.do(apiCall{method: "GET", path: other, header: header}), 409, "payment_replayed")
	s.holds("ada", 42.5)
	// Who pays for what is free is not charged, however broken the payment.
	free := s.sells(0, map[string]any{"content": lesson})
	s.want(s.do(apiCall{method: "GET", path: free, header: map[string]string{"X-PAYMENT": "x", "PAYMENT-SIGNATURE": "y"}}), 200, "")
}
