package token

// The limits of a text. Going over one is a diagnostic, never a failure.
const (
	MaxSource = 8 << 20   // bytes of decoded text: LIM001, nothing is read
	MaxTokens = 4_000_000 // tokens of a text: LIM003, the rest is not read
)
