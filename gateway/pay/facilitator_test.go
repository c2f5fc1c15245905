package pay

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const hash = "0xabcdef0123456789"

// answering is a facilitator that gives one answer, and the payment to ask it about.
func answering(t *testing.T, h http.HandlerFunc) (*Facilitator, *Payment, Terms, Offer) {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	f, err := NewFacilitator(srv.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	o := offerOf(t, 500_000)
	p, err := offeredAs(t, 2, objectOf(t, o, 2, transferOf(t, o))).Read()
	if err != nil {
		t.Fatal(err)
	}
	return f, p, o.Terms[0], o
}

func body(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

func TestFacilitatorMustGiveWhatWasAsked(t *testing.T) {
	t.Parallel()
	payer := keyOf(t, 1).Address().String()
	declined := func(err error) bool { var d *Declined; return errors.As(err, &d) }
	unknown := func(err error) bool { return errors.Is(err, ErrUnknown) && !declined(err) }
	fine := func(err error) bool { return err == nil }
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   func(error) bool
	}{
		"good":               {body(200, `{"success":true,"transaction":"`+hash+`","network":"eip155:84532","payer":"`+payer+`","amount":"500000"}`), fine},
		"good, version 1":    {body(200, `{"success":true,"transaction":"`+hash+`","network":"base-sepolia"}`), fine},
		"declined":           {body(200, `{"success":false,"errorReason":"insufficient_funds","transaction":""}`), declined},
		"declined with 400":  {body(400, `{"success":false,"errorReason":"no"}`), declined},
		"failed, yet sent":   {body(200, `{"success":false,"transaction":"`+hash+`","network":"base-sepolia"}`), unknown},
		"no transaction":     {body(200, `{"success":true,"network":"base-sepolia"}`), unknown},
		"no hash":            {body(200, `{"success":true,"transaction":"pending","network":"base-sepolia"}`), unknown},
		"a receipt's id":     {body(200, `{"success":true,"transaction":"pay_1","network":"base-sepolia"}`), unknown},
		"another network":    {body(200, `{"success":true,"transaction":"`+hash+`","network":"base"}`), unknown},
		"no network":         {body(200, `{"success":true,"transaction":"`+hash+`"}`), unknown},
		"another payer":      {body(200, `{"success":true,"transaction":"`+hash+`","network":"base-sepolia","payer":"`+keyOf(t, 2).Address().String()+`"}`), unknown},
		"another amount":     {body(200, `{"success":true,"transaction":"`+hash+`","network":"base-sepolia","amount":"1"}`), unknown},
		"an amount's number": {body(200, `{"success":true,"transaction":"`+hash+`","network":"base-sepolia","amount":500000}`), fine},
		"no answer":          {body(200, ``), unknown},
		"a page":             {body(200, `<html>`), unknown},
		"null":               {body(200, `null`), unknown},
		"500":                {body(500, `{"success":true,"transaction":"`+hash+`","network":"base-sepolia"}`), unknown},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example/settle", http.StatusTemporaryRedirect)
		}, unknown},
		"endless":  {body(200, `{"success":true,"x":"`+strings.Repeat("x", maxReply)+`"}`), unknown},
		"hangs up": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, unknown},
	} {
		f, p, terms, o := answering(t, c.answer)
		transaction, err := f.Settle(t.Context(), p, terms, o)
		if !c.want(err) || (err == nil) != (transaction == hash) {
			t.Errorf("%s: %q, %v", name, transaction, err)
		}
	}
}

func TestFacilitatorVerifies(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"isValid":true}`: "", `{"isValid":false,"invalidReason":"insufficient_funds"}`: "insufficient_funds",
		`{"isValid":false,"invalidReason":"<script>alert(1)</script>"}`: "scriptalert1script", `{"isValid":false}`: "unspecified",
		`{"isValid":true,"payer":"0x0000000000000000000000000000000000000001"}`: "the payer is another", `{}`: "unreachable", `[]`: "unreachable",
	} {
		f, p, terms, o := answering(t, body(200, text))
		err := f.Verify(t.Context(), p, terms, o)
		var d *Declined
		switch {
		case want == "" && err != nil, want == "unreachable" && !errors.Is(err, ErrUnreachable):
			t.Errorf("%s: %v", text, err)
		case want != "" && want != "unreachable" && (!errors.As(err, &d) || d.Reason != want):
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestFacilitatorThatIsSlowIsLeft(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	f, p, terms, o := answering(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that the server sees the client go
		select {
		case <-r.Context().Done():
		case <-gone:
		}
	})
	defer close(gone)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := f.Settle(ctx, p, terms, o); !errors.Is(err, ErrUnknown) {
		t.Errorf("settle: %v", err)
	}
	if err := f.Verify(ctx, p, terms, o); !errors.Is(err, ErrUnreachable) {
		t.Errorf("verify: %v", err)
	}
}

func TestFacilitatorAddress(t *testing.T) {
	t.Parallel()
	for base, ok := range map[string]bool{
		"https://pay.example": true, "https://pay.example/x402/": true, "http://127.0.0.1:9": true, "http://localhost:9": true, "http://[::1]:9": true,
		"http://pay.example": false, "http://127.0.0.1.evil.example": false, "https://u:p@pay.example": false, "https://pay.example?x=1": false, "ftp://pay.example": false, "": false, "pay.example": false,
	} {
		if _, err := NewFacilitator(base); (err == nil) != ok {
			t.Errorf("%s: %v", base, err)
		}
	}
}
