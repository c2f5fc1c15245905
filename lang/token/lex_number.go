package token

import (
	"strings"

	"github.com/meshd/meshd/lang/diag"
)

// degree is the sign behind a number that means deg.
const degree = "°"

// number reads a number with its unit. A run that goes on with word characters
// is one token with SYN011.
func (lx *lexer) number() {
	start := lx.pos
	i, ok := lx.digits(start)
	if ok {
		i = lx.unit(start, i)
	}
	if end, _ := lx.wordEnd(i); end != i || !ok {
		lx.pos = end
		lx.emit(Number, start).Flags |= Damaged
		lx.bag.Add(diag.SYN011, start, end, lx.text[start:end])
		return
	}
	lx.pos = i
	lx.emit(Number, start)
}

// digits reads the number itself and says whether it is one.
func (lx *lexer) digits(start int) (end int, ok bool) {
	if lx.text[start] == '0' {
		switch lx.at(start + 1) {
		case 'x', 'X':
			end, ok = lx.group(start+2, isHex)
			return end, ok && end > start+2
		case 'b', 'B':
			if c := lx.at(start + 2); c == '0' || c == '1' {
				end, ok = lx.group(start+2, isDigit)
				for i := start + 2; i < end; i++ {
					ok = ok && (lx.text[i] <= '1' || lx.text[i] == '_')
				}
				return end, ok
			}
		}
	}
	i, ok := lx.group(start, isDigit)
	if lx.at(i) == '.' && class[lx.at(i+1)]&isDigit != 0 {
		var fraction bool
		i, fraction = lx.group(i+1, isDigit)
		ok = ok && fraction
	}
	if c := lx.at(i); c == 'e' || c == 'E' {
		j := i + 1
		if s := lx.at(j); s == '+' || s == '-' {
			j++
		}
		if class[lx.at(j)]&isDigit != 0 {
			var exponent bool
			i, exponent = lx.group(j, isDigit)
			ok = ok && exponent
		}
	}
	return i, ok
}

// group reads digits with single underscores between them.
func (lx *lexer) group(i int, digit uint8) (end int, ok bool) {
	start := i
	for class[lx.at(i)]&digit != 0 || lx.at(i) == '_' {
		if lx.at(i) == '_' && (i == start || class[lx.at(i+1)]&digit == 0) {
			return i, false
		}
		i++
	}
	return i, true
}

// unit reads what is glued behind a number: %, °, °C, °F, or letters with an exponent and
// one more unit behind a slash.
func (lx *lexer) unit(start, i int) int {
	if lx.at(i) == '%' {
		next := lx.at(i + 1)
		if class[next]&isWordPart != 0 || next == '(' || next == '=' {
			return i
		}
		if end, _ := lx.wordEnd(i + 1); end != i+1 {
			return i
		}
		return i + 1
	}
	if strings.HasPrefix(lx.text[i:], degree) {
		i += len(degree)
		if strings.HasPrefix(lx.text[i:], "/s") {
			if end, _ := lx.wordEnd(i + 1); end == i+2 {
				return end
			}
		}
		if c := lx.at(i); c == 'C' || c == 'F' { // a temperature
			if end, _ := lx.wordEnd(i); end == i+1 {
				return end
			}
		}
		return i
	}
	j := lx.unitName(i)
	if j > i && lx.at(j) == '/' {
		if k := lx.unitName(j + 1); k > j+1 {
			return k
		}
	}
	return j
}

func (lx *lexer) unitName(i int) int {
	start := i
	for class[lx.at(i)]&isLetter != 0 {
		i++
	}
	if i > start && lx.at(i) == 0xc2 && (lx.at(i+1) == 0xb2 || lx.at(i+1) == 0xb3) { // ² ³
		i += 2
	}
	return i
}
