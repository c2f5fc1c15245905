package rest_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"

	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/market"
	"github.com/meshd/meshd/gateway/pay"
	"github.com/meshd/meshd/identity/wallet"
)

// facilitator answers as a test sets it, and counts what it is asked.
type facilitator struct {
	mu       sync.Mutex
	asked    []string // paths
	verify   func(w http.ResponseWriter, asked map[string]any)
	settle   func(w http.ResponseWriter, asked map[string]any)
	settled  map[string]string // transactions by nonce
	balances int64             // units that it would still send
}

// honest sends each nonce once, as a chain does.
func honest() *facilitator { return &facilitator{settled: map[string]string{}, balances: 1 << 60} }

func (f *facilitator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked map[string]any
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, r.URL.Path)
	sent := asked["paymentPayload"].(map[string]any)["payload"].(map[string]any)["authorization"].(map[string]any)
	switch {
	case r.URL.Path == "/verify" && f.verify != nil:
		f.verify(w, asked)
	case r.URL.Path == "/verify":
		say(w, map[string]any{"isValid": true, "payer": sent["from"]})
	case f.settle != nil:
		f.settle(w, asked)
	default:
		say(w, f.send(asked))
	}
}

// send is the answer of a chain to a transfer.
func (f *facilitator) send(asked map[string]any) map[string]any {
	need := asked["paymentRequirements"].(map[string]any)
	sent := asked["paymentPayload"].(map[string]any)["payload"].(map[string]any)["authorization"].(map[string]any)
	nonce := sent["nonce"].(string)
	if f.settled[nonce] != "" {
		return map[string]any{"success": false, "errorReason": "invalid_transaction_state", "transaction": "", "network": need["network"], "payer": sent["from"]}
	}
	f.settled[nonce] = "0x" + strconv.FormatInt(int64(len(f.settled)+1), 16) + nonce[2:50]
	return map[string]any{"success": true, "transaction": f.settled[nonce], "network": need["network"], "payer": sent["from"]}
}

func (f *facilitator) count(path string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.asked {
		if p == path {
			n++
		}
	}
	return n
}

func say(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// shop is a gateway that sells: ada writes, bo and cy have wallets and credits.
type shop struct {
	*world
	ids, keys map[string]string
	wallets   map[string]*wallet.Key
	treasury  *wallet.Key
	network   pay.Network
	market    market.Market
	nonces    byte
}

func newShop(t *testing.T, f *facilitator) *shop {
	t.Helper()
	s := &shop{ids: map[string]string{}, keys: map[string]string{}, wallets: map[string]*wallet.Key{}, treasury: walletOf(t, 99)}
	s.network, _ = pay.FindNetwork("base-sepolia")
	s.market = s.marketOf(t, f)
	s.world = newWorldWith(t, options{limits: limit.Config{Disabled: true}, market: s.market})
	for i, name := range []string{"ada", "bo", "cy"} {
		s.wallets[name] = walletOf(t, byte(i+1))
		a := s.registerWallet(name, s.wallets[name], "text")["agent"].(map[string]any)
		s.ids[name], s.keys[name] = a["id"].(string), a["api_key"].(string)
	}
	return s
}

// marketOf is the market of the shop with a facilitator, which may be nil.
func (s *shop) marketOf(t *testing.T, f *facilitator) market.Market {
	t.Helper()
	m := market.Market{FeeBPS: 1500, PayTo: s.treasury.Address(), Network: s.network}
	if f != nil {
		srv := httptest.NewServer(f)
		t.Cleanup(srv.Close)
		var err error
		m.Facilitator, err = pay.NewFacilitator(srv.URL)
		must(t, err)
		m.Treasury = s.treasury
	}
	return m
}

func (s *shop) as(who, method, path string, body map[string]any, header map[string]string) reply {
	s.t.Helper()
	c := apiCall{method: method, path: path, key: s.keys[who], header: header}
	if body != nil {
		c.body = encode(s.t, body)
	}
	return s.do(c)
}

func (s *shop) grant(who string, credits float64) {
	s.t.Helper()
	s.want(s.do(apiCall{method: "POST", path: "/api/admin/credits/grant", owner: s.ids["cy"],
		body: encode(s.t, map[string]any{"agent_id": s.ids[who], "amount": credits, "reason": "test"})}), 200, "")
}

func (s *shop) holds(who string, want float64) {
	s.t.Helper()
	if got := s.want(s.as(who, "GET", "/api/credits", nil, nil), 200, "").json["balance"]; got != want {
		s.t.Errorf("%s holds %v credits, want %v", who, got, want)
	}
}

// sells has ada write a paid entry and returns its path.
func (s *shop) sells(price float64, with map[string]any) string {
	s.t.Helper()
	body := map[string]any{"type": "gotcha", "content": secretLesson, "domain": "birds", "title": "How mines are left", "tags": []string{"mine"}, "price": price,
		"evidence": "canaryevidence of it", "source": "canarysource", "receipt": map[string]any{"x": "canaryreceipt"}, "metadata": map[string]any{"y": "canarymeta"}}
	for k, v := range with {
		body[k] = v
	}
	r := s.want(s.as("ada", "POST", "/api/mesh/contribute", body, nil), 201, "")
	return "/api/mesh/entry/" + r.json["id"].(string)
}

const secretLesson = "A canarytext sings in the mine, and when it stops singing everybody leaves at once."

// transfer is one that a wallet signs now for an amount.
func (s *shop) transfer(k *wallet.Key, units uint64) wallet.Transfer {
	s.nonces++
	at := uint64(s.clock.Now().Unix())
	return wallet.Transfer{From: k.Address(), To: s.treasury.Address(), Value: units, ValidAfter: at - 600, ValidBefore: at + 60, Nonce: [32]byte{s.nonces, 0xab}}
}

// payload is a signed transfer as clients send it.
func payload(t wallet.Transfer, signature string) map[string]any {
	return map[string]any{"signature": signature, "authorization": map[string]any{"from": t.From.String(), "to": t.To.String(),
		"value": strconv.FormatUint(t.Value, 10), "validAfter": strconv.FormatUint(t.ValidAfter, 10), "validBefore": strconv.FormatUint(t.ValidBefore, 10),
		"nonce": "0x" + encodeHex(t.Nonce[:])}}
}

func encodeHex(b []byte) string {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 2*len(b))
	for _, x := range b {
		out = append(out, digits[x>>4], digits[x&15])
	}
	return string(out)
}

func (s *shop) sign(k *wallet.Key, t wallet.Transfer) string {
	return hexed(k.SignDigest(t.Digest(s.network.Token)))
}

// header1 is a payment in version 1.
func (s *shop) header1(k *wallet.Key, t wallet.Transfer) map[string]string {
	return map[string]string{"X-PAYMENT": pack(s.t, map[string]any{"x402Version": 1, "scheme": "exact", "network": "base-sepolia", "payload": payload(t, s.sign(k, t))})}
}

// header2 is a payment in version 2 for what a reply of 402 asked.
func (s *shop) header2(k *wallet.Key, t wallet.Transfer, asked reply) map[string]string {
	s.t.Helper()
	return map[string]string{"PAYMENT-SIGNATURE": pack(s.t, s.object2(k, t, asked))}
}

func (s *shop) object2(k *wallet.Key, t wallet.Transfer, asked reply) map[string]any {
	s.t.Helper()
	need := unpack(s.t, asked.Header.Get("PAYMENT-REQUIRED"))
	return map[string]any{"x402Version": 2, "resource": need["resource"], "accepted": need["accepts"].([]any)[0], "payload": payload(t, s.sign(k, t))}
}

func pack(t testing.TB, v any) string {
	return base64.StdEncoding.EncodeToString([]byte(encode(t, v)))
}

func unpack(t testing.TB, text string) map[string]any {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	must(t, err)
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatalf("%q is no payment object: %v", text, err)
	}
	return m
}
