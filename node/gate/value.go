package gate

import (
	"math"
	"strings"
	"unicode"
)

// placeholderParts make a value a placeholder wherever they stand in it.
var placeholderParts = []string{
	"***", "•••", "…", "...", "xxxx", "####", "____", "example", "your_", "your-", "yourapi", "yourtoken", "yoursecret", "yourpass", "yourkey",
	"placeholder", "changeme", "change_me", "change-me", "redacted", "dummy", "sample", "insert", "replace", "notareal", "not-a-real", "not_a_real",
	"foobar", "process.env", "os.environ", "getenv", "secrets.", "masked", "goes_here", "goes-here", "key_here", "key-here", "token_here", "token-here", "_fake", "fake_", "-fake", "fake-",
}

// placeholderWords are values that name the kind of value, or say there is none.
var placeholderWords = wordSet(`none null nil true false undefined empty unset blank n/a na value values val string str text bool
	boolean int integer number float bytes byte any object array buffer char required optional default unknown missing invalid valid wrong
	hidden encrypted plaintext plain hashed secret secrets password passwd passphrase pass pwd token tokens key keys apikey api_key api-key auth bearer basic
	credential credentials username user name login test testing foo bar baz qux todo tbd yes no on off hash
	id uuid header cookie session input output env config data prompt self this type admin root postgres guest`)

// placeholder reports a value that stands for a credential without being one:
// <…>, ***, xxxx…, YOUR_…, $VAR, ${VAR}, example and their like.
func placeholder(v string) bool {
	v = strings.ToLower(strings.Trim(v, "\"'`.,;:)!? \t"))
	if v == "" || placeholderWords[v] {
		return true
	}
	switch v[0] {
	case '<', '{', '[':
		return true
	case '$':
		return len(v) > 1 && (v[1] == '{' || v[1] == '(' || v[1] == '_' || v[1] >= 'a' && v[1] <= 'z')
	case '%':
		return len(v) > 2 && v[len(v)-1] == '%'
	}
	if len(v) >= 3 && distinct(v) == 1 {
		return true
	}
	for _, p := range placeholderParts {
		if strings.Contains(v, p) {
			return true
		}
	}
	return false
}

// fake reports a token nobody was issued: few different characters, or a run of
// the alphabet or of digits. Passwords people choose do look so; do not ask for them.
func fake(v string) bool {
	v = strings.ToLower(v)
	// The body of a token is what follows its prefix; a prefix has a few letters.
	if len(v) >= 16 && distinct(v[len(v)-12:]) <= 3 {
		return true
	}
	for _, s := range []string{"12345678", "01234567", "abcdefgh", "abcd1234", "1234abcd", "abc123abc", "deadbeefdeadbeef", "0000000000", "987654321"} {
		if strings.Contains(v, s) {
			return true
		}
	}
	return false
}

var (
	uuid      = expr(`(?i)^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$`)
	digest    = expr(`(?i)^(?:0x)?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$`)
	separator = expr(`[^A-Za-z0-9]+`)
)

// randomLooking reports a value with a stretch of at least twelve characters, free of
// separators, in which letters and digits mix: what machines make and people do not write.
func randomLooking(v string) bool {
	for _, part := range separator.Split(v, -1) {
		if len(part) < 12 {
			continue
		}
		digits, upper, lower := kinds(part)
		if digits >= 2 && upper+lower >= 2 || upper >= 4 && lower >= 4 && digits >= 1 {
			return true
		}
	}
	return false
}

// mixed reports a value of eight characters or more with a digit among letters, or
// capitals in its middle.
func mixed(v string) bool {
	if len(v) < 8 {
		return false
	}
	digits, upper, lower := kinds(v[1:])
	return digits > 0 && digits < len(v) || upper > 0 && lower > 0
}

func kinds(v string) (digits, upper, lower int) {
	for i := range len(v) {
		switch c := v[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		}
	}
	return digits, upper, lower
}

// lettersOnly reports a value without digits and signs but '_' and '-'.
func lettersOnly(v string) bool {
	for _, r := range v {
		if !unicode.IsLetter(r) && r != '_' && r != '-' && r != '\'' {
			return false
		}
	}
	return true
}

// entropy is Shannon's, in bits a byte of v.
func entropy(v string) float64 {
	var count [256]float64
	for i := range len(v) {
		count[v[i]]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := n / float64(len(v))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

func distinct(v string) int {
	seen := make(map[rune]bool, 16)
	for _, r := range v {
		seen[r] = true
	}
	return len(seen)
}

func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}
