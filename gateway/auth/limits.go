package auth

import "github.com/meshd/meshd/gateway/state"

const (
	maxCredential   = 8 << 10            // bytes; the largest API key, JWT or 0.10 token (api §0.1)
	maxHeaderTokens = 64 << 10           // bytes of a bearer that is a container; the listener allows less in all
	keptTokens      = 1024               // parsed 0.10 tokens that are remembered; at most 40 KiB each
	maxActTerm      = state.MaxTokenTerm // how far ahead a token that acts may end
)
