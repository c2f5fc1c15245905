package meshd_test

import (
	"go/ast"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// retired is a word that comments and help texts do without, since an engineer of the
// field has another for it.
type retired struct {
	word    *regexp.Regexp
	instead string
	fine    []*regexp.Regexp // phrases in which it is right
	in      []string         // folders in which it is a word of the domain
}

var retiredWords = []retired{
	{
		word: regexp.MustCompile(`\b(told|tells?|telling)\b`), instead: "report, notify, publish, show, distinguish",
		fine: patterns(`^told waits`), // a name
	},
	{
		word: regexp.MustCompile(`\b(hears?|heard|hearing)\b`), instead: "receive, subscribe to",
		fine: patterns(`seen and heard`), // a sound
	},
	{
		word: regexp.MustCompile(`\b(holds?|held|holding)\b`), instead: "contain, have, store, keep, be valid, be in force",
		fine: patterns(
			// A lock is held, by whoever holds it.
			`\b(locks?|mu|writing|homes)\b[^.]* (holds?|held)\b`, `\b(holds?|holding) ((the|a|no|write) )*(lock|mu)\b`, `^(write-)?held (by|while)\b`, `held while asking`,
			// Changes wait for admission, and credits in an escrow.
			`\bheld changes?( stay held)?\b`, `held, or kept`, `held (or|and) deferred|refused, held`, `change\.held`, `nothing is held`, `is held (with|until)`, `admission held`,
			`\b(held|holds) back\b`, `\bon hold\b`, `\bholds for bounties\b`,
			// Names, and mathematics.
			`^hold (remembers|URL)`, `that hold was called for`, `^held is a request`, `equation holds`, `alternative holds`, `the state holds`,
		),
		in: []string{"node/admission", "node/core", "crdt/log", "lang/scene", "lang/target"}, // admission; bodies and joints
	},
	{
		word: regexp.MustCompile(`\bdoors?\b`), instead: "endpoint",
		fine: patterns(`"door"`, `\bdoor: changes signed elsewhere`, `map as often as of a door`, `Hall\.door`),
	},
	{word: regexp.MustCompile(`\b(errands?|speakers?|writs?|homed)\b`), instead: "request, signer, grant, registered"},
	{
		word: regexp.MustCompile(`\bboxes\b`), instead: "keys to seal for", // the word is for solids alone
		in: []string{"lang", "identity/zone", "gateway/memory", "gateway/scene", "gateway/visit"},
	},
	{
		word: regexp.MustCompile(`\b[hH]and(s|ed)? (it |them )?(out|over|on|in)\b`), instead: "send, serve, pass on, submit, delegate",
		fine: patterns(`mock Latin, hands on a keyboard`, `own hand in the file`, `event of the hand on a node`), // of people
	},
	{word: regexp.MustCompile(`\blets? (in|(nobody|anybody|everybody|it|others|them) in)\b`), instead: "admit, accept"},
}

func patterns(list ...string) (out []*regexp.Regexp) {
	for _, p := range list {
		out = append(out, regexp.MustCompile(p))
	}
	return out
}

// TestRetiredWordsStayAway: comments and help texts are written in the words of the
// field. A word that is right in its place gets a phrase in retiredWords.
func TestRetiredWordsStayAway(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	sources(t, func(pkg, file string, f *ast.File) {
		for _, text := range slices.Concat(comments(f), helpTexts(pkg, file, f)) {
			for _, found := range retiredIn(pkg, text, used) {
				t.Errorf("%s: %s", file, found)
			}
		}
	})
	for _, r := range retiredWords {
		for _, p := range r.fine {
			if !used[p.String()] {
				t.Errorf("nothing needs the phrase %q any more; take it out of retiredWords", p)
			}
		}
		for _, dir := range r.in {
			if !used[dir] {
				t.Errorf("nothing in %s needs %q any more; take it out of retiredWords", dir, r.word)
			}
		}
	}
}

// TestRetiredWordsAreFound: the search finds what it is for, in comments and in help.
func TestRetiredWordsAreFound(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Keep tells the agent of it.", "what the caller may hear", "the token holds two rights", "Key is held by the agent.", "what comes by this door",
		"It runs an errand.", "agents homed here", "Changes hands out what it has.", "serve lets nobody in.", "the boxes of an agent",
	} {
		if len(retiredIn("node", text, map[string]bool{})) == 0 {
			t.Errorf("%q passes", text)
		}
	}
	for _, text := range []string{
		"The caller holds the write lock.", "leave takes the peer out of a room; mu is held.", "an entry that is held back",
		`a peer is an id or "door"`, "Hold withholds a change.", "a telltale of the boxer",
	} {
		if found := retiredIn("node", text, map[string]bool{}); found != nil {
			t.Errorf("%q: %v", text, found)
		}
	}
}

// retiredIn are the retired words in a text of a package, with the sentence of each and
// what stands there instead. It notes in used which exceptions were needed.
func retiredIn(pkg, text string, used map[string]bool) (found []string) {
	for sentence := range strings.SplitSeq(strings.Join(strings.Fields(text), " "), ". ") {
		for _, r := range retiredWords {
			rest := sentence
			for _, p := range r.fine {
				if r.word.MatchString(rest) && p.MatchString(rest) {
					used[p.String()], rest = true, p.ReplaceAllString(rest, "")
				}
			}
			word := r.word.FindString(rest)
			if word == "" {
				continue
			}
			if at := slices.IndexFunc(r.in, func(dir string) bool { return pkg == dir || strings.HasPrefix(pkg, dir+"/") }); at >= 0 {
				used[r.in[at]] = true
				continue
			}
			found = append(found, strconv.Quote(word)+" in "+strconv.Quote(sentence)+"; instead: "+r.instead)
		}
	}
	return found
}

// comments are the texts of the comments of a file.
func comments(f *ast.File) (out []string) {
	for _, c := range f.Comments {
		out = append(out, c.Text())
	}
	return out
}

// flagCall are the methods that declare a flag; the last argument is its help.
var flagCall = regexp.MustCompile(`^(String|Bool|Int|Int64|Uint|Float64|Duration|Count)(Slice|Array)?(Var)?P?$`)

// helpTexts are the texts of a file that help a reader: of verbs and flags, of fields,
// tools and settings, and of the fields of replies.
func helpTexts(pkg, file string, f *ast.File) (out []string) {
	if strings.HasSuffix(file, "_test.go") || !slices.Contains([]string{"cmd", "gateway", "node", "p2p"}, room(pkg)) {
		return nil
	}
	add := func(e ast.Expr) {
		var whole strings.Builder
		ast.Inspect(e, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					whole.WriteString(text)
				}
			}
			return true
		})
		out = append(out, whole.String())
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok && slices.Contains([]string{"Short", "Long", "Help"}, id.Name) {
				add(n.Value)
			}
		case *ast.CallExpr:
			if x, ok := n.Fun.(*ast.SelectorExpr); ok && room(pkg) == "cmd" && flagCall.MatchString(x.Sel.Name) && len(n.Args) > 2 {
				add(n.Args[len(n.Args)-1])
			}
		case *ast.Field:
			if n.Tag != nil {
				if text, err := strconv.Unquote(n.Tag.Value); err == nil {
					out = append(out, reflect.StructTag(text).Get("doc"))
				}
			}
		}
		return true
	})
	return out
}
