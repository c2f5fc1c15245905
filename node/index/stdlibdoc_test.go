package index

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stdlib-doc judges the ranking on code: every function and method of the standard
// library is indexed without its comments, the query is the first sentence of the
// documentation of one of them, and the question is at which rank it comes back. The
// hard setting deletes the function's own name from the query. Functions of equal
// package, receiver and name (variants for operating systems) count as one. Weights must
// not be tuned on it.

// libFunc is one function of the corpus.
type libFunc struct {
	id       string // package, receiver and name
	doc      Document
	name     string
	docs     string // documentation, not part of doc
	sentence string // its first sentence
}

// readLibrary parses the packages below the given folders of GOROOT/src.
func readLibrary(tb testing.TB, folders ...string) []libFunc {
	tb.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output() // build.Default has none with -trimpath
	if err != nil {
		tb.Fatalf("find the standard library: %v", err)
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	var out []libFunc
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(src, folder), func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() {
				if name := e.Name(); name == "testdata" || name == "vendor" || path == filepath.Join(src, "cmd") {
					return filepath.SkipDir
				}
				return nil
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			rel, err := filepath.Rel(src, path)
			if err != nil {
				return err
			}
			funcs, err := readFile(path, filepath.ToSlash(rel))
			out = append(out, funcs...)
			return err
		})
		if err != nil {
			tb.Fatalf("read standard library: %v", err)
		}
	}
	return out
}

func readFile(path, rel string) ([]libFunc, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	bare := slices.Clone(text)
	for _, group := range file.Comments {
		for i := set.Position(group.Pos()).Offset; i < set.Position(group.End()).Offset; i++ {
			bare[i] = ' '
		}
	}
	cut := func(from, to token.Pos) string {
		return string(bare[set.Position(from).Offset:set.Position(to).Offset])
	}
	var out []libFunc
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		receiver, body := "", ""
		if fn.Recv != nil {
			receiver = cut(fn.Recv.Opening+1, fn.Recv.Closing)
		}
		if fn.Body != nil {
			body = cut(fn.Body.Lbrace+1, fn.Body.Rbrace)
		}
		f := libFunc{
			id:   filepath.Dir(rel) + " " + receiverType(receiver) + "." + fn.Name.Name,
			name: fn.Name.Name,
			doc: Document{
				Key: fmt.Sprintf("%.90s:%d", rel, set.Position(fn.Pos()).Line),
				Text: map[string]string{
					"name":      fn.Name.Name,
					"signature": receiver + " " + cut(fn.Type.Params.Pos(), fn.Type.End()),
					"path":      rel,
					"body":      body,
				},
			},
		}
		f.docs = fn.Doc.Text()
		f.sentence = new(doc.Package).Synopsis(f.docs)
		out = append(out, f)
	}
	return out, nil
}

// receiverType reduces a receiver to the name of its type.
func receiverType(receiver string) string {
	words := strings.Fields(receiver)
	if len(words) == 0 {
		return ""
	}
	return strings.TrimLeft(words[len(words)-1], "*")
}

// contentWords counts the words of a sentence that are no stop words.
func contentWords(s string) int {
	n := 0
	for _, w := range strings.Fields(s) {
		if w = strings.ToLower(strings.Trim(w, ".,;:()[]\"'`")); w != "" && !stopWords[w] {
			n++
		}
	}
	return n
}

// without deletes a name where it stands as a separate word.
func without(s, name string) string {
	isName := func(r rune) bool { return wordRune(r) }
	var b strings.Builder
	for s != "" {
		end := runEnd(s, isName)
		if end == 0 {
			_, end = decode(s)
			b.WriteString(s[:end])
		} else if s[:end] != name {
			b.WriteString(s[:end])
		}
		s = s[end:]
	}
	return b.String()
}

// sampleQueries picks n exported functions whose sentence, without their own name, has
// four content words and is that of no other function: fewer words or a shared sentence
// do not identify the function.
func sampleQueries(funcs []libFunc, n int) []libFunc {
	uses := make(map[string]map[string]bool)
	for _, f := range funcs {
		text := nameRemoved(f)
		if uses[text] == nil {
			uses[text] = make(map[string]bool)
		}
		uses[text][f.id] = true
	}
	var out []libFunc
	taken := make(map[string]bool)
	for _, f := range funcs {
		text := nameRemoved(f)
		if ast.IsExported(f.name) && len(uses[text]) == 1 && contentWords(text) >= 4 && !taken[f.id] {
			taken[f.id] = true
			out = append(out, f)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:min(n, len(out))]
}

// quality is what a set of queries measures.
type quality struct {
	mrr, r1, r10 float64
	deviation    float64 // standard error of mrr
}

func (q quality) String() string {
	return fmt.Sprintf("MRR@10 %.3f ±%.3f, R@1 %.3f, R@10 %.3f", q.mrr, q.deviation, q.r1, q.r10)
}

func openLibrary(tb testing.TB, funcs []libFunc, docs bool) *Index {
	tb.Helper()
	ix, err := Open("", Code())
	if err != nil {
		tb.Fatal(err)
	}
	for i, f := range funcs {
		d := f.doc
		if docs {
			d.Text = maps.Clone(d.Text)
			d.Text["docs"] = f.docs
		}
		if err := ix.Put("code:std", d); err != nil {
			tb.Fatal(err)
		}
		if i%5000 == 0 {
			if err := ix.Commit(uint64(i)); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return ix
}

// judge measures the rank of each wanted function, variants taken as one.
func judge(tb testing.TB, ix *Index, funcs, queries []libFunc, text func(libFunc) string) quality {
	tb.Helper()
	ids := make(map[string]string, len(funcs))
	for _, f := range funcs {
		ids[f.doc.Key] = f.id
	}
	var q quality
	var squares float64
	for _, want := range queries {
		res, err := ix.Search("code:std", Query{Text: text(want), Limit: 60})
		if err != nil {
			tb.Fatal(err)
		}
		var seen []string
		for _, h := range res.Hits {
			if id := ids[h.Key]; !slices.Contains(seen, id) {
				seen = append(seen, id)
			}
		}
		rank := slices.Index(seen, want.id) + 1
		if rank == 0 || rank > 10 {
			continue
		}
		q.r10++
		if rank == 1 {
			q.r1++
		}
		q.mrr += 1 / float64(rank)
		squares += 1 / float64(rank*rank)
	}
	n := float64(len(queries))
	q.mrr, q.r1, q.r10 = q.mrr/n, q.r1/n, q.r10/n
	q.deviation = math.Sqrt((squares/n - q.mrr*q.mrr) / n)
	return q
}

func nameKept(f libFunc) string    { return f.sentence }
func nameRemoved(f libFunc) string { return without(f.sentence, f.name) }

// TestStdlibDocSample keeps the ranking above a floor on a part of the library. The
// gate on all of it is BenchmarkStdlibDoc.
func TestStdlibDocSample(t *testing.T) {
	t.Parallel()
	funcs := readLibrary(t, "net", "encoding", "bufio", "bytes", "io", "os", "strings", "text", "time", "sort", "strconv")
	queries := sampleQueries(funcs, 300)
	plain, full := openLibrary(t, funcs, false), openLibrary(t, funcs, true)
	for _, c := range []struct {
		name  string
		ix    *Index
		text  func(libFunc) string
		floor float64
	}{
		{"name kept", plain, nameKept, 0.73},
		{"name removed", plain, nameRemoved, 0.37},
		{"docs indexed", full, nameRemoved, 0.90},
	} {
		q := judge(t, c.ix, funcs, queries, c.text)
		t.Logf("%s: %v (%d functions, %d queries)", c.name, q, len(funcs), len(queries))
		if q.mrr < c.floor {
			t.Errorf("%s: MRR@10 %.3f, want at least %.3f", c.name, q.mrr, c.floor)
		}
	}
}

// BenchmarkStdlibDoc is the gate on the whole standard library, 800 queries: it fails
// below the bar and reports the figures.
func BenchmarkStdlibDoc(b *testing.B) {
	funcs := readLibrary(b, ".")
	queries := sampleQueries(funcs, 800)
	plain, full := openLibrary(b, funcs, false), openLibrary(b, funcs, true)
	for _, c := range []struct {
		name string
		ix   *Index
		text func(libFunc) string
		bar  float64
	}{
		{"NameKept", plain, nameKept, 0.73},
		{"NameRemoved", plain, nameRemoved, 0.37},
		{"DocsIndexed", full, nameRemoved, 0.90},
	} {
		b.Run(c.name, func(b *testing.B) {
			var q quality
			for b.Loop() {
				q = judge(b, c.ix, funcs, queries, c.text)
			}
			b.ReportMetric(q.mrr, "MRR@10")
			b.ReportMetric(q.r1, "R@1")
			b.ReportMetric(q.r10, "R@10")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(queries)), "ns/query")
			b.ReportMetric(float64(len(funcs)), "functions")
			if q.mrr < c.bar {
				b.Errorf("MRR@10 %.3f, want at least %.2f", q.mrr, c.bar)
			}
		})
	}
}
