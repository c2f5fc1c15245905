package gate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
)

// order is one shape of a sentence that speaks to the agent which reads the text
// instead of to a reader.
type order struct {
	words []string // one of them must stand in the text in lower case, else re is not tried
	re    *regexp.Regexp
}

// A lesson about attacks quotes such sentences too: they warn and never refuse.
var orders = []order{
	{[]string{"ignore", "disregard", "forget", "override", "bypass"}, regexp.MustCompile(`\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|preceding|all|your|system|other|safety|security)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules|guidelines|directives|commands?|training)`)},
	{[]string{"you are now", "you are no longer"}, regexp.MustCompile(`\byou are (?:now|no longer)\b[^.\n]{0,40}\b(?:dan|unrestricted|developer mode|jailbroken|unfiltered|an?\b|bound|limited|root|admin)`)},
	{[]string{"ai", "llm", "language model", "agent"}, regexp.MustCompile(`\b(?:if you are|as|to) an? (?:ai|llm|language model|ai agent|ai assistant|autonomous agent)\b[^.\n]{0,60}\b(?:must|should|run|execute|send|post|reveal|print|you)\b`)},
	{[]string{"system prompt", "hidden instr", "initial prompt", "initial instr", "developer message"}, regexp.MustCompile(`\b(?:reveal|print|output|show|repeat|leak|send|disclose)\b[^.\n]{0,20}\b(?:your|the)\b[^.\n]{0,12}\b(?:system prompt|hidden instructions|initial prompt|initial instructions|developer message)`)},
	{[]string{"do not", "don't", "don’t"}, regexp.MustCompile(`\bdo(?: not|n['’]t) (?:tell|inform|mention|reveal|alert|notify)\b[^.\n]{0,24}\b(?:user|human|operator|owner|anyone|person)\b`)},
	{[]string{"instruction", "<system>", "<important>"}, regexp.MustCompile(`\b(?:new|updated|real|important) (?:system )?instructions?\s*:|</?(?:system|instructions|important)>`)},
	{[]string{"key", "secret", "credential", "env", "token", "wallet", "funds", "seed phrase"}, regexp.MustCompile(`\b(?:send|post|upload|exfiltrate|forward|transfer|email|paste)\b[^.\n]{0,40}\b(?:api keys?|secrets?|credentials|env(?:ironment)? (?:file|variables)|\.env|tokens?|private keys?|wallet|funds|seed phrase)\b[^.\n]{0,40}\b(?:to|at|into) (?:https?://|\S+@|me\b|us\b|my\b|this\b|the (?:address|url|link|account|wallet|channel|paste|following|author|page|site)\b)`)},
	{[]string{"reading this", "reads this", "read this", "processing this", "parsing this", "reading it", "reads it"}, regexp.MustCompile(`\b(?:all|any|every|dear) (?:ai )?(?:agents?|assistants?|models?|llms?|bots?) (?:reading|that reads?|who reads?|processing|parsing) (?:this|it)\b[^.\n]{0,24}\b(?:must|should|shall|have to|please)\b`)},
	{[]string{"when you ", "whenever you "}, regexp.MustCompile(`\bwhen(?:ever)? you (?:read|see|process|load|parse) this\b`)},
}

// injections warns at most once in a field: one warning says it all.
func injections(field string, v view) []Finding {
	text := lowerASCII(v.text)
	for _, o := range orders {
		if !slices.ContainsFunc(o.words, func(w string) bool { return strings.Contains(text, w) }) {
			continue
		}
		if m := o.re.FindStringIndex(text); m != nil {
			offset, length := v.place(m[0], m[1])
			return []Finding{{Code: reason.PromptInjection, Field: field, Offset: offset, Length: length, Kind: "order-to-agent"}}
		}
	}
	return nil
}

// lowerASCII lowers A to Z and nothing else, so that bytes keep their places.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
