package gate

import (
	"strings"
	"unicode"
)

// assignment is a NAME=value or NAME: value found in a text.
type assignment struct {
	name     string
	value    string
	op       byte // '=' or ':'; ":=" and "=>" count as '='
	quoted   bool // the value stands in quotes
	tight    bool // nothing stands between name, sign and value
	from, to int  // the bytes of the value
}

// assignments finds every assignment in text, in order. Comparisons, scopes
// (::) and the colon of an address (://) are none.
func assignments(text string) []assignment {
	var out []assignment
	for i := 0; i < len(text); i++ {
		if text[i] != '=' && text[i] != ':' {
			continue
		}
		end, ok := operator(text, i)
		if !ok {
			i = max(i, end-1)
			continue
		}
		a := assignment{op: text[i], name: nameBefore(text, i)}
		if end-i == 2 {
			a.op = '='
		}
		if a.name != "" && a.readValue(text, end) {
			a.tight = a.from == end && i > 0 && nameByte(text[i-1])
			out = append(out, a)
		}
		i = end - 1
	}
	return out
}

// operator reads the sign at i and returns its end, and whether it assigns.
func operator(text string, i int) (end int, ok bool) {
	end = i + 1
	next := byte(0)
	if end < len(text) {
		next = text[end]
	}
	switch {
	case text[i] == ':' && next == '=', text[i] == '=' && next == '>':
		return end + 1, true
	case next == text[i], text[i] == ':' && next == '/' && strings.HasPrefix(text[end:], "//"):
		return end + 1, false
	case text[i] == '=' && i > 0 && strings.IndexByte("!<>=~", text[i-1]) >= 0:
		return end, false
	}
	return end, true
}

// nameBefore returns the name that ends before i, without the quotes or the
// bracket around it.
func nameBefore(text string, i int) string {
	j := i
	for n := 0; j > 0 && n < 2 && (text[j-1] == ' ' || text[j-1] == '\t'); n++ {
		j--
	}
	for n := 0; j > 0 && n < 3 && strings.IndexByte("\"'`]*", text[j-1]) >= 0; n++ {
		j--
	}
	k := j
	for k > 0 && j-k < maxValue && nameByte(text[k-1]) {
		k--
	}
	if k > 0 && text[k-1] == ':' {
		return "" // inside a urn or an arn, which name things and carry no secret
	}
	name := strings.Trim(text[k:j], "-.")
	if k > 1 && text[k-1] == ' ' && spacedNames[strings.ToLower(name)] {
		w := k - 1
		for w > 0 && k-w < maxValue && nameByte(text[w-1]) {
			w--
		}
		if first := text[w : k-1]; first != "" && !articles[strings.ToLower(first)] {
			return first + "_" + name
		}
	}
	return name
}

// spacedNames are names that people write in two words, as in "API key:".
var (
	spacedNames = wordSet("key keys token tokens")
	articles    = wordSet("a an the one this that my your our its his her their each every any some no and or as is of for with by new old same")
)

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}

// authScheme is the word before a credential in a header.
var authScheme = expr(`^(?i:Bearer|Basic|Token|ApiKey)[ \t]+`)

// readValue reads the value that begins at or after i, on the same line.
func (a *assignment) readValue(text string, i int) bool {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '*') {
		i++
	}
	if i == len(text) {
		return false
	}
	line := text[i:min(len(text), i+maxValue)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	if line != "" && strings.IndexByte("\"'`", line[0]) >= 0 {
		if n := strings.IndexByte(line[1:], line[0]); n >= 0 {
			a.quoted = true
			a.value, a.from = line[1:1+n], i+1
			if m := authScheme.FindString(a.value); m != "" {
				a.value, a.from = a.value[len(m):], a.from+len(m)
			}
			a.to = a.from + len(a.value)
			return a.value != ""
		}
		line, i = line[1:], i+1
	}
	if m := authScheme.FindString(line); m != "" {
		line, i = line[len(m):], i+len(m)
	}
	if n := strings.IndexFunc(line, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`,;&|", r) }); n >= 0 {
		line = line[:n]
	}
	line = strings.TrimRight(line, ".)]}>!?:*\\")
	a.value, a.from, a.to = line, i, i+len(line)
	return line != ""
}

// nameClass says what a name promises about its value.
type nameClass int

const (
	plainName  nameClass = iota // nothing
	benignName                  // names a key or token but says it is not the credential
	weakKey                     // "key": of a map as often as of a door
	weakToken                   // "token": of a parser as often as of a session
	strongKey                   // an API key, a private key, an access token
	password                    // password, secret, credential
)

var (
	benignLast = wordSet(`id ids name names type types kind count counts size length len limit limits bits bytes path paths file files dir folder
		url uri uris endpoint host hash hashes digest fingerprint alias version format prefix suffix field fields column index policy ttl expiry
		expires expiration age lifetime rotation scope scopes usage algorithm alg store manager provider ref reference arn selector class mode header param
		params budget input label hint reset required length strength rules regex pattern generator derivation exchange agreement server service
		bucket tokens keys value values event events press code codes map ring pair up down error errors message prompt script field present set valid`)
	benignAny = wordSet(`public pub sort primary foreign partition cache idempotency dedup routing shard group hot max min num total maximum minimum
		input output prompt completion keyboard csrf object row composite unique natural surrogate lookup join map dict hash hashed encoded next
		page continuation pagination cursor sync nonce per verification verify range s3 redis metric config field header translation i18n
		dictionary json yaml query answer stop eos bos pad special vocab hashing counts feature storage mapping`)
	strongKeyWords = wordSet(`api access private secret auth signing encryption master license ssh deploy deployment account admin app client service
		session refresh bearer bot user personal id jwt github gitlab slack openai anthropic aws gcp azure stripe npm pypi sentry webhook root wallet
		deployer owner hmac aes rsa shared storage`)
	joined    = expr(`^(?:api|access|secret|private|auth|signing|encryption|master|client|session|refresh|bearer)(key|token)$`)
	nameWords = expr(`[A-Z]+(?:[a-z0-9]*)|[a-z0-9]+`)
	camel     = expr(`([a-z0-9])([A-Z])`)
)

// classify reads a name word by word: api_key, apiKey and API-KEY are the same.
func classify(name string) nameClass {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	words := nameWords.FindAllString(camel.ReplaceAllString(name, "${1}_${2}"), -1)
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	if len(words) == 0 {
		return plainName
	}
	last := words[len(words)-1]
	found := plainName
	for i, w := range words {
		found = max(found, wordClass(words[:i], w, len(words)))
	}
	if found == plainName {
		return plainName
	}
	if len(words) > 1 && benignLast[last] {
		return benignName
	}
	for _, w := range words[:len(words)-1] {
		if benignAny[w] && found != password {
			return benignName
		}
	}
	return found
}

// wordClass is the class of w after the words before it, in a name of n words.
func wordClass(before []string, w string, n int) nameClass {
	switch w {
	case "passwd", "pwd", "passphrase", "passwort", "credential", "credentials":
		return password
	case "pass", "pw":
		if n > 1 {
			return password
		}
	case "key", "token":
		if len(before) > 0 && strongKeyWords[before[len(before)-1]] {
			return strongKey
		}
		if n > 1 {
			return weakName(w, before)
		}
		return weakName(w, nil)
	}
	if strings.HasSuffix(w, "password") || strings.HasSuffix(w, "secret") { // also run together: PGPASSWORD
		return password
	}
	if joined.MatchString(w) {
		return strongKey
	}
	return plainName
}

func weakName(w string, before []string) nameClass {
	if w == "token" || len(before) > 0 {
		return weakToken
	}
	return weakKey
}

// environmentName reports a name in the style of environment variables.
func environmentName(name string) bool {
	return strings.ContainsRune(name, '_') && strings.ToUpper(name) == name
}
