package token

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/diag"
)

// The classes of bytes.
const (
	isSpace uint8 = 1 << iota
	isWordStart
	isWordPart
	isDigit
	isHex
	isLetter
)

var class = func() (t [256]uint8) {
	for c := range 256 {
		b := byte(c)
		switch {
		case b == ' ' || b == '\t' || b == '\r' || b == '\n':
			t[c] = isSpace
		case b >= '0' && b <= '9':
			t[c] = isWordPart | isDigit | isHex
		case b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z':
			t[c] = isWordStart | isWordPart | isLetter
			if b|32 <= 'f' {
				t[c] |= isHex
			}
		case b == '_' || b == '$':
			t[c] = isWordStart | isWordPart
		}
	}
	return t
}()

// A quote is one of the five ways to write a text over several lines.
type quote uint8

const (
	double quote = iota
	single
	triple
	tripleSingle
	numQuotes

	backquote = numQuotes // a template, which is looked for every time
)

type lexer struct {
	text string
	pos  int
	out  *Stream
	bag  *diag.Bag

	gapFrom int    // where the white space before the next token began
	flags   uint8  // of the next token, from comments before it
	open    []byte // the open brackets; 't' is ${
	// refused is up to where a text of a kind is known not to close, so that it
	// is not searched for twice.
	refused [numQuotes]int
}

// Lex cuts a text into tokens and pairs its brackets. It accepts every text;
// what does not fit is reported to the bag and stays a token. It takes linear
// time and keeps 16 bytes a token and 12 a comment.
func Lex(src *Source, bag *diag.Bag) *Stream {
	s := &Stream{Source: src}
	if len(src.Text) > MaxSource {
		bag.Add(diag.LIM001, 0, 0, "the size of the source in bytes", strconv.Itoa(len(src.Text)), strconv.Itoa(MaxSource))
		s.Tokens, s.Partner, s.uneven = []Token{{}}, []int32{0}, true
		return s
	}
	for _, at := range src.invalid {
		bag.Add(diag.SYN014, int(at), int(at)+utf8.RuneLen(utf8.RuneError), src.Encoding.String())
	}
	s.Tokens = make([]Token, 0, len(src.Text)/4+16)
	lx := &lexer{text: src.Text, out: s, bag: bag}
	lx.run()
	pairBrackets(s, bag)
	return s
}

func (lx *lexer) run() {
	if strings.HasPrefix(lx.text, "\uFEFF") {
		lx.pos = len("\uFEFF")
		lx.gapFrom = lx.pos
	}
	if strings.HasPrefix(lx.text[lx.pos:], "#!") {
		start := lx.pos
		lx.pos = lx.out.Source.LineEnd(start)
		lx.comment(start, Shebang)
	}
	if end := proseEnd(lx.text[lx.pos:]); end > 0 {
		start := lx.pos
		lx.pos += end
		lx.comment(start, Block)
	}
	for {
		for lx.pos < len(lx.text) && class[lx.text[lx.pos]]&isSpace != 0 {
			lx.pos++
		}
		if lx.pos >= len(lx.text) {
			break
		}
		if len(lx.out.Tokens) >= MaxTokens {
			lx.bag.Add(diag.LIM003, lx.pos, lx.pos, "the number of tokens", strconv.Itoa(MaxTokens+1), strconv.Itoa(MaxTokens))
			lx.out.uneven = true
			break
		}
		lx.token()
	}
	lx.pos = len(lx.text)
	lx.emit(EOF, len(lx.text))
}

// token reads the token or the comment at lx.pos.
func (lx *lexer) token() {
	c := lx.text[lx.pos]
	switch {
	case class[c]&isWordStart != 0:
		lx.word()
	case class[c]&isDigit != 0:
		lx.number()
	case c >= utf8.RuneSelf:
		lx.beyondASCII()
	default:
		lx.mark(c)
	}
}

// gap describes the white space before the next token or comment.
func (lx *lexer) gap(start int) uint8 {
	if lx.gapFrom == start {
		return 0
	}
	f, lines := SpaceBefore, 0
	for i := lx.gapFrom; i < start; i++ {
		switch lx.text[i] {
		case '\n':
			lines++
		case '\r':
			if lx.at(i+1) != '\n' {
				lines++
			}
		}
	}
	if lines > 0 {
		f |= NewlineBefore
	}
	if lines > 1 {
		f |= BlankBefore
	}
	return f
}

// emit ends a token that began at start.
func (lx *lexer) emit(k Kind, start int) *Token {
	f := lx.gap(start)
	if lx.flags != 0 {
		f |= lx.flags
		lx.flags = 0
	}
	if len(lx.out.Tokens) == 0 {
		f |= NewlineBefore
	}
	lx.out.Tokens = append(lx.out.Tokens, Token{Start: uint32(start), End: uint32(lx.pos), Kind: k, Flags: f})
	lx.gapFrom = lx.pos
	return &lx.out.Tokens[len(lx.out.Tokens)-1]
}

// comment ends a comment that began at start.
func (lx *lexer) comment(start int, style Style) {
	f := lx.gap(start)
	if len(lx.out.Tokens) == 0 && len(lx.out.Comments) == 0 {
		f |= NewlineBefore
	}
	lx.out.Comments = append(lx.out.Comments, Comment{Start: uint32(start), End: uint32(lx.pos), Style: style, Flags: f})
	lx.flags |= CommentBefore | SpaceBefore | f&NewlineBefore
	if style == Block && strings.ContainsAny(lx.text[start:lx.pos], "\r\n") {
		lx.flags |= NewlineBefore
	}
	lx.gapFrom = lx.pos
}

func (lx *lexer) at(i int) byte {
	if i < len(lx.text) {
		return lx.text[i]
	}
	return 0
}

// previous is the token before the one that starts at lx.pos.
func (lx *lexer) previous() Token {
	if n := len(lx.out.Tokens); n > 0 {
		return lx.out.Tokens[n-1]
	}
	return Token{}
}

// glued says whether no white space stands before lx.pos.
func (lx *lexer) glued() bool { return lx.gapFrom == lx.pos && lx.flags == 0 && lx.pos > 0 }

// wordEnd is where the word that reaches to i ends.
func (lx *lexer) wordEnd(i int) (end int, foreign bool) {
	for i < len(lx.text) {
		c := lx.text[i]
		if class[c]&isWordPart != 0 {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(lx.text[i:])
		if !wordRune(r) {
			break
		}
		foreign = true
		i += n
	}
	return i, foreign
}

// infinity is no letter, but names begin with it.
const infinity = '∞'

// wordRune is the Unicode property XID_Continue, as near as package unicode gives it.
func wordRune(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc) || r == infinity
}

func (lx *lexer) word() {
	start := lx.pos
	var foreign bool
	lx.pos, foreign = lx.wordEnd(start)
	k, w := Ident, Other
	if text := lx.text[start:lx.pos]; text[0] != '$' {
		w = LookupWord(text)
	} else if len(text) > 1 {
		k = StateRef
	}
	lx.emit(k, start).Word = w
	if foreign {
		lx.bag.Add(diag.LNT014, start, lx.pos)
	}
}

func (lx *lexer) beyondASCII() {
	r, n := utf8.DecodeRuneInString(lx.text[lx.pos:])
	if unicode.In(r, unicode.L, unicode.Nl) || r == infinity {
		lx.word()
		return
	}
	lx.bad(n)
}

// bad takes a character that has no use.
func (lx *lexer) bad(n int) {
	start := lx.pos
	lx.pos += n
	lx.emit(Bad, start)
	lx.bag.Add(diag.SYN010, start, lx.pos, lx.text[start:lx.pos]).Fix("Remove it", start, lx.pos, "")
}

// mark reads what starts with a character that is no letter and no digit.
func (lx *lexer) mark(c byte) {
	start := lx.pos
	switch c {
	case '"':
		if strings.HasPrefix(lx.text[start:], `"""`) {
			lx.tripleString(triple)
		} else {
			lx.string(double)
		}
	case '\'':
		if strings.HasPrefix(lx.text[start:], "'''") {
			lx.tripleString(tripleSingle)
		} else {
			lx.string(single)
		}
	case '`':
		lx.pos++
		lx.template(start, true)
	case '#':
		lx.hash()
	case '@':
		lx.trait()
	case '/':
		lx.slash()
	case '|':
		if lx.previous().Kind == Colon && lx.at(start+1) != '|' && lx.restIsBlank(start+1) {
			lx.blockString()
			return
		}
		lx.operator(c)
	case '.':
		if class[lx.at(start+1)]&isDigit != 0 && !(lx.glued() && endsOperand(lx.previous().Kind)) {
			lx.number()
			return
		}
		lx.operator(c)
	case '(', '[', '{':
		lx.open = append(lx.open, c)
		lx.operator(c)
	case ')':
		lx.close('(')
		lx.operator(c)
	case ']':
		lx.close('[')
		lx.operator(c)
	case '}':
		if lx.closeBrace() {
			lx.pos++
			lx.template(start, false)
			return
		}
		lx.operator(c)
	default:
		lx.operator(c)
	}
}

// endsOperand says whether a value may end with a token of the kind.
func endsOperand(k Kind) bool {
	switch k {
	case Ident, StateRef, Number, String, Template, TemplateTail, Colour, Trait, RParen, RBracket, RBrace:
		return true
	}
	return false
}

func (lx *lexer) close(opener byte) {
	if n := len(lx.open); n > 0 && lx.open[n-1] == opener {
		lx.open = lx.open[:n-1]
	}
}

// closeBrace closes the innermost { or ${ and whatever stands open inside; it
// says whether a template goes on.
func (lx *lexer) closeBrace() bool {
	for n := len(lx.open) - 1; n >= 0; n-- {
		c := lx.open[n]
		lx.open = lx.open[:n]
		if c == '{' || c == 't' {
			return c == 't'
		}
	}
	return false
}

// inside is the innermost open bracket, 0 when there is none.
func (lx *lexer) inside() byte {
	if n := len(lx.open); n > 0 {
		return lx.open[n-1]
	}
	return 0
}

func (lx *lexer) restIsBlank(i int) bool {
	for ; i < len(lx.text); i++ {
		switch lx.text[i] {
		case ' ', '\t':
		case '\r', '\n':
			return true
		default:
			return false
		}
	}
	return true
}

// hash reads what starts with #: a comment, an annotation, a name reference, a
// selector, a directive or a colour.
func (lx *lexer) hash() {
	start := lx.pos
	switch next := lx.at(start + 1); {
	case next == '[' || next == '{':
		k := AnnotationOpen
		if next == '{' {
			k = NameOpen
		}
		lx.open = append(lx.open, next)
		lx.pos += 2
		lx.emit(k, start)
	case start+1 == len(lx.text) || class[next]&isSpace != 0:
		lx.pos = lx.out.Source.LineEnd(start)
		lx.comment(start, Hash)
		lx.bag.Add(diag.LNT005, start, start+1).Fix("Replace by '//'", start, start+1, "//")
	case (lx.glued() || class[next]&isWordStart != 0 && lx.namesBlock(start)) && lx.previous().Kind == Ident && class[next]&isWordPart != 0:
		lx.pos, _ = lx.wordEnd(start + 1)
		lx.emit(Selector, start)
	case class[next]&isWordStart != 0 && lx.startsDirective(start):
		lx.directive(start)
	case lx.colour(start):
	default:
		lx.bad(1)
	}
}

// namesBlock says whether a # at start begins the name of a block, kind #name { or
// kind #name @trait: no colour has such a neighbour behind a word.
func (lx *lexer) namesBlock(start int) bool {
	if len(lx.out.Tokens) == 0 || (lx.gap(start)|lx.flags)&NewlineBefore != 0 {
		return false
	}
	end, _ := lx.wordEnd(start + 1)
	for end < len(lx.text) && (lx.text[end] == ' ' || lx.text[end] == '\t') {
		end++
	}
	return end < len(lx.text) && (lx.text[end] == '{' || lx.text[end] == '@' || strings.HasPrefix(lx.text[end:], "using "))
}

// startsDirective says whether a # at start is first on its line, or continues
// a conditional block, where no ( or [ keeps the line from being a new one.
func (lx *lexer) startsDirective(start int) bool {
	if in := lx.inside(); in != 0 && in != '{' {
		return false
	}
	if len(lx.out.Tokens) == 0 || (lx.gap(start)|lx.flags)&NewlineBefore != 0 {
		return true
	}
	end, _ := lx.wordEnd(start + 1)
	word := lx.text[start+1 : end]
	return lx.previous().Kind == RBrace && (word == "else" || word == "elif")
}

func (lx *lexer) directive(start int) {
	end, _ := lx.wordEnd(start + 1)
	switch lx.text[start+1 : end] {
	case "if", "elif", "else":
		lx.pos = end
	default:
		lx.pos = len(strings.TrimRight(lx.text[:lx.out.Source.LineEnd(start)], " \t"))
	}
	lx.emit(Directive, start)
}

func (lx *lexer) colour(start int) bool {
	i := start + 1
	for class[lx.at(i)]&isHex != 0 {
		i++
	}
	switch i - start - 1 {
	case 3, 4, 6, 8:
	default:
		return false
	}
	if end, _ := lx.wordEnd(i); end != i {
		return false
	}
	lx.pos = i
	lx.emit(Colour, start)
	return true
}

func (lx *lexer) trait() {
	start := lx.pos
	end, foreign := lx.wordEnd(start + 1)
	if end == start+1 {
		lx.pos++
		lx.emit(At, start)
		return
	}
	for {
		sep := lx.at(end)
		next := lx.at(end + 1)
		if sep != '.' && sep != ':' || class[next]&(isLetter) == 0 && next != '_' {
			break
		}
		var more bool
		end, more = lx.wordEnd(end + 1)
		foreign = foreign || more
	}
	lx.pos = end
	lx.emit(Trait, start)
	if foreign {
		lx.bag.Add(diag.LNT014, start, end)
	}
}

func (lx *lexer) slash() {
	start := lx.pos
	switch next := lx.at(start + 1); {
	case next == '/':
		lx.pos = lx.out.Source.LineEnd(start)
		lx.comment(start, Line)
	case next == '*':
		if n := strings.Index(lx.text[start+2:], "*/"); n >= 0 {
			lx.pos = start + 2 + n + 2
		} else {
			lx.pos = len(lx.text)
			lx.bag.Add(diag.SYN006, start, start+2).Fix("Insert '*/'", lx.pos, lx.pos, "*/")
		}
		lx.comment(start, Block)
	case lx.regexFits():
		lx.regex()
	default:
		lx.operator('/')
	}
}

func (lx *lexer) regexFits() bool {
	switch p := lx.previous(); p.Kind {
	case LParen, Comma, Assign, Colon, LBracket, Not, AndAnd, OrOr, Question, FatArrow:
		return true
	case Ident:
		return p.Word == WReturn && (lx.gap(lx.pos)|lx.flags)&NewlineBefore == 0
	}
	return false
}

func (lx *lexer) regex() {
	start, class0 := lx.pos, false
	for i := start + 1; ; i++ {
		switch lx.at(i) {
		case '\\':
			if c := lx.at(i + 1); c != '\n' && c != '\r' {
				i++
			}
		case '[':
			class0 = true
		case ']':
			class0 = false
		case '/':
			if class0 {
				continue
			}
			i++
			for class[lx.at(i)]&isLetter != 0 {
				i++
			}
			lx.pos = i
			lx.emit(Regex, start)
			return
		case '\n', '\r', 0:
			if i < len(lx.text) && lx.text[i] == 0 {
				continue
			}
			lx.pos = len(strings.TrimRight(lx.text[:min(i, len(lx.text))], " \t"))
			lx.emit(Regex, start).Flags |= Damaged
			lx.bag.Add(diag.SYN022, start, lx.pos).Fix("Insert '/'", lx.pos, lx.pos, "/")
			return
		}
	}
}

// operator takes the longest operator that starts with c.
func (lx *lexer) operator(c byte) {
	start := lx.pos
	for _, o := range operatorsBy[c&127] {
		if strings.HasPrefix(lx.text[start:], o.Text) {
			if o.Kind == OptDot && class[lx.at(start+2)]&isDigit != 0 {
				continue // a?.5:1 is a ternary
			}
			lx.pos += len(o.Text)
			lx.emit(o.Kind, start)
			return
		}
	}
	lx.bad(1)
}

// operatorsBy lists the operators by their first byte, the longest first.
var operatorsBy = func() (t [128][]Operator) {
	for n := 3; n > 0; n-- {
		for _, o := range Operators {
			if len(o.Text) == n && o.Text[0] != '#' {
				t[o.Text[0]] = append(t[o.Text[0]], o)
			}
		}
	}
	return t
}()
