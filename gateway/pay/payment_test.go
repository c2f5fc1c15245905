package pay

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/wallet"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func keyOf(t testing.TB, n byte) *wallet.Key {
	t.Helper()
	k, err := wallet.KeyFromSecret([32]byte(bytes.Repeat([]byte{n}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// offerOf is an entry for half a dollar, on base-sepolia.
func offerOf(t testing.TB, units int64) Offer {
	t.Helper()
	n, ok := FindNetwork("base-sepolia")
	if !ok {
		t.Fatal("no base-sepolia")
	}
	return Offer{Resource: "https://mesh.test/e", Description: "premium entry", Terms: []Terms{{n, units, keyOf(t, 9).Address()}}}
}

// transferOf is one that pays it.
func transferOf(t testing.TB, o Offer) wallet.Transfer {
	t.Helper()
	return wallet.Transfer{From: keyOf(t, 1).Address(), To: o.Terms[0].PayTo, Value: uint64(o.Terms[0].Amount),
		ValidAfter: uint64(noon.Add(-time.Hour).Unix()), ValidBefore: uint64(noon.Add(time.Minute).Unix()), Nonce: [32]byte{7}}
}

type object = map[string]any

// objectOf is the payment as a client writes it.
func objectOf(t testing.TB, o Offer, version int, tr wallet.Transfer) object {
	t.Helper()
	sig := keyOf(t, 1).SignDigest(tr.Digest(o.Terms[0].Network.Token))
	body := object{"signature": "0x" + hex.EncodeToString(sig[:]), "authorization": object{"from": tr.From.String(), "to": tr.To.String(),
		"value": strconv.FormatUint(tr.Value, 10), "validAfter": strconv.FormatUint(tr.ValidAfter, 10), "validBefore": strconv.FormatUint(tr.ValidBefore, 10),
		"nonce": "0x" + hex.EncodeToString(tr.Nonce[:])}}
	if version == 1 {
		return object{"x402Version": 1, "scheme": "exact", "network": o.Terms[0].Network.Name, "payload": body}
	}
	var accepted object
	raw, err := json.Marshal(o.Terms[0].v2())
	if err == nil {
		err = json.Unmarshal(raw, &accepted)
	}
	if err != nil {
		t.Fatal(err)
	}
	return object{"x402Version": 2, "resource": object{"url": o.Resource}, "accepted": accepted, "payload": body}
}

func offeredAs(t testing.TB, version int, payment any) Offered {
	t.Helper()
	raw, err := json.Marshal(payment)
	if err != nil {
		t.Fatal(err)
	}
	name := map[int]string{1: "x-payment", 2: "payment-signature"}[version]
	h := http.Header{}
	h.Set(name, base64.StdEncoding.EncodeToString(raw))
	return FromHeaders(h)
}

func TestGoodPaymentsPass(t *testing.T) {
	t.Parallel()
	for _, version := range []int{1, 2} {
		for _, units := range []int64{1, 99_999, 100_000, 100_001, 1_000_000_000} {
			o := offerOf(t, units)
			p, err := offeredAs(t, version, objectOf(t, o, version, transferOf(t, o))).Read()
			if err != nil {
				t.Fatal(err)
			}
			terms, err := p.Check(o, noon)
			if err != nil || terms.InMemory() != (units < 100_000) {
				t.Errorf("version %d, %d units: in memory %t, %v", version, units, terms.InMemory(), err)
			}
			again, err := FromObject(p.Raw).Read()
			if err != nil || again.Transfer != p.Transfer {
				t.Errorf("what is kept does not read: %v", err)
			}
		}
	}
}

// TestPaymentsAreJudgedInOrder spoils a payment in one way after another, from the
// last check to the first: each time the earlier code is the one returned.
func TestPaymentsAreJudgedInOrder(t *testing.T) {
	t.Parallel()
	for _, version := range []int{1, 2} {
		o := offerOf(t, 500_000)
		p := objectOf(t, o, version, transferOf(t, o))
		body := p["payload"].(object)
		a := body["authorization"].(object)
		check := func(want reason.Code) {
			t.Helper()
			read, err := offeredAs(t, version, p).Read()
			if err == nil {
				_, err = read.Check(o, noon)
			}
			if got := reason.Of(err); got != want {
				t.Errorf("version %d: %q, want %q", version, got, want)
			}
		}
		check("")
		sig := body["signature"].(string)
		body["signature"] = sig[:20] + "0" + sig[21:]
		if sig[20] == '0' {
			body["signature"] = sig[:20] + "1" + sig[21:]
		}
		check(reason.PaymentSignature)
		a["validBefore"] = strconv.FormatInt(noon.Add(6*time.Second).Unix(), 10)
		check(reason.PaymentExpired)
		a["value"] = "500001"
		check(reason.PaymentAmount)
		if version == 1 {
			p["scheme"] = "upto"
		} else {
			p["accepted"].(object)["scheme"] = "upto"
		}
		check(reason.PaymentUnsupported)
		a["nonce"] = "0x12"
		check(reason.PaymentMalformed)
	}
}

func TestPaymentsMustMeetTheirTerms(t *testing.T) {
	t.Parallel()
	o := offerOf(t, 500_000)
	at := func(d time.Duration) uint64 { return uint64(noon.Add(d).Unix()) }
	for name, c := range map[string]struct {
		change func(tr *wallet.Transfer)
		want   reason.Code
	}{
		"less":                {func(tr *wallet.Transfer) { tr.Value-- }, reason.PaymentAmount},
		"more":                {func(tr *wallet.Transfer) { tr.Value++ }, reason.PaymentAmount},
		"of all there is":     {func(tr *wallet.Transfer) { tr.Value = 1<<64 - 1 }, reason.PaymentAmount},
		"to another":          {func(tr *wallet.Transfer) { tr.To[0]++ }, reason.PaymentAmount},
		"of another":          {func(tr *wallet.Transfer) { tr.From[0]++ }, reason.PaymentSignature},
		"ends in 6 s":         {func(tr *wallet.Transfer) { tr.ValidBefore = at(6 * time.Second) }, reason.PaymentExpired},
		"ends in 7 s":         {func(tr *wallet.Transfer) { tr.ValidBefore = at(7 * time.Second) }, ""},
		"ends in an hour":     {func(tr *wallet.Transfer) { tr.ValidBefore = at(time.Hour) }, ""},
		"ends later":          {func(tr *wallet.Transfer) { tr.ValidBefore = at(time.Hour + time.Second) }, reason.PaymentExpired},
		"never ends":          {func(tr *wallet.Transfer) { tr.ValidBefore = 1<<64 - 1 }, reason.PaymentExpired},
		"begins now":          {func(tr *wallet.Transfer) { tr.ValidAfter = at(0) }, ""},
		"begins in a second":  {func(tr *wallet.Transfer) { tr.ValidAfter = at(time.Second) }, reason.PaymentExpired},
		"begins with the era": {func(tr *wallet.Transfer) { tr.ValidAfter = 0 }, ""},
	} {
		for _, version := range []int{1, 2} {
			tr := transferOf(t, o)
			c.change(&tr)
			p, err := offeredAs(t, version, objectOf(t, o, version, tr)).Read()
			if err != nil {
				t.Fatal(err)
			}
			if _, err = p.Check(o, noon); reason.Of(err) != c.want {
				t.Errorf("version %d, %s: %v, want %q", version, name, err, c.want)
			}
		}
	}
	p, err := offeredAs(t, 1, objectOf(t, o, 1, transferOf(t, o))).Read()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Check(Offer{}, noon); reason.Of(err) != reason.PaymentUnsupported {
		t.Errorf("where nothing is offered: %v", err)
	}
	// The same transfer on another chain is another transfer.
	base, _ := FindNetwork("base")
	other := o
	other.Terms = []Terms{{base, 500_000, o.Terms[0].PayTo}}
	p.Network = "base"
	if _, err := p.Check(other, noon); reason.Of(err) != reason.PaymentSignature {
		t.Errorf("on another chain: %v", err)
	}
}

// A second signature of the same transfer, with a high s, is none.
func TestHighSignaturesAreRefused(t *testing.T) {
	t.Parallel()
	o := offerOf(t, 500_000)
	p, err := offeredAs(t, 1, objectOf(t, o, 1, transferOf(t, o))).Read()
	if err != nil {
		t.Fatal(err)
	}
	order, _ := hex.DecodeString("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
	high, borrow := make([]byte, 32), 0
	for i := 31; i >= 0; i-- {
		d := int(order[i]) - int(p.Signature[32+i]) - borrow
		borrow = 0
		if d < 0 {
			d, borrow = d+256, 1
		}
		high[i] = byte(d)
	}
	copy(p.Signature[32:64], high)
	p.Signature[64] = 27 + 28 - p.Signature[64]
	if _, err := p.Check(o, noon); reason.Of(err) != reason.PaymentSignature {
		t.Errorf("a high s: %v", err)
	}
}

func TestContractWalletsNeedAChain(t *testing.T) {
	t.Parallel()
	for units, want := range map[int64]reason.Code{99_999: reason.PaymentSignature, 100_000: ""} {
		o := offerOf(t, units)
		m := objectOf(t, o, 2, transferOf(t, o))
		m["payload"].(object)["signature"] = "0x" + strings.Repeat("ab", 100)
		p, err := offeredAs(t, 2, m).Read()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Check(o, noon); reason.Of(err) != want || !p.ByContract() {
			t.Errorf("%d units: %v", units, err)
		}
	}
}

func TestMalformedPaymentsAreRefused(t *testing.T) {
	t.Parallel()
	o := offerOf(t, 500_000)
	good := func() object { return objectOf(t, o, 1, transferOf(t, o)) }
	set := func(path string, v any) object {
		m := good()
		at, names := m, strings.Split(path, ".")
		for _, n := range names[:len(names)-1] {
			at = at[n].(object)
		}
		at[names[len(names)-1]] = v
		return m
	}
	for name, m := range map[string]any{
		"list": []any{good()}, "text": "x", "nothing": object{}, "version 3": set("x402Version", 3), "no version": set("x402Version", nil),
		"an unknown key": set("tip", 1), "an unknown key within": set("payload.tip", 1), "an unknown term": set("payload.authorization.tip", 1),
		"a number for a text": set("payload.authorization.value", 500_000), "a negative value": set("payload.authorization.value", "-1"),
		"a value in hex": set("payload.authorization.value", "0x7a120"), "leading zeros": set("payload.authorization.value", "0500000"), "a plus": set("payload.authorization.value", "+500000"),
		"too large": set("payload.authorization.value", "18446744073709551616"), "a fraction": set("payload.authorization.value", "1.5"),
		"a short nonce": set("payload.authorization.nonce", "0x"+strings.Repeat("00", 31)), "a long nonce": set("payload.authorization.nonce", "0x"+strings.Repeat("00", 33)),
		"a nonce without 0x": set("payload.authorization.nonce", strings.Repeat("00", 32)), "a short address": set("payload.authorization.from", "0x12"),
		"a wrong checksum": set("payload.authorization.to", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914"), "no signature": set("payload.signature", "0x"),
		"a huge signature": set("payload.signature", "0x"+strings.Repeat("00", maxSignature+1)), "huge": set("scheme", strings.Repeat("x", maxHeader)),
	} {
		if _, err := offeredAs(t, 1, m).Read(); reason.Of(err) != reason.PaymentMalformed {
			t.Errorf("%s: %v", name, err)
		}
	}
	raw, _ := json.Marshal(good())
	for len(raw)%3 == 0 { // so that it is padded
		raw = append(raw, ' ')
	}
	text := base64.StdEncoding.EncodeToString(raw)
	for name, h := range map[string]http.Header{
		"both":           {"X-Payment": {text}, "Payment-Signature": {text}},
		"twice":          {"X-Payment": {text, text}},
		"not base64":     {"X-Payment": {"{}"}},
		"url base64":     {"X-Payment": {base64.URLEncoding.EncodeToString([]byte("\xff\xfe\xfd"))}},
		"no padding":     {"X-Payment": {strings.TrimRight(text, "=")}},
		"another header": {"Payment-Signature": {text}},
		"a key twice":    {"X-Payment": {base64.StdEncoding.EncodeToString(append([]byte(`{"x402Version":1,`), raw[1:]...))}},
		"two objects":    {"X-Payment": {base64.StdEncoding.EncodeToString(append(raw, raw...))}},
		"empty":          {"X-Payment": {""}},
	} {
		if _, err := FromHeaders(h).Read(); reason.Of(err) != reason.PaymentMalformed {
			t.Errorf("%s: %v", name, err)
		}
	}
	if m := set("x402Version", "1"); true { // as some clients write it
		if _, err := offeredAs(t, 1, m).Read(); err != nil {
			t.Errorf("a version that is a text: %v", err)
		}
	}
}

func TestBothVersionsAskTheSame(t *testing.T) {
	t.Parallel()
	o := offerOf(t, 500_000)
	text, err := o.Header("due")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	var two Required2
	if err := json.Unmarshal(raw, &two); err != nil {
		t.Fatal(err)
	}
	one := o.Accepts1()[0]
	if len(two.Accepts) != 1 || two.X402Version != 2 || two.Accepts[0].Amount != one.MaxAmountRequired || two.Accepts[0].PayTo != one.PayTo || two.Accepts[0].Asset != one.Asset ||
		two.Accepts[0].Extra != one.Extra || two.Resource.URL != one.Resource || two.Accepts[0].Network != "eip155:84532" || one.Network != "base-sepolia" || one.MaxTimeoutSeconds != 60 {
		t.Errorf("%+v and %+v", one, two)
	}
	if none, _ := json.Marshal(Offer{}.Accepts1()); string(none) != "[]" {
		t.Errorf("no way to pay is %s", none)
	}
}

// FuzzPayment reads anything; what it takes for a payment reads the same from what
// is kept of it, and passes no check that its signature does not.
func FuzzPayment(f *testing.F) {
	o := offerOf(f, 500_000)
	for _, version := range []int{1, 2} {
		raw, err := json.Marshal(objectOf(f, o, version, transferOf(f, o)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Add([]byte(`{"x402Version":1}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := FromObject(raw).Read()
		if err != nil {
			if reason.Of(err) != reason.PaymentMalformed {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		again, err := FromObject(p.Raw).Read()
		if err != nil || again.Transfer != p.Transfer || !bytes.Equal(again.Signature, p.Signature) {
			t.Fatalf("kept as %s, which reads as %+v, %v", p.Raw, again, err)
		}
		if _, err := p.Check(o, noon); err == nil && !p.ByContract() {
			if who, err := wallet.Recover(p.Transfer.Digest(o.Terms[0].Network.Token), p.Signature); err != nil || who != p.Transfer.From {
				t.Fatalf("passed and is signed by %s, %v", who, err)
			}
		}
	})
}
