package gate

import (
	"math"
	"strings"
	"unicode"

	"github.com/meshd/meshd/crdt/reason"
)

// substance warns of a content that says nothing: text that fills a page until
// there is one, the same words over and over, praise of nothing in particular;
// of several the first.
func substance(content string, v view) []Finding {
	words := wordsOf(v.text)
	f := whole("", "content", content)
	f.Kind = "no-substance"
	switch {
	case filler(v.text, words):
		f.Code = reason.FillerText
	case repeats(wordsOf(quotation.ReplaceAllString(v.text, " "))):
		f.Code = reason.RepeatedWords
	case praises(v.text, words):
		f.Code = reason.EmptyPraise
	default:
		return nil
	}
	return []Finding{f}
}

// quotation is a quoted passage.
var quotation = expr("\"[^\"\n]{1,400}\"|`[^`\n]{1,400}`|“[^”\n]{1,400}”")

// wordsOf are the words of s in lower case. In scripts without spaces each two
// neighbouring letters are one.
func wordsOf(s string) []string {
	var out []string
	s = strings.ToLower(s)
	from, before := -1, -1 // where the word begins, and the letter without spaces before this one
	for i, r := range s {
		switch {
		case unicode.In(r, spaceless...) && unicode.IsLetter(r):
			if from >= 0 {
				out = append(out, s[from:i])
				from = -1
			}
			if before >= 0 {
				out = append(out, s[before:i+len(string(r))])
			}
			before = i
			continue
		case unicode.In(r, unicode.L, unicode.M, unicode.N) || from >= 0 && (r == '\'' || r == '’'):
			if from < 0 {
				from = i
			}
		case from >= 0:
			out = append(out, s[from:i])
			from = -1
		}
		before = -1
	}
	if from >= 0 {
		out = append(out, s[from:])
	}
	return out
}

// loremWords are those of the printers' mock Latin that no living language has
// many of.
var loremWords = wordSet(`lorem ipsum dolor amet consectetur consectetuer adipiscing adipisicing elit eiusmod tempor incididunt labore dolore magna
	aliqua veniam nostrud exercitation ullamco laboris aliquip commodo consequat duis aute irure reprehenderit voluptate velit esse cillum fugiat
	nulla pariatur excepteur occaecat cupidatat proident sunt culpa officia deserunt mollit anim laborum vestibulum pellentesque habitant morbi
	tristique senectus netus malesuada fames turpis egestas vivamus sagittis lacus vel augue laoreet rutrum faucibus phasellus curabitur
	sollicitudin ullamcorper maecenas aliquam blandit volutpat praesent euismod tincidunt nunc mauris cras donec suspendisse potenti fusce
	ligula lectus vehicula justo nibh porttitor scelerisque dictum feugiat interdum imperdiet condimentum ornare eleifend pretium sapien
	ultricies luctus cursus bibendum quisque nullam etiam proin integer sodales venenatis`)

// stopgaps are phrases that stand where a text will be.
var stopgaps = []string{
	"please ignore", "just testing", "just a test", "only a test", "this is a test", "test entry", "test post", "test message", "testing 1 2 3",
	"your text here", "your content here", "text goes here", "content goes here", "insert text", "insert content", "placeholder text",
	"placeholder content", "dummy text", "dummy content", "sample text", "filler text", "some random text", "random words", "write something here",
	"to be written later", "will be written later", "will write this later", "will fill this in later", "fill this in later", "to be done later",
	"coming soon", "watch this space", "under construction", "more to come", "nothing to see here", "details to follow",
	"the quick brown fox jumps over the lazy dog", "hello world hello world", "blah blah", "bla bla", "yada yada", "foo bar baz",
	"das ist nur ein test", "nur ein test", "esto es una prueba", "solo una prueba", "ceci est un test", "juste un test", "isto é um teste",
	"questo è un test", "dit is een test", "bitte ignorieren", "这是一个测试", "测试内容", "请忽略", "これはテスト", "テスト投稿", "это тест",
}

var keyboardRows = []string{"qwertyuiop", "asdfghjkl", "zxcvbnm", "poiuytrewq", "lkjhgfdsa", "mnbvcxz", "qwertzuiop", "azertyuiop"}

// filler reports mock Latin, hands on a keyboard, and placeholder phrases.
func filler(text string, words []string) bool {
	if len(words) == 0 {
		return false
	}
	latin, mash := 0, 0
	kinds := map[string]bool{}
	for _, w := range words {
		switch {
		case loremWords[w]:
			latin++
			kinds[w] = true
		case mashed(w):
			mash++
		}
	}
	if len(kinds) >= 4 && latin*10 >= len(words)*3 || mash >= 3 && mash*10 >= len(words)*3 {
		return true
	}
	text = strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) }), " ")
	held := 0
	for _, p := range stopgaps {
		held += strings.Count(text, p) * len(wordsOf(p))
	}
	return held*10 >= len(words)*3
}

// mashed reports a word that a hand leaves on a keyboard: a run of neighbouring
// keys, or one or two letters again and again.
func mashed(w string) bool {
	if len(w) < 4 || strings.IndexFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) >= 0 {
		return false
	}
	if n := distinct(w); n == 1 || n == 2 && len(w) >= 6 {
		return true
	}
	for _, row := range keyboardRows {
		if strings.Contains(row, w) && w != "were" && w != "tree" && w != "power" || len(w) >= 8 && strings.Contains(row+row, w) {
			return true
		}
	}
	half := len(w) / 2
	return len(w) >= 8 && w[:half] == w[half:2*half] && strings.IndexFunc(w[:half], vowel) < 0
}

func vowel(r rune) bool { return strings.ContainsRune("aeiouy", r) }

// repeats reports a text that says little in many words: three words in a row
// that stood there before, for a third of it; a word after itself, for a fifth;
// or far fewer different words than a text of that length has.
func repeats(words []string) bool {
	n := len(words)
	if n < 8 {
		return false
	}
	type three [3]string
	seen, kinds := map[three]bool{}, map[string]bool{}
	again, stuttered := 0, 0
	for i, w := range words {
		kinds[w] = true
		if i > 0 && words[i-1] == w {
			stuttered++
		}
		if i < 2 {
			continue
		}
		run := three{words[i-2], words[i-1], w}
		if seen[run] {
			again++
		}
		seen[run] = true
	}
	return again*3 >= n-2 || stuttered*5 >= n || float64(len(kinds)) < 1.25*math.Pow(float64(n), 0.68)
}
