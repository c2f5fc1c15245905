package gate

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
)

// rule finds one kind of credential by its shape.
type rule struct {
	kind string
	need string // must stand in the text, else the expression is not tried
	re   *pattern
	// real judges group 1, or the whole match without groups. Nil: it is real
	// unless it is a placeholder or a fake.
	real func(s string) bool
}

func (r rule) find(c reason.Code, text string) []hit {
	if !strings.Contains(text, r.need) {
		return nil
	}
	var hits []hit
	for _, m := range r.re.FindAllStringSubmatchIndex(text, -1) {
		from, to := m[0], m[1]
		if len(m) > 2 {
			from, to = m[2], m[3]
		}
		if r.judge(text[from:to]) {
			hits = append(hits, hit{c, r.kind, from, to})
		}
	}
	return hits
}

func (r rule) judge(s string) bool {
	if r.real != nil {
		return r.real(s)
	}
	return !placeholder(s) && !fake(s)
}

// secretRules stand beside the default rules of gitleaks, some of which want
// more context or more entropy than a note in prose offers.
var secretRules = []rule{
	{kind: "mesh-api-key", need: "mesh_sk_", re: expr(`mesh_sk_[A-Za-z0-9_-]{20,43}`)},
	{kind: "private-key-block", need: "-----BEGIN", re: expr(`(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]|[A-Za-z-]+: [^\n]*\n)*[A-Za-z0-9+/=]{20,})`)},
	{kind: "aws-access-key", need: "IA", re: expr(`\b((?:AKIA|ASIA)[A-Z0-9]{16})\b`)},
	{kind: "github-token", need: "gh", re: expr(`\b(gh[pousr]_[A-Za-z0-9]{20,})`)},
	{kind: "github-fine-grained-token", need: "github_pat_", re: expr(`\b(github_pat_[A-Za-z0-9_]{22,})`)},
	{kind: "slack-token", need: "xox", re: expr(`\b(xox[abeprs]-[A-Za-z0-9-]{10,})`), real: func(s string) bool { return kindsMixed(s[5:]) && !placeholder(s) && !fake(s) }},
	{kind: "sk-key", need: "sk-", re: expr(`\b(sk-[A-Za-z0-9_-]{20,})`), real: func(s string) bool { return randomLooking(s[3:]) && !placeholder(s) && !fake(s) }},
	{kind: "payment-key", need: "k_", re: expr(`\b([sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,})`)},
	{kind: "webhook-secret", need: "whsec_", re: expr(`\b(whsec_[A-Za-z0-9+/=]{20,})`)},
	{kind: "telegram-bot-token", need: ":AA", re: expr(`\b(\d{8,10}:AA[A-Za-z0-9_-]{33})`)},
	{kind: "google-api-key", need: "AIza", re: expr(`\b(AIza[A-Za-z0-9_-]{35})`)},
	{kind: "npm-token", need: "npm_", re: expr(`\b(npm_[A-Za-z0-9]{36})`), real: func(s string) bool { return kindsMixed(s[4:]) && !placeholder(s) && !fake(s) }},
	{kind: "json-web-token", need: "eyJ", re: expr(`\b(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,})`), real: realJWT},
	{kind: "bearer-token", need: "earer ", re: expr(`\b[Bb]earer ([A-Za-z0-9._~+/-]{20,}=*)`), real: func(s string) bool {
		return randomLooking(s) && !placeholder(s) && !fake(s) && !strings.HasPrefix(s, "eyJ")
	}},
	{kind: "address-with-password", need: "://", re: expr(`\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@"'<>` + "`" + `]*:([^\s/"'<>` + "`" + `]+)@[\w.\[$-]`), real: realPassword},
	{kind: "login-with-password", need: "@", re: expr(`(?:^|[\s"'=(])[A-Za-z][\w.-]{1,31}:([^\s/@:"'<>` + "`" + `]{6,})@(?:localhost|(?:[A-Za-z0-9-]+\.)+[a-z]{2,}|\d+\.\d+\.\d+\.\d+)\b`), real: func(s string) bool { return kindsMixed(s) && realPassword(s) && !versionish.MatchString(s) }},
	{kind: "connection-string", need: "=", re: expr(`(?i)\b(?:server|data source|host|hostname|endpoint|defaultendpointsprotocol|initial catalog|database|user id|uid|username|user|accountname|sharedaccesskeyname)[ ]?=[^;\n]{1,200};(?:[^\n]{0,200};)?[ ]?(?:password|pwd|accountkey|sharedaccesskey)[ ]?=[ ]?([^;\s"']{4,})`), real: realPassword},
	{kind: "exported-credential", need: "export ", re: expr(`\bexport[ \t]+[A-Z][A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?)=["']?([^\s"';&|]{6,})`), real: func(s string) bool {
		return mixed("_"+s) && !placeholder(s) && !fake(s) && !fileName.MatchString(s) && !reference.MatchString(s)
	}},
}

// secrets finds credentials by their shape.
func secrets(v view) []hit {
	var hits []hit
	for _, r := range secretRules {
		hits = append(hits, r.find(reason.SecretDetected, v.text)...)
	}
	for _, a := range assignments(v.text) {
		if a.entropic() {
			hits = append(hits, hit{reason.SecretDetected, "high-entropy-value", a.from, a.to})
		}
	}
	hits = append(hits, namedNumbers(v.text)...)
	return append(hits, mnemonics(v.text)...)
}

// entropic reports a long value with more than minEntropyBits bits a character
// under a name that promises a key.
func (a assignment) entropic() bool {
	if class := classify(a.name); class == benignName || class == plainName && !strings.Contains(strings.ToLower(a.name), "auth") {
		return false
	}
	return len(a.value) >= minEntropyRun && entropy(a.value) > minEntropyBits && randomLooking(a.value) &&
		!strings.ContainsAny(a.value, " ({[<") && !placeholder(a.value) && !fake(a.value) && !reference.MatchString(a.value)
}

func kindsMixed(s string) bool {
	digits, upper, lower := kinds(s)
	return digits > 0 && upper+lower > 0
}

// realPassword judges a password people type, or paste into an address.
func realPassword(s string) bool { return !placeholder(s) && !codeCall.MatchString(s) }

// realJWT reports a token in compact form whose header and payload are JSON and
// that is not the sample every manual prints.
func realJWT(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 3 || placeholder(s) || strings.HasPrefix(parts[1], "eyJzdWIiOiIxMjM0NTY3ODkwI") {
		return false
	}
	var header struct {
		Alg string `json:"alg"`
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[0])
	if err != nil || json.Unmarshal(raw, &header) != nil || header.Alg == "" {
		return false
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	return err == nil && json.Valid(payload)
}

var (
	number256  = expr(`\b(?:0x)?[0-9a-fA-F]{64}\b`)
	keyBefore  = expr(`(?i)(?:private|priv|secret|signing|wallet|deployer|owner|account|seed|root)[ _-]?key\b|privkey|\bmnemonic|\bseed\b|private[ _-]key`)
	plainKey   = expr(`(?i)(?:^|[^\w-])key(?:[ ]is)?["']?[ ]?[:=]?[ ]?["'` + "`" + `(]?$`)
	notAKey    = expr(`(?i)(?:hash|public|pub|sha-?256|sha|digest|address|txid|transaction|tx|commit|checksum|fingerprint|root|topic|cid|block|signature)\b[^.]*$`)
	keyAfter   = expr(`(?i)^["'` + "`" + `)]*[ ](?:is|was|as|=|\()[ ]?(?:my|the|our|a|its|his|her|your|their)?[ ]?(?:\w+[ ])?(?:private|secret|signing|wallet)[ ]key`)
	breaks     = expr(`[.;!?](?:\s|$)|\n\s*\n`)
	knownKeys  = wordSet(`ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80 59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d 4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d`)
	sampleSeed = []string{"abandon abandon", "legal winner thank", "letter advice cage", "test test test", "zoo zoo zoo", "candy maple cake sugar"}
)

// namedNumbers finds 256-bit numbers in hexadecimal beside words that call them
// a private key. Alone they are hashes far more often.
func namedNumbers(text string) []hit {
	var hits []hit
	for _, m := range number256.FindAllStringIndex(text, -1) {
		n := strings.TrimPrefix(text[m[0]:m[1]], "0x")
		if knownKeys[strings.ToLower(n)] || fake(n) || distinct(n) < 6 {
			continue
		}
		before := text[max(0, m[0]-keyWordReach):m[0]]
		if b := breaks.FindAllStringIndex(before, -1); b != nil {
			before = before[b[len(b)-1][1]:]
		}
		prefixed := len(n) < m[1]-m[0]
		if k := keyBefore.FindAllStringIndex(before, -1); k != nil && !notAKey.MatchString(before[k[len(k)-1][1]:]) ||
			prefixed && plainKey.MatchString(before) && !benignBefore(before) ||
			keyAfter.MatchString(text[m[1]:min(len(text), m[1]+keyWordReach)]) {
			hits = append(hits, hit{reason.SecretDetected, "private-key-number", m[0], m[1]})
		}
	}
	return hits
}

// benignBefore reports that the word before "key" says which harmless kind it is.
func benignBefore(s string) bool {
	words := strings.Fields(strings.ToLower(s))
	for i, w := range words {
		if i > 0 && strings.HasPrefix(strings.Trim(w, "\"'`"), "key") && benignAny[words[i-1]] {
			return true
		}
	}
	return false
}

// The English word list of BIP-39, the only one wallets commonly show.
//
//go:embed bip39.txt
var bip39List string

var bip39 = wordSet(bip39List)

var phraseWord = expr(`[A-Za-z]+`)

// mnemonics finds twelve words or more of the BIP-39 list in a row, separated by
// spaces, commas, line ends or numbers only. The checksum is not asked for: a
// phrase with a slip of the pen gives the wallet away as well.
func mnemonics(text string) []hit {
	var hits []hit
	words := phraseWord.FindAllStringIndex(text, -1)
	for i := 0; i < len(words); {
		j := i
		for j < len(words) && bip39[strings.ToLower(text[words[j][0]:words[j][1]])] && (j == i || phraseGap(text[words[j-1][1]:words[j][0]])) {
			j++
		}
		if j-i >= mnemonicWords && realPhrase(text, words[i:j]) {
			hits = append(hits, hit{reason.SecretDetected, "wallet-phrase", words[i][0], words[j-1][1]})
		}
		i = max(j, i+1)
	}
	return hits
}

func phraseGap(gap string) bool {
	return len(gap) <= 8 && strings.Trim(gap, " \t\r\n,|0123456789.)\"'") == "" && gap != ". "
}

func realPhrase(text string, words [][]int) bool {
	seen := make(map[string]bool)
	var all []string
	for _, w := range words {
		s := strings.ToLower(text[w[0]:w[1]])
		seen[s] = true
		all = append(all, s)
	}
	if len(seen) < mnemonicKinds || slices.IsSorted(all) {
		return false // a sample, or a piece of the list itself
	}
	phrase := strings.Join(all, " ")
	for _, s := range sampleSeed {
		if strings.HasPrefix(phrase, s) {
			return false
		}
	}
	return true
}
