package gate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/reason"
)

// personal warns of e-mail addresses and telephone numbers, by which a text that
// cannot be taken back leads to a person. A few rules stand here instead of a
// library of numbering plans: such a library judges a number that is known to be
// one, and finds none in prose.
func personal(field string, v view) []Finding {
	var found []Finding
	for _, kind := range []struct {
		code reason.Code
		kind string
		find func(string) [][2]int
	}{
		{reason.EmailAddress, "email-address", emails},
		{reason.PhoneNumber, "phone-number", phones},
	} {
		var hits []Finding
		for _, m := range kind.find(v.text) {
			offset, length := v.place(m[0], m[1])
			hits = append(hits, Finding{Code: kind.code, Field: field, Offset: offset, Length: length, Kind: kind.kind})
		}
		found = append(found, settle(hits)...)
	}
	return found
}

var (
	emailShape  = expr(`[\p{L}\p{N}._%+-]{1,64}[@＠](?:[\p{L}\p{N}-]{1,63}\.)+\p{L}{2,24}`)
	emailHidden = expr(`(?i)[\p{L}\p{N}._+-]{2,64} ?[\[({] ?(?:at|@|arroba|ät) ?[\])}] ?[\p{L}\p{N}-]{1,63}(?: ?(?:[\[({] ?(?:dot|punkt|punto|\.) ?[\])}]|\.) ?[\p{L}\p{N}-]{2,63})+`)
	emailSpoken = expr(`(?i)[\p{L}\p{N}._+-]{2,64} at [\p{L}\p{N}-]{2,63} dot (?:com|org|net|io|dev|edu|gov|info|co|uk|de|at|ch|fr|es|it|nl|eu|jp|cn|br|in|au|ca)\b`)
	remoteShell = expr(`(?i)\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id|sshfs|psql|mysql|clone|remote|docker)\b[^.\n]{0,40}$`)
	noDomain    = expr(`^(?:v?\d|.*\.(?:service|socket|timer|target|mount|slice|scope|device|js|mjs|ts|png|jpe?g|svg|webp|css|html|json|ya?ml|toml|lock|txt|log|local|internal|lan|test|invalid|localhost|example|transpose|com\.example)$|(?:.*\.)?example\.|(?:your|my)?(?:domain|company|corp|host|server|email|mail|site)\.(?:com|org|net|tld|name)$)`)
	asksToWrite = expr(`(?i)\b(?:e-?mail|mail|mailto|contact|write|reach|ask|ping|message|send)\b[^.\n]{0,20}$`)
	loginBefore = expr(`(?i)(?:^|[^a-z])(?:[b-df-z]|[a-z]*[^lto\W]|root|deploy\w*):$`) // login:password@host, not "mail:"
	noMailbox   = wordSet(`git hg svn user username you yourname name someone somebody nobody me foo bar baz test noreply no-reply donotreply do-not-reply root deploy ubuntu ec2-user admin-user x`)
)

func emails(text string) [][2]int {
	if !strings.ContainsAny(text, "@＠") && !strings.Contains(lowerASCII(text), "at") && !strings.Contains(text, "arroba") {
		return nil
	}
	var out [][2]int
	for _, m := range emailShape.FindAllStringIndex(text, -1) {
		if realEmail(text, m[0], m[1]) {
			out = append(out, [2]int(m))
		}
	}
	for _, re := range []*pattern{emailHidden, emailSpoken} {
		for _, m := range re.FindAllStringIndex(text, -1) {
			if !strings.Contains(strings.ToLower(text[m[0]:m[1]]), "example") {
				out = append(out, [2]int(m))
			}
		}
	}
	return out
}

// realEmail reports an address of a mailbox: not one of a manual, not a login on
// a host, not a handle, a version, a unit or a file.
func realEmail(text string, from, to int) bool {
	box, domain, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(text[from:to], "＠", "@")), "@")
	invited := asksToWrite.MatchString(text[max(0, from-32):from])
	if noDomain.MatchString(domain) && !invited || noMailbox[strings.Trim(box, ".-_+")] || strings.HasPrefix(box, "your") {
		return false
	}
	before, after := text[:from], text[to:]
	if strings.HasSuffix(before, "@") || strings.HasSuffix(before, "/") || loginBefore.MatchString(before[max(0, len(before)-24):]) {
		return false
	}
	if after != "" && (after[0] == '(' || after[0] == '/' || after[0] == '@' || after[0] == ':' && len(after) > 1 && !unicode.IsSpace(rune(after[1]))) {
		return false
	}
	return !remoteShell.MatchString(before[max(0, len(before)-64):])
}

var (
	phoneWorld  = expr(`\+[1-9][\d ().\x{a0}/-]{7,22}\d`)
	phoneNorth  = expr(`(?:\b1[-. ])?(?:\([2-9]\d\d\) ?|\b[2-9]\d\d[-.])[2-9]\d\d[-. ]\d{4}\b`)
	phoneCalled = expr(`(?i)(?:\b(?:call(?: me| us| him| her| them)?|phone(?: number)?|tel|telephone|whatsapp|fax|hotline|pager|sms|dial|mobile(?: number| phone)?(?:[:]| is)|cell(?:phone| phone| number)?(?:[:]| is)|my number|reach (?:me|us|him|her|them)|telefon(?:nummer|isch)?|handy(?:nummer)?|mobil(?:nummer|er)?|rufnummer|ruf|portable|telefono|telefone|celular|cellulare|telefoon(?:nummer)?)\b|\bt[ée]l(?:[ée]phone)?\b|tel[ée]fono|m[óo]vil|телефон|номер|電話|电话|手机|携帯|致电|联系)[^\d+\n]{0,40}(\(?[\d][\d ().\x{a0}/-]{5,20}\d)`)
	phoneDate   = expr(`^\(?(?:(?:19|20)\d\d[-./ ](?:0?[1-9]|1[0-2])[-./ ]\d{1,2}\b|\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d\b|\d{1,3}(?:\.\d{1,3}){3}$)`)
	thousands   = expr(`^\+?[1-9]\d{0,2}(?:[ .\x{a0}]\d{3})+$`)
	bareMobile  = expr(`^(?:0\d{8,11}|1[3-9]\d{9})$`)
)

func phones(text string) [][2]int {
	if countDigits(text) < 7 {
		return nil
	}
	var out [][2]int
	if strings.Contains(text, "+") {
		for _, m := range phoneWorld.FindAllStringIndex(text, -1) {
			s := text[m[0]:m[1]]
			if n := countDigits(s); n >= 9 && n <= 15 && alone(text, m[0], m[1]) && !fictional(s) {
				out = append(out, [2]int(m))
			}
		}
	}
	for _, m := range phoneNorth.FindAllStringIndex(text, -1) {
		if alone(text, m[0], m[1]) && !fictional(text[m[0]:m[1]]) {
			out = append(out, [2]int(m))
		}
	}
	for _, m := range phoneCalled.FindAllStringSubmatchIndex(text, -1) {
		s := text[m[2]:m[3]]
		n := countDigits(s)
		if n < 7 || n > 15 || !alone(text, m[2], m[3]) || distinct(s) <= 3 || phoneDate.MatchString(s) {
			continue
		}
		if n == len(s) && !bareMobile.MatchString(s) || n < len(s) && s[0] != '0' && s[0] != '(' && thousands.MatchString(s) {
			continue // a quantity
		}
		out = append(out, [2]int{m[2], m[3]})
	}
	return out
}

// alone reports that no number, name or sum goes on at either end.
func alone(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	if from > 0 && (before < 0x2e80 && unicode.In(before, unicode.L, unicode.N) || strings.ContainsRune("+-=_/.#*^)", before)) {
		return false
	}
	return to == len(text) || !(unicode.IsDigit(after) || after < 0x2e80 && unicode.IsLetter(after) || strings.ContainsRune("_=*^%:", after) && to+1 < len(text) && !unicode.IsSpace(rune(text[to+1])))
}

// fictional reports the numbers that are kept for films, and those that are a pattern.
func fictional(s string) bool {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
	return strings.Contains(digits, "55501") || distinct(digits) <= 2
}

func countDigits(s string) (n int) {
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			n++
		}
	}
	return n
}
