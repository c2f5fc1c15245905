package gate

import (
	"strings"

	"github.com/meshd/meshd/crdt/reason"
)

// echoes finds credentials by the name that stands before them.
func echoes(v view) []hit {
	var hits []hit
	for _, a := range assignments(v.text) {
		if a.echoes() {
			hits = append(hits, hit{reason.CredentialEcho, "named-value", a.from, a.to})
		}
	}
	for _, r := range echoRules {
		hits = append(hits, r.find(reason.CredentialEcho, v.text)...)
	}
	hits = append(hits, spokenPasswords(v)...)
	return append(hits, printenv(v.text)...)
}

// liveKeys finds whole API keys of our own form that this node would accept.
func liveKeys(v view, live func(string) bool) []hit {
	var hits []hit
	for _, m := range meshKey.FindAllStringIndex(v.text, -1) {
		if live(v.text[m[0]:m[1]]) {
			hits = append(hits, hit{reason.CredentialEcho, "live-key", m[0], m[1]})
		}
	}
	return hits
}

// meshKey is an API key as gateways issue it: 32 bytes in base64url.
var meshKey = expr(`mesh_sk_[A-Za-z0-9_-]{43}`)

var (
	codePath   = expr(`^[A-Za-z_][\w-]*(?:(?:\.|->|/|\[)[\w'"-]*)*\.[A-Za-z_]\w*$`)
	codeCall   = expr(`^[A-Za-z_][\w.]*[(\[]`)
	quantity   = expr(`(?i)^[<>~≥≤]?\d+[-+ ]?(?:k|m|char|character|byte|bit|hex|digit|word|day|hour|min|minute|sec|second|ms|s|h|d|x)[a-z]*$`)
	versionish = expr(`^v?\d+(?:[.:/-]\d+)+[a-z0-9.-]*$`)
	reference  = expr(`^(?i:arn|vault|ssm|op|env|file|ref|keyring|projects|sha256|sha1|sha512|md5|did|urn|https?|s3|gs|agent|user|users|awskms|gcpkms|kms):`)
	fileName   = expr(`(?i)(?:^[~./]|/).*/|\.(?:pem|key|crt|pub|json|ya?ml|toml|env|txt|md|go|ts|js|py|rs|sh|conf|ini)$`)
	sentence   = expr(`(?i)\b(?:must|should|required?|is|are|was|not|cannot|too|at least|invalid|wrong|never|please|enter|the|for|with)\b`)
	nameInside = expr(`(?i)passw|secret|token|credential|(?:^|[_-])(?:key|pass|auth|pwd|value|input|field|config|env)(?:$|[_-])|(?-i:[a-z](?:Key|Value|Input|Field|Config|Env|Auth)$)`)
)

// echoes reports an assignment that gives a credential away: its name promises
// one and its value is neither a placeholder, nor code, nor plain prose.
func (a assignment) echoes() bool {
	class := classify(a.name)
	v := a.value
	if class <= benignName || len(v) < 4 || placeholder(v) {
		return false
	}
	if codeCall.MatchString(v) || quantity.MatchString(v) || reference.MatchString(v) ||
		(fileName.MatchString(v) || codePath.MatchString(v)) && !randomLooking(v) {
		return false
	}
	if a.quoted && strings.ContainsAny(v, " \t") && (class != password || sentence.MatchString(v)) {
		return false
	}
	if (class != password || len(v) >= 16) && fake(v) || class != password && versionish.MatchString(v) {
		return false
	}
	switch class {
	case weakKey:
		return randomLooking(v) && len(v) >= runLength && !uuid.MatchString(v) && !digest.MatchString(v) && !strings.ContainsAny(v, "/:")
	case weakToken:
		if environmentName(a.name) {
			return a.strong()
		}
		return randomLooking(v) && len(v) >= 16 && !uuid.MatchString(v) && !strings.ContainsAny(v, ":")
	case strongKey:
		return a.strong()
	}
	return a.password()
}

// strong judges the value of an API key or access token.
func (a assignment) strong() bool {
	digits, upper, lower := kinds(a.value)
	if digits > 0 && upper+lower > 0 {
		return len(a.value) >= 6
	}
	if digits == len(a.value) {
		return digits >= 10
	}
	if lettersOnly(a.value) && nameInside.MatchString(a.value) {
		return false
	}
	// All letters: an identifier or a word, unless it is set like a value.
	set := environmentName(a.name) && a.op == '=' || a.quoted
	return set && len(a.value) >= 8 && (upper > 1 && lower > 1 || !strings.ContainsAny(a.value, "_-")) && (environmentName(a.name) || len(a.value) >= 16)
}

// password judges the value of a password or secret, which people choose: a word
// will do, where it does not read as prose or as code.
func (a assignment) password() bool {
	digits, upper, lower := kinds(a.value)
	if digits == len(a.value) || upper+lower+digits < len(a.value) && !lettersOnly(a.value) || digits > 0 {
		return !versionish.MatchString(a.value) || digits == len(a.value)
	}
	if nameInside.MatchString(a.value) || strings.ContainsAny(a.value, "_'") {
		return false
	}
	return a.quoted || environmentName(a.name) || a.op == '=' && a.tight
}

// echoRules find credentials in headers, flags and what a shell repeats.
var echoRules = []rule{
	{kind: "authorization-header", need: "uthorization", re: expr(`(?i)\bauthorization["']?[ \t]{0,3}[:=][ \t]*["']?(?:(?:Bearer|Basic|Token|ApiKey|Digest|AWS4-HMAC-SHA256)[ \t]+)?([^\s"'` + "`" + `,;<>]{8,})`),
		real: func(s string) bool {
			return mixed(s) && !placeholder(s) && !fake(s) && !codeCall.MatchString(s) && !reference.MatchString(s)
		}},
	{kind: "cookie-header", need: "ookie", re: expr(`(?i)\b(?:set-)?cookie["']?[ \t]{0,3}:[ \t]*["']?[\w.-]+=([^\s"'` + "`" + `,;<>]{6,})`),
		real: func(s string) bool { return mixed("_"+s+"_") && !placeholder(s) && !codeCall.MatchString(s) }},
	{kind: "credential-flag", need: "--", re: expr(`(?i)--(?:password|passwd|token|secret|api-?key|access-?key|secret-?key|client-secret|auth-token)[ ]+["']?([^\s"'` + "`" + `<>-][^\s"'` + "`" + `]{5,})`),
		real: realFlag},
	{kind: "traced-command", need: "+ ", re: expr(`(?m)^[ \t]*\+{1,3} (?:curl\b[^\n]*[ ](?:-u|--user)[ ]*["']?[\w.@-]+:|mysql\b[^\n]* -p|sshpass -p[ ]*["']?|docker login\b[^\n]* -p[ ]*["']?)([^\s"':]{4,})`),
		real: func(s string) bool { return !placeholder(s) }},
	{kind: "private-key-printed", need: ".ssh/id_", re: expr(`\bcat[ \t]+\S*\.ssh/id_\w+[ \t]*\r?\n\s*(-----BEGIN|[A-Za-z0-9+/=]{20,})`),
		real: func(string) bool { return true }},
}

func realFlag(s string) bool {
	digits, upper, lower := kinds(s)
	return digits > 0 && upper+lower > 0 && !placeholder(s) && !fake(s) && !versionish.MatchString(s) && !fileName.MatchString(s) && !codeCall.MatchString(s)
}

var (
	environmentCommand = expr(`(?m)^[^\n]{0,60}?(?:^|[$#>%] ?)(?:printenv|env|export -p|set)[ \t]*(?:\||$)[^\n]*$`)
	environmentLine    = expr(`^(?:declare -x |export )?[A-Za-z_][A-Za-z0-9_]*=\S*`)
)

// printenv finds a printed environment: the command and two variables or more
// below it. Whatever they contain, nobody chose what to publish.
func printenv(text string) []hit {
	var hits []hit
	for _, m := range environmentCommand.FindAllStringIndex(text, -1) {
		end, n := m[1], 0
		for line := range strings.Lines(strings.TrimPrefix(text[m[1]:], "\n")) {
			if !environmentLine.MatchString(line) {
				break
			}
			n++
			end += len(line)
		}
		if n >= 2 {
			hits = append(hits, hit{reason.CredentialEcho, "printed-environment", m[0], min(end, len(text))})
		}
	}
	return hits
}
