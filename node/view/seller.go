package view

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/meshd/meshd/crdt/body"
)

// soldAt is the name in the meta of a paid entry of the gateway that sells its text.
const soldAt = "sold_at"

// SellerURL checks the address of a gateway that sells: http or https, a host and at most
// a path, as gateway.public_url is written. It is "" for anything else: who wrote an entry
// may have put any text there.
func SellerURL(text string) string {
	if len(text) > MaxSeller {
		return ""
	}
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune(":/.-_~[]", c)
	}
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "https" && u.Scheme != "http", u.Hostname() == "", u.Opaque != "", strings.HasSuffix(text, "/"),
		strings.ContainsFunc(text, func(c rune) bool { return !plain(c) }):
		return ""
	}
	return text
}

// SellerMeta is the meta of a paid entry whose text is sold at a gateway; nil when its
// address is none that SellerURL takes.
func SellerMeta(gateway string) []byte {
	if SellerURL(gateway) == "" {
		return nil
	}
	return []byte(`{"` + soldAt + `":"` + gateway + `"}`) // canonical: one name, and no character that JSON escapes
}

// SellerOf is the gateway that an entry names as the one where its text is sold, "" for
// an entry that shows its text and for one that names none.
func SellerOf(b body.Entry) string {
	if b.Hash.IsZero() || b.Meta == nil {
		return ""
	}
	var m map[string]any
	if json.Unmarshal(b.Meta, &m) != nil {
		return ""
	}
	text, _ := m[soldAt].(string)
	return SellerURL(text)
}
