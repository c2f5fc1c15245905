package token

import "strings"

// proseEnd is the length of what a text says in plain words before its first item, as
// agents are written that begin with their prompt; 0 where it does not. The lexer takes
// it for a comment.
func proseEnd(text string) int {
	line := firstLine(text)
	if !isProse(line) {
		return 0
	}
	end := 0
	for at := 0; at < len(text); {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return 0
		}
		line := strings.TrimRight(text[at:at+next], " \t\r")
		if startsCode(line) {
			return end
		}
		if line != "" {
			end = at + len(line)
		}
		at += next + 1
	}
	return 0
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// isProse says whether a line is a sentence: a capital, five words and more, and no sign
// that code has.
func isProse(line string) bool {
	return line != "" && line[0] >= 'A' && line[0] <= 'Z' && strings.Count(line, " ") >= 4 && !strings.ContainsAny(line, "{}[]=;@#<>\"`|")
}

// startsCode says whether a line begins what is no prose: a comment, a directive, a
// trait or a block.
func startsCode(line string) bool {
	switch {
	case strings.HasPrefix(line, "//"), strings.HasPrefix(line, "/*"):
		return true
	case len(line) > 1 && (line[0] == '#' || line[0] == '@'):
		return class[line[1]]&isLetter != 0
	}
	head, _, brace := strings.Cut(line, "{")
	return brace && line[0] >= 'a' && line[0] <= 'z' && strings.Trim(head, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ \"'-") == ""
}
