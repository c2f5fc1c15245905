package gate

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/reason"
)

// A password that stands in a sentence: "the password for staging is …", "log in
// as admin with the password …", "… is the passphrase". What may stand there is
// taken for one only when it looks like one, since lessons say of passwords that
// they are short, stored, or hashed with bcrypt.

const (
	secretWord  = `(?:pass ?words?|passwd|pass ?phrase|pass ?code|pin(?: code| number)?|pwd|pw|kennwort|passwort|contraseña|mot de passe|senha|wachtwoord|hasło|пароль|lösenord|parola d'ordine)`
	secretValue = "(\"[^\"\\n]{4,64}\"|'[^'\\n]{4,64}'|`[^`\\n]{4,64}`|“[^”\\n]{4,64}”|«[^»\\n]{4,64}»|„[^“\\n]{4,64}“|[^\\s\"'`“”«»„]{4,64})"
	forWhat     = `(?:,? (?:for|of|to|on|at|in|from|für|vom|von|zum|zur|auf|para|de|del|do|da|pour|du|sur|voor|van|для|от) (?:[^\s.,;:!?]+ ){0,4}?[^\s.,;:!?]+)?`
)

// spoken is one shape of such a sentence. The value is group 1.
type spoken struct {
	need  []string
	re    *pattern
	plain bool // a word that many choose will do, without a digit or a sign
	known bool // only such a word will
}

var spokenRules = []spoken{
	{need: namesSecret, re: expr(`(?i)(?:^|[^\p{L}\p{N}_])` + secretWord + forWhat + ` (?:is|was|remains|stays|ist|war|lautet|es|era|est|était|é|is nog|är|jest|è|—|-|это)(?: (?:still|now|just|simply|always|currently|noch|immer noch|jetzt|toujours|todavía|ainda|ancora|nog))?:? ` + secretValue), plain: true},
	{need: namesSecret, re: expr(`(?i)(?:^|[^\p{L}\p{N}_])` + secretWord + `(?: [^.\n]{0,40}?)? (?:set|changed|reset|rotated|updated|switched|defaults|back|geändert|gesetzt|cambiada|changé) (?:to|auf|a|en) ` + secretValue), plain: true},
	{need: namesSecret, re: expr(`(?i)\b(?:set|change|changed|reset|rotate|rotated) (?:the|my|our|its|their|his|her|that|every) (?:\w+ ){0,2}?` + secretWord + forWhat + ` to ` + secretValue), plain: true},
	{need: namesSecret, re: expr(`(?i)\b(?:with|using|and|the|a|plus|mit|con|avec|com|met|и|und|y|et)(?: the| dem| der| la| le| o| a| het)? ` + secretWord + ` ` + secretValue)},
	{need: namesSecret, re: expr(`(?i)(?:^|[\s(])` + secretValue + ` (?:as|is|was|als|como|comme|ist) (?:the|our|my|its|their|a|his|her|das|unser|mein|la|le|mi|a) (?:[\p{L}-]+ ){0,2}?` + secretWord + `\b`)},
	{need: namesLogin, re: expr(`(?i)\b(?:credentials?|creds|login|log in|logs in|logged in|sign in|zugangsdaten|anmelden|identifiants)\b[^.\n]{0,30}? [A-Za-z][\w.-]{1,31} ?(?:/|:| and | und ) ?` + secretValue)},
	{need: namesSecret, re: expr(`(?i)\b(?:user(?:name)?|login|account|benutzer|usuario) [^\s,]{2,40},?(?: and)? (?:pass|password|pw|pwd|passwort|contraseña)[: ]+` + secretValue)},
	{need: namesSecret, re: expr(`(?i)(?:^|[^\p{L}\p{N}_])(?:(?:secret|magic|pass) ?word is|secret is) ` + secretValue), plain: true, known: true},
	{need: namesSigns, re: expr("(?:密码|口令|密碼|暗号|パスワード|暗証番号|비밀번호)[^\\s。，、]{0,10}?(?:是|为|為|は|：|:|는|은) ?[\"“「『`']?([!-~]{4,64})"), plain: true},
}

// spokenPasswords finds passwords in prose.
func spokenPasswords(v view) []hit {
	low := strings.ToLower(v.text)
	var hits []hit
	for _, s := range spokenRules {
		if !containsAny(low, s.need) {
			continue
		}
		for _, m := range s.re.FindAllStringSubmatchIndex(v.text, -1) {
			from, to := m[2], m[3]
			quoted := false
			if r, size := utf8.DecodeRuneInString(v.text[from:]); strings.ContainsRune("\"'`“«„", r) {
				_, last := utf8.DecodeLastRuneInString(v.text[from:to])
				from, to, quoted = from+size, to-last, true
			} else {
				to = from + len(strings.TrimRight(v.text[from:to], ".,;:?)]}>…。，」』”"))
			}
			if value := v.text[from:to]; (!s.known || commonPasswords[strings.ToLower(value)]) && chosen(value, v.text[to:], quoted, s.plain) {
				hits = append(hits, hit{reason.CredentialEcho, "spoken-password", from, to})
			}
		}
	}
	return hits
}

// One of these words stands in every sentence of a rule, in lower case.
var (
	namesSecret = []string{"pass", "pin", "pwd", "pw ", "kennwort", "contraseña", "senha", "wachtwoord", "hasło", "пароль", "lösenord", "parola", "secret", "magic word"}
	namesLogin  = []string{"credential", "creds", "login", "log in", "logs in", "logged in", "sign in", "zugangsdaten", "anmelden", "identifiants"}
	namesSigns  = []string{"密", "口令", "暗", "パスワード", "비밀번호"}
)

func containsAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

var (
	techWord = expr(`(?i)^(?:sha-?\d+.*|md[45]|base(?:16|32|58|64).*|utf-?\d+.*|argon2\w*|pbkdf2.*|s?crypt.*|bcrypt.*|hmac.*|oauth2?|ed25519|x25519|x509|p-?256|http[s2]*|tls.*|aes.*|rsa.*|ascii|unicode|\d+fa|2-factor|totp|webauthn|fido2?|ldap|log4j|k8s|i18n|v\d+|ipv[46]|sql\w*|win\d+|es\d+|h264|mp[34]|s3|ec2|0x[0-9a-f]*|\d+(?:st|nd|rd|th)|\d+[a-z]{1,3}|rfc\d+|cve-.*|cwe-?\d+)$`)
	unitNext = expr(`(?i)^[- ](?:bits?|bytes?|char|digit|symbol|word|letter|day|hour|minute|second|month|year|week|round|iteration|attempt|time|kb|mb|zeichen|tage|caract|jours|días)`)
	// commonPasswords are words without a digit that many have chosen.
	commonPasswords = wordSet(`letmein qwerty qwertz azerty swordfish hunter dragon monkey iloveyou sunshine princess football baseball welcome shadow superman batman
		trustno mustang master abcdef asdfgh asdfghjkl qwertyuiop zxcvbn changeme changeit secretsecret opensesame sesame starwars pokemon whatever freedom
		jesus ninja hello123 passw0rd starwars geheim hallo schatz passwort123 soleil bonjour doudou contraseña estrella tequiero cheese computer internet
		cookie summer winter spring autumn liverpool arsenal chelsea matrix killer pepper ginger tigger joshua hannah maggie buster thomas michael jennifer
		jordan harley ranger daniel andrew charlie robert correcthorsebatterystaple`)
)

// chosen reports what somebody has for a password: letters with digits or signs
// among them, digits alone where nothing counts them, a word that many choose, or
// words in quotes that make no sentence.
func chosen(s, after string, quoted, plain bool) bool {
	low := strings.ToLower(s)
	if len(s) < 4 || placeholder(s) || codeCall.MatchString(s) || techWord.MatchString(s) || versionish.MatchString(s) ||
		quantity.MatchString(s) || reference.MatchString(s) || unitNext.MatchString(after) || strings.ContainsAny(s, "<>{}[]|") {
		return false
	}
	if strings.Contains(s, "://") || fileName.MatchString(s) && !kindsMixed(s) {
		return false
	}
	digits, upper, lower := kinds(s)
	signs := strings.ContainsAny(s, "!@#$%^&*+=~?")
	switch {
	case quoted && strings.Contains(s, " "):
		words := len(strings.Fields(s))
		return plain && words >= 3 && words <= 8 && !sentence.MatchString(s)
	case commonPasswords[strings.TrimRight(low, "!")]:
		return plain || quoted
	case digits == len(s):
		return digits <= 12 && !strings.HasPrefix(after, "%") && plain
	case digits > 0 && upper+lower > 0:
		return upper+lower >= 2 && len(s) >= 5
	case signs && upper+lower >= 3:
		return len(s) >= 6 && strings.TrimRight(s, "!?*") != strings.TrimRight(low, "!?*") || quoted || strings.IndexAny(strings.TrimRight(s, "!?*"), "!@#$%^&*+=~") > 0
	case strings.Count(s, "-") >= 3 && lettersOnly(s):
		return true
	case quoted && plain:
		return len(s) >= 5 && !nameInside.MatchString(s) && !sentence.MatchString(s)
	}
	return false
}
