package rest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/meshd/meshd/gateway/endpoint"
)

// packed is a large document that is always the same, compressed once.
type packed struct {
	plain, zipped       []byte
	plainTag, zippedTag string
}

func packDocument(body []byte) (*packed, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compress a document: %w", err)
	}
	if _, err := z.Write(body); err != nil {
		return nil, fmt.Errorf("compress a document: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("compress a document: %w", err)
	}
	p := &packed{plain: body, zipped: out.Bytes()}
	p.plainTag, p.zippedTag = endpoint.ETag(p.plain, false), endpoint.ETag(p.zipped, false)
	return p, nil
}

// answer is the document as the request takes it.
func (p *packed) answer(r *http.Request, kind string) endpoint.Answer {
	a := endpoint.Answer{Raw: p.plain, Kind: kind}.With("ETag", p.plainTag)
	if takesGzip(r.Header) {
		a = endpoint.Answer{Raw: p.zipped, Kind: kind}.With("ETag", p.zippedTag).With("Content-Encoding", "gzip")
	}
	return a.With("Vary", "Accept-Encoding")
}

// takesGzip reports whether a client takes gzip (RFC 9110 §12.5.3).
func takesGzip(h http.Header) bool {
	takes := false
	for _, list := range h.Values("Accept-Encoding") {
		for coding := range strings.SplitSeq(list, ",") {
			name, params, _ := strings.Cut(strings.TrimSpace(coding), ";")
			if name = strings.ToLower(strings.TrimSpace(name)); name != "gzip" && name != "*" {
				continue
			}
			weight := 1.0
			if q, ok := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q="); ok {
				weight, _ = strconv.ParseFloat(q, 64) // 0 for what is no number
			}
			if takes = weight > 0; name == "gzip" {
				return takes
			}
		}
	}
	return takes
}
