package rest_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/service"
	"github.com/meshd/meshd/gateway/service/servicetest"
)

// TestNothingPaidReachesWhoHasNotPaid sells an entry with a word in every field that
// is withheld, and looks for the words in every byte of every reply to a holder of a
// key who has not bought it.
func TestNothingPaidReachesWhoHasNotPaid(t *testing.T) {
	t.Parallel()
	s := newShop(t, honest())
	path := s.sells(0.5, nil)
	id := strings.TrimPrefix(path, "/api/mesh/entry/")
	words := []string{"canary", "sings in the mine"}
	calls := []apiCall{}
	for p, item := range s.get("/openapi.json").json["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			c := apiCall{method: strings.ToUpper(method), path: strings.ReplaceAll(p, "{id}", id)}
			if strings.HasPrefix(p, "/api/mesh/agent/") {
				c.path = strings.ReplaceAll(p, "{id}", s.ids["ada"])
			}
			// These end what is looked for, or the key that looks for it.
			if c.method == "GET" || c.method == "POST" && !strings.Contains(p, "key") && !strings.Contains(p, "buy") {
				calls = append(calls, c)
			}
		}
	}
	for _, p := range []string{path + "?wait=1", "/api/mesh/feed?q=canarytext", "/api/mesh/feed?premium=true", "/api/mesh/feed?format=atom", "/api/mesh/feed?format=jsonfeed",
		"/api/mesh/search?q=canarytext", "/api/mesh/search?q=mines", "/api/mesh/marketplace?sort=sales", "/api/mesh/marketplace?max_price=1",
		"/api/mesh/agent/ada/storefront?sort=price", "/entry/" + id, "/feed", "/"} {
		calls = append(calls, apiCall{method: "GET", path: p})
	}
	for tool, args := range map[string]map[string]any{"query_knowledge": {"query": "canarytext"}, "get_feed": {}, "get_entry": {"id": id}, "get_overview": {}, "get_agent": {"id": "ada"},
		"verify_entry": {"id": id}, "check_knowledge": {"type": "gotcha", "content": lesson}} {
		calls = append(calls, apiCall{method: "POST", path: "/mcp", header: map[string]string{"Accept": "application/json, text/event-stream"},
			body: encode(t, map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args}})})
	}
	calls = append(calls, apiCall{method: "POST", path: "/mcp", header: map[string]string{"Accept": "application/json, text/event-stream"},
		body: encode(t, map[string]any{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": map[string]any{"uri": "mesh://entry/" + id}})})
	shown := 0
	for _, c := range calls {
		for _, key := range []string{"", s.keys["bo"]} {
			c.key = key
			if c.path == "/api/mesh/events" || c.path == "/api/mesh/me/events" || strings.Contains(c.path, "/live") || strings.HasSuffix(c.path, "/ws") || strings.Contains(c.path, "/team/") {
				continue // streams; what an event may contain is a table in journal, and a text is not in it
			}
			r := s.do(c)
			for _, word := range words {
				if strings.Contains(strings.ToLower(string(r.raw)+fmt.Sprint(r.Header)), word) && !strings.Contains(c.path+c.body, word) {
					t.Errorf("%s %s %s shows %q: %s", c.method, c.path, c.body, word, r.raw)
				}
			}
			if strings.Contains(string(r.raw), id) {
				shown++
			}
		}
	}
	if shown < 10 {
		t.Errorf("only %d replies showed the entry at all", shown)
	}
	// Nor is a search for its words an oracle.
	for _, p := range []string{"/api/mesh/search?q=", "/api/mesh/feed?q="} {
		a := strings.ReplaceAll(string(s.as("bo", "GET", p+"canarytext", nil, nil).raw), "canarytext", "")
		b := strings.ReplaceAll(string(s.as("bo", "GET", p+"nowhereword", nil, nil).raw), "nowhereword", "")
		if a != b {
			t.Errorf("%s reveals %s", p, a)
		}
	}
	// The change that every node gets contains the hash alone.
	e, err := s.mesh.FindAgent(t.Context(), "ada")
	must(t, err)
	front := s.want(s.as("ada", "GET", "/api/mesh/agent/"+e.ID.String()+"/storefront", nil, nil), 200, "")
	if !strings.Contains(string(front.raw), "canarytext") {
		t.Error("the author does not see the own text")
	}
	for _, planted := range s.mesh.All() {
		if b := planted.Body; b.Price > 0 && (b.Text != "" || b.Evidence != nil || b.Source != "" || b.Receipt != nil || b.Meta != nil || !b.ReceiptSHA.IsZero() || b.Hash.IsZero()) {
			t.Errorf("the log holds %+v", b)
		}
	}
}

// TestFacilitatorThatLies settles nothing that it cannot show.
func TestFacilitatorThatLies(t *testing.T) {
	t.Parallel()
	f := honest()
	s := newShop(t, f)
	stranger := walletOf(t, 50)
	for i, c := range []struct {
		name   string
		verify map[string]any
		settle func(honest map[string]any) map[string]any
		status int
		code   string
	}{
		{"not valid", map[string]any{"isValid": false, "invalidReason": "insufficient_funds"}, nil, 402, "insufficient_funds"},
		{"bad signature", map[string]any{"isValid": false, "invalidReason": "invalid_exact_evm_payload_signature"}, nil, 402, "payment_signature"},
		{"no word", map[string]any{}, nil, 503, "settlement_unavailable"},
		{"refuses", nil, func(map[string]any) map[string]any {
			return map[string]any{"success": false, "errorReason": "invalid_transaction_state"}
		}, 402, "settlement_failed"},
		{"another amount", nil, func(m map[string]any) map[string]any { m["amount"] = "1"; return m }, 504, "settlement_unknown"},
		{"another network", nil, func(m map[string]any) map[string]any { m["network"] = "base"; return m }, 504, "settlement_unknown"},
		{"another payer", nil, func(m map[string]any) map[string]any { m["payer"] = s.treasury.Address().String(); return m }, 504, "settlement_unknown"},
		{"no transaction", nil, func(m map[string]any) map[string]any { m["transaction"] = ""; return m }, 504, "settlement_unknown"},
	} {
		path := s.sells(0.5, map[string]any{"content": secretLesson + " Case " + string(rune('a'+i)) + "."})
		f.verify, f.settle = nil, nil
		if c.verify != nil {
			f.verify = func(w http.ResponseWriter, _ map[string]any) { say(w, c.verify) }
		}
		if c.settle != nil {
			f.settle = func(w http.ResponseWriter, asked map[string]any) { say(w, c.settle(f.send(asked))) }
		}
		header := s.header1(stranger, s.transfer(stranger, 500_000))
		r := s.want(s.as("bo", "GET", path, nil, header), c.status, c.code)
		if strings.Contains(string(r.raw), "canary") || r.Header.Get("X-PAYMENT-RESPONSE") != "" {
			t.Errorf("%s: %s", c.name, r.raw)
		}
		s.want(s.as("bo", "GET", path, nil, nil), 402, "payment_required")
		if c.code == "settlement_unknown" { // nothing else is taken for it meanwhile
			s.want(s.as("bo", "GET", path, nil, s.header1(stranger, s.transfer(stranger, 500_000))), 409, "idempotency_in_progress")
		}
	}
	s.holds("ada", 0)
}

// TestOneTransactionPaysOnce: a facilitator that names the transaction of another
// payment has shown nothing.
func TestOneTransactionPaysOnce(t *testing.T) {
	t.Parallel()
	f := honest()
	s := newShop(t, f)
	f.settle = func(w http.ResponseWriter, asked map[string]any) {
		m := f.send(asked)
		m["transaction"] = "0xabcd"
		say(w, m)
	}
	stranger := walletOf(t, 50)
	first, second := s.sells(0.5, nil), s.sells(0.5, map[string]any{"content": secretLesson + " Another."})
	s.want(s.as("bo", "GET", first, nil, s.header1(stranger, s.transfer(stranger, 500_000))), 200, "")
	s.want(s.as("bo", "GET", second, nil, s.header1(stranger, s.transfer(stranger, 500_000))), 504, "settlement_unknown")
	s.holds("ada", 42.5)
}

// TestPaymentOutlivesTheProcess: the facilitator sends the transfer, the answer is
// lost, the process ends. The next one asks again and delivers the entry; the money
// is booked once.
func TestPaymentOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	f := honest()
	s := newShop(t, f)
	path := s.sells(0.5, nil)
	stranger := walletOf(t, 50)
	f.settle = func(w http.ResponseWriter, _ map[string]any) { w.WriteHeader(http.StatusGatewayTimeout) }
	header := s.header1(stranger, s.transfer(stranger, 500_000))
	unknown := s.want(s.as("bo", "GET", path, nil, header), 504, "settlement_unknown")
	if unknown.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	f.settle = nil
	again := s.another(t)
	must(t, again.Market.ReconcilePayments(t.Context(), slog.New(slog.DiscardHandler)))
	got := s.want(s.as("bo", "GET", path, nil, nil), 200, "")
	if !strings.Contains(string(got.raw), "canarytext") {
		t.Errorf("%s", got.raw)
	}
	for range 2 {
		s.want(s.as("bo", "GET", path, nil, header), 200, "")
		must(t, again.Market.ReconcilePayments(t.Context(), slog.New(slog.DiscardHandler)))
	}
	s.holds("ada", 42.5)
}

// another is a second process over the same state.
func (s *shop) another(t *testing.T) *service.Service {
	t.Helper()
	return servicetest.NewServiceWith(t, s.mesh, s.state, limit.Config{Disabled: true}, service.Config{Version: "1.2.3", Market: s.market, Now: s.clock.Now})
}

// TestManyPayAtOnce sends one payment many times, and many payments of one buyer:
// one is sent to the chain, and one is booked.
func TestManyPayAtOnce(t *testing.T) {
	t.Parallel()
	f := honest()
	s := newShop(t, f)
	s.grant("bo", 1000)
	stranger := walletOf(t, 50)
	for i, usd := range []float64{0.05, 0.5} {
		path := s.sells(usd, map[string]any{"content": secretLesson + " Round " + string(rune('a'+i)) + "."})
		k := s.wallets["bo"]
		if usd > 0.1 {
			k = stranger
		}
		one := s.header1(k, s.transfer(k, uint64(usd*1e6)))
		headers := []map[string]string{one, one, one, nil, nil}
		for range 3 {
			headers = append(headers, s.header1(k, s.transfer(k, uint64(usd*1e6))))
		}
		before := f.count("/settle")
		var wg sync.WaitGroup
		replies := make([]reply, len(headers))
		for j, h := range headers {
			wg.Go(func() { replies[j] = s.as("bo", "POST", path+"/buy", nil, h) })
		}
		wg.Wait()
		good := 0
		for _, r := range replies {
			switch {
			case r.StatusCode == 200:
				good++
			case !slices.Contains([]string{"idempotency_in_progress", "payment_replayed"}, r.code()):
				t.Errorf("%g USD: %s", usd, r.raw)
			}
		}
		if sent := f.count("/settle") - before; good == 0 || sent > 1 || usd < 0.1 && sent > 0 {
			t.Errorf("%g USD: %d were served, %d transfers were sent", usd, good, sent)
		}
		if r := s.want(s.as("ada", "GET", "/api/mesh/transactions?type=sale", nil, nil), 200, ""); r.json["total"] != float64(i+1) {
			t.Errorf("%g USD: %s", usd, r.raw)
		}
	}
}

// TestForgedWalletsGetNothing: without a key a payment's signature alone says who
// has bought.
func TestForgedWalletsGetNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t, honest())
	path := s.sells(0.5, nil)
	buyer, thief := walletOf(t, 50), walletOf(t, 51)
	s.want(s.do(apiCall{method: "GET", path: path, header: s.header1(buyer, s.transfer(buyer, 500_000))}), 200, "")
	for name, victim := range map[string]func() map[string]string{
		"of a buyer": func() map[string]string {
			tr := s.transfer(buyer, 500_000)
			return map[string]string{"X-PAYMENT": pack(t, map[string]any{"x402Version": 1, "scheme": "exact", "network": "base-sepolia", "payload": payload(tr, s.sign(thief, tr))})}
		},
		"of the author": func() map[string]string {
			tr := s.transfer(s.wallets["ada"], 500_000)
			return map[string]string{"X-PAYMENT": pack(t, map[string]any{"x402Version": 1, "scheme": "exact", "network": "base-sepolia", "payload": payload(tr, s.sign(thief, tr))})}
		},
		"of a contract": func() map[string]string {
			tr := s.transfer(buyer, 500_000)
			return map[string]string{"X-PAYMENT": pack(t, map[string]any{"x402Version": 1, "scheme": "exact", "network": "base-sepolia", "payload": payload(tr, "0x"+strings.Repeat("ab", 90))})}
		},
	} {
		r := s.want(s.do(apiCall{method: "GET", path: path, header: victim()}), 402, "payment_signature")
		if strings.Contains(string(r.raw), "canary") {
			t.Errorf("%s: %s", name, r.raw)
		}
	}
	s.holds("ada", 42.5)
}

// TestEditedEntryStaysBought: who bought one version has the next.
func TestEditedEntryStaysBought(t *testing.T) {
	t.Parallel()
	s := newShop(t, nil)
	s.grant("bo", 100)
	path := s.sells(0.25, nil)
	s.want(s.as("bo", "POST", path+"/buy", nil, nil), 200, "")
	edited := s.want(s.as("ada", "PATCH", path, map[string]any{"content": secretLesson + " It is told on."}, nil), 200, "")
	next := "/api/mesh/entry/" + edited.json["id"].(string)
	got := s.want(s.as("bo", "GET", next, nil, nil), 200, "").json["entry"].(map[string]any)
	if got["content"] != secretLesson+" It is told on." || got["price"] != 0.25 || got["source"] != "canarysource" {
		t.Errorf("edited %v", got)
	}
	s.want(s.as("cy", "GET", next, nil, nil), 402, "insufficient_credits")
	if r := s.want(s.as("bo", "POST", next+"/buy", nil, nil), 200, ""); r.json["already_owned"] != true {
		t.Errorf("%s", r.raw)
	}
	s.holds("bo", 75)
}

// TestCreditsComeAndGo buys a package over the chain, earns, and is paid out.
func TestCreditsComeAndGo(t *testing.T) {
	t.Parallel()
	f := honest()
	s := newShop(t, f)
	prices := s.want(s.get("/api/credits/prices"), 200, "").json
	if prices["purchase"] != true || prices["withdraw"] != true || len(prices["packages"].([]any)) != 4 || prices["fee_bps"] != 1500.0 {
		t.Errorf("prices %v", prices)
	}
	buy := map[string]any{"package": "500"}
	asked := s.want(s.as("bo", "POST", "/api/credits/purchase", buy, nil), 402, "payment_required")
	header := s.header2(s.wallets["bo"], s.transfer(s.wallets["bo"], 5_000_000), asked)
	for range 2 {
		r := s.want(s.as("bo", "POST", "/api/credits/purchase", buy, header), 200, "")
		if r.json["balance"] != 500.0 || r.Header.Get("PAYMENT-RESPONSE") == "" {
			t.Errorf("purchase %s", r.raw)
		}
	}
	if f.count("/settle") != 1 {
		t.Errorf("asked %v", f.asked)
	}
	path := s.sells(4, nil)
	check := s.want(s.as("bo", "POST", "/api/credits/check", map[string]any{"operation": strings.TrimPrefix(path, "/api/mesh/entry/")}, nil), 200, "").json
	if check["ok"] != true || check["price"] != 400.0 || check["balance"] != 500.0 {
		t.Errorf("check %v", check)
	}
	s.want(s.as("bo", "POST", path+"/buy", nil, nil), 200, "")
	account := s.want(s.as("bo", "GET", "/api/credits", nil, nil), 200, "").json
	if account["balance"] != 100.0 || encode(t, account["lifetime"]) != `{"purchased":500,"spent":400}` {
		t.Errorf("account %v", account)
	}
	// What was bought is not paid out, what was earned is.
	s.want(s.as("bo", "POST", "/api/credits/withdraw", map[string]any{"amount": 1}, nil), 402, "insufficient_credits")
	s.holds("bo", 100)
	s.want(s.as("ada", "POST", "/api/credits/withdraw", map[string]any{"amount": 0.5}, nil), 422, "validation_failed")
	f.settle = func(w http.ResponseWriter, _ map[string]any) {
		say(w, map[string]any{"success": false, "errorReason": "insufficient_funds"})
	}
	s.want(s.as("ada", "POST", "/api/credits/withdraw", map[string]any{"amount": 3}, nil), 402, "settlement_failed")
	s.holds("ada", 340)
	var paid map[string]any
	f.settle = func(w http.ResponseWriter, asked map[string]any) {
		paid = asked["paymentPayload"].(map[string]any)["payload"].(map[string]any)["authorization"].(map[string]any)
		say(w, f.send(asked))
	}
	r := s.want(s.as("ada", "POST", "/api/credits/withdraw", map[string]any{"amount": 3}, nil), 200, "")
	if r.json["balance"] != 40.0 || paid["to"] != s.wallets["ada"].Address().String() || paid["from"] != s.treasury.Address().String() || paid["value"] != "3000000" {
		t.Errorf("paid out %s as %v", r.raw, paid)
	}
	s.want(s.as("ada", "POST", "/api/credits/withdraw", map[string]any{"amount": 1}, nil), 402, "insufficient_credits")
	// A lost answer keeps the amount aside until it is known.
	f.settle = func(w http.ResponseWriter, _ map[string]any) { w.WriteHeader(http.StatusBadGateway) }
	s.sellsTo(t, "ada", "cy")
}

// sellsTo leaves a payout of a seller open and checks that its amount is neither here
// nor there.
func (s *shop) sellsTo(t *testing.T, seller, buyer string) {
	t.Helper()
	s.grant(buyer, 200)
	path := s.sells(2, map[string]any{"content": secretLesson + " The last one."})
	s.want(s.as(buyer, "POST", path+"/buy", nil, nil), 200, "")
	s.want(s.as(seller, "POST", "/api/credits/withdraw", map[string]any{"amount": 2}, nil), 504, "settlement_unknown")
	account := s.want(s.as(seller, "GET", "/api/credits", nil, nil), 200, "").json
	if account["balance"] != 10.0 || account["reserved"] != 200.0 {
		t.Errorf("account %v", account)
	}
}

// TestMarketplaceSortsAndFilters pages through what is sold.
func TestMarketplaceSortsAndFilters(t *testing.T) {
	t.Parallel()
	s := newShop(t, nil)
	s.grant("bo", 1000)
	var ids []string
	for i, usd := range []float64{2, 0.5, 1} {
		path := s.sells(usd, map[string]any{"content": secretLesson + " Number " + string(rune('a'+i)) + ".", "domain": []string{"go", "birds", "go"}[i]})
		ids = append(ids, strings.TrimPrefix(path, "/api/mesh/entry/"))
		s.clock.Add(time.Minute)
	}
	s.sells(0, map[string]any{"content": lesson})
	s.want(s.as("bo", "POST", "/api/mesh/entry/"+ids[2]+"/buy", nil, nil), 200, "")
	for query, want := range map[string][]int{"": {2, 1, 0}, "sort=price": {1, 2, 0}, "sort=sales": {2, 0, 1}, "domain=go&sort=price": {2, 0}, "min_price=1&sort=price": {2, 0},
		"max_price=0.5": {1}, "type=wisdom": {}, "sort=price&limit=1": {1, 2, 0}} {
		var got []string
		page := "/api/mesh/marketplace?" + query
		for range 5 {
			r := s.want(s.get(page), 200, "")
			for _, e := range r.json["entries"].([]any) {
				m := e.(map[string]any)
				got = append(got, m["id"].(string))
				if m["salesCount"] == nil || m["authorTier"] == nil || m["locked"] != true {
					t.Errorf("%s: %v", query, m)
				}
			}
			next, more := r.json["next_cursor"].(string)
			if !more {
				break
			}
			page = "/api/mesh/marketplace?" + query + "&cursor=" + next
		}
		names := []string{}
		for _, i := range want {
			names = append(names, ids[i])
		}
		if query == "sort=sales" { // the two without a sale stand by id
			slices.Sort(names[1:])
			slices.Sort(got[1:])
		}
		if !slices.Equal(got, names) && len(got)+len(names) > 0 {
			t.Errorf("%q: %v, want %v", query, got, names)
		}
	}
	s.want(s.get("/api/mesh/marketplace?max_price=2000"), 400, "invalid_param")
	s.want(s.get("/api/mesh/agent/nobody/storefront"), 404, "agent_not_found")
}

// TestToolTakesAPayment reads a paid entry over MCP: it is asked for a payment, and
// gets a receipt for it.
func TestToolTakesAPayment(t *testing.T) {
	t.Parallel()
	s := newShop(t, honest())
	id := strings.TrimPrefix(s.sells(0.5, nil), "/api/mesh/entry/")
	stranger := walletOf(t, 50)
	ask := func(meta map[string]any) map[string]any {
		params := map[string]any{"name": "get_entry", "arguments": map[string]any{"id": id}}
		if meta != nil {
			params["_meta"] = meta
		}
		r := s.as("bo", "POST", "/mcp", map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
			map[string]string{"Accept": "application/json, text/event-stream"})
		return s.want(r, 200, "").json["result"].(map[string]any)
	}
	asked := ask(nil)["structuredContent"].(map[string]any)
	if asked["x402Version"] != 2.0 || asked["code"] != "payment_required" || asked["resource"].(map[string]any)["url"] != "mcp://tool/get_entry" || len(asked["accepts"].([]any)) != 1 {
		t.Fatalf("asked %v", asked)
	}
	tr := s.transfer(stranger, 500_000)
	got := ask(map[string]any{"x402/payment": map[string]any{"x402Version": 2, "resource": asked["resource"], "accepted": asked["accepts"].([]any)[0], "payload": payload(tr, s.sign(stranger, tr))}})
	receipt, _ := got["_meta"].(map[string]any)["x402/payment-response"].(map[string]any)
	if got["isError"] == true || receipt["success"] != true || receipt["mode"] != "on_chain" || !strings.Contains(encode(t, got["structuredContent"]), "canarytext") {
		t.Errorf("paid %v", got)
	}
}
