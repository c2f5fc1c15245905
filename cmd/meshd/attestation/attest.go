package attestation

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/store"
)

func cmdAttest(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "attest", Short: "Sign code changes, and check who signed them", Args: session.Subcommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(cmdSign(s), cmdVerify(s))
	return c
}

// attestation holds the flags of both commands.
type attestation struct {
	repo     string
	key      string
	output   string
	envelope string
	author   string
	trailers bool
}

const attestTargets = "RANGE is A..B of a git repository (A.. ends at HEAD): what changed from commit A to commit B, blobs as git\n" +
	"has them. FOLDER is every file below it but .git, each as added. Links count as the path they name, executables\n" +
	"and submodules as what they are. docs/attest.md says how to check by hand."

func cmdSign(s *session.Session) *cobra.Command {
	var a attestation
	c := &cobra.Command{
		Use: "sign RANGE|FOLDER", Short: "Sign a git range or a folder", Args: session.One("git range or folder"),
		Long: "Sign the changed files of a git range, or a folder, as a DSSE envelope with an in-toto statement; or with\n" +
			"--trailers as three lines for a commit message. Signs as the owner's agent, with the key of this home, or with\n" +
			"the key in a file, which nobody but you should be able to read: 64 hex digits, or a recovery file.\n\n" + attestTargets,
		RunE: func(c *cobra.Command, args []string) error { return sign(c.Context(), s, a, args[0]) },
	}
	f := c.Flags()
	f.StringVar(&a.repo, "repo", ".", "folder of the git repository")
	f.StringVar(&a.key, "key", "", "file with the key to sign with, instead of this home's")
	f.StringVarP(&a.output, "output", "o", "", "file to write, instead of standard output")
	f.BoolVar(&a.trailers, "trailers", false, "print trailers for a commit message")
	return c
}

func cmdVerify(s *session.Session) *cobra.Command {
	var a attestation
	c := &cobra.Command{
		Use: "verify [RANGE|FOLDER]", Short: "Check an attestation against the files", Args: session.AtMostOne("git range or folder"),
		Long: "Compute the changed files again and compare them with what was signed. Without a range or folder, the range is\n" +
			"the one the envelope names. With --trailers, the trailers are those of the last commit of the range. The exit\n" +
			"code is 1 when the signature is not the author's or a file differs; every such file is named.\n\n" + attestTargets,
		RunE: func(c *cobra.Command, args []string) error {
			target := ""
			if len(args) > 0 {
				target = args[0]
			}
			return verify(c.Context(), s, a, target)
		},
	}
	f := c.Flags()
	f.StringVar(&a.repo, "repo", ".", "folder of the git repository")
	f.StringVar(&a.envelope, "envelope", "", "file with the envelope, - for standard input")
	f.BoolVar(&a.trailers, "trailers", false, "check the trailers of the last commit of the range")
	f.StringVar(&a.author, "author", "", "the did:key that must have signed")
	return c
}

func sign(ctx context.Context, s *session.Session, a attestation, target string) error {
	if a.output != "" && isFolder(target) && isBelow(a.output, target) {
		return session.Usage("--output %s lies in the folder that is signed", a.output)
	}
	base, head, files, err := changedFiles(ctx, a.repo, target)
	if err != nil {
		return err
	}
	signer, err := signingKey(ctx, s, a.key)
	if err != nil {
		return err
	}
	var text []byte
	if a.trailers {
		t, err := attest.SignTrailers(files, signer)
		if err != nil {
			return err
		}
		text = []byte(t.String())
	} else {
		e, err := attest.SignCode(attest.Code{Base: base, Head: head, Files: files}, signer)
		if err != nil {
			return err
		}
		if text, err = e.Encode(); err != nil {
			return err
		}
		text = append(text, '\n')
	}
	if a.output == "" {
		_, err := s.Out.Write(text)
		return err
	}
	if err := store.AtomicWrite(a.output, text, 0o644); err != nil {
		return fmt.Errorf("write attestation: %w", err)
	}
	s.Say("signed    %s as %s", plural.Count(len(files), "file"), signer.Key())
	return nil
}

// signingKey is the key in a file, or that of the owner's agent.
func signingKey(ctx context.Context, s *session.Session, file string) (keys.Signer, error) {
	if file != "" {
		return readKeyFile(file)
	}
	in, err := s.OpenHome(ctx)
	if locked := (*store.LockedError)(nil); errors.As(err, &locked) {
		return nil, fmt.Errorf("%w; its keys are in use there: stop it, or give --key", err)
	}
	if err != nil {
		return nil, err
	}
	signer, err := in.Node.Vault().Signer(node.OwnerKey)
	return signer, errors.Join(err, in.Close())
}

// readKeyFile reads a secret of 64 hex digits, alone or on the line "seed: …" of
// a recovery file. Its errors do not repeat what the file holds.
func readKeyFile(file string) (keys.Signer, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxKeyFile+1))
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	secret := strings.TrimSpace(string(text))
	for line := range strings.Lines(secret) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "seed: "); ok {
			secret = rest
		}
	}
	seed, err := hex.DecodeString(secret)
	if err != nil || len(seed) != keys.SeedSize {
		return nil, fmt.Errorf("read key: %s holds no key: want 64 hex digits", file)
	}
	return keys.FromSeed([keys.SeedSize]byte(seed)), nil
}

// verdict is what `attest verify` prints.
type verdict struct {
	Valid       bool         `json:"valid"`
	Author      string       `json:"author"`
	Digest      string       `json:"digest"`
	Base        string       `json:"base,omitempty"`
	Head        string       `json:"head,omitempty"`
	Files       int          `json:"files"`
	Why         string       `json:"why,omitempty"`
	Differences []difference `json:"differences"`
}

type difference struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

func verify(ctx context.Context, s *session.Session, a attestation, target string) error {
	if a.trailers == (a.envelope != "") {
		return session.Usage("meshd attest verify needs one of --envelope FILE and --trailers")
	}
	var must did.Key
	if a.author != "" {
		var err error
		if must, err = did.ParseKey(a.author); err != nil {
			return session.Usage("--author: %v", err)
		}
	}
	check := checkEnvelope
	if a.trailers {
		check = checkTrailers
	}
	v, author, err := check(ctx, s, a, target)
	if err != nil {
		return err
	}
	if v.Valid && a.author != "" && author != must {
		v.Valid, v.Why = false, "signed by another than --author"
	}
	return printVerdict(s, v)
}

// checkEnvelope compares the files with an envelope. Its error is for what could
// not be checked; a bad attestation is a verdict.
func checkEnvelope(ctx context.Context, s *session.Session, a attestation, target string) (verdict, did.Key, error) {
	in, err := s.OpenInput(a.envelope)
	if err != nil {
		return verdict{}, did.Key{}, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, attest.MaxEnvelope+1))
	if err != nil {
		return verdict{}, did.Key{}, fmt.Errorf("read envelope: %w", err)
	}
	e, err := attest.ParseEnvelope(data)
	if err != nil {
		return verdict{}, did.Key{}, err
	}
	code, err := attest.OpenCode(e)
	if err != nil {
		return verdict{Why: err.Error()}, did.Key{}, nil
	}
	if target == "" {
		if code.Base == "" {
			return verdict{}, did.Key{}, session.Usage("the envelope is of a folder: name it")
		}
		target = code.Base + ".." + code.Head
	}
	_, _, files, err := changedFiles(ctx, a.repo, target)
	if err != nil {
		return verdict{}, did.Key{}, err
	}
	digest, err := attest.Digest(code.Files)
	if err != nil {
		return verdict{}, did.Key{}, err
	}
	v := verdict{
		Author: code.Author.String(), Digest: fmt.Sprintf("sha256:%x", digest), Base: code.Base, Head: code.Head, Files: len(code.Files),
	}
	for _, d := range code.Compare(files) {
		v.Differences = append(v.Differences, difference{d.Path, d.Why})
	}
	if v.Valid = len(v.Differences) == 0; !v.Valid {
		v.Why = "the files are not those that were signed"
	}
	return v, code.Author, nil
}

// checkTrailers compares the files of a range with the trailers of its last
// commit. Trailers name no files, so a difference cannot.
func checkTrailers(ctx context.Context, s *session.Session, a attestation, target string) (verdict, did.Key, error) {
	if target == "" || isFolder(target) {
		return verdict{}, did.Key{}, session.Usage("--trailers needs a git range")
	}
	_, head, files, err := changedFiles(ctx, a.repo, target)
	if err != nil {
		return verdict{}, did.Key{}, err
	}
	message, err := git{a.repo}.message(ctx, head)
	if err != nil {
		return verdict{}, did.Key{}, err
	}
	t, err := attest.ParseTrailers(message)
	if err != nil {
		return verdict{}, did.Key{}, err
	}
	v := verdict{Author: t.Author.String(), Digest: fmt.Sprintf("sha256:%x", t.Digest), Head: head, Files: len(files)}
	if err := t.Verify(files); err != nil {
		v.Why = err.Error()
		return v, t.Author, nil
	}
	v.Valid = true
	return v, t.Author, nil
}

func printVerdict(s *session.Session, v verdict) error {
	if v.Differences == nil {
		v.Differences = []difference{}
	}
	if s.JSON {
		if err := s.PrintJSON(v); err != nil {
			return err
		}
	} else {
		verdict := s.Paint(session.Green, "valid")
		if !v.Valid {
			verdict = s.Paint(session.Red, "not valid")
		}
		files := ""
		if v.Author != "" {
			files = fmt.Sprint(v.Files)
		}
		if err := s.Facts("verdict", verdict, "author", v.Author, "digest", v.Digest, "base", v.Base, "head", v.Head, "files", files); err != nil {
			return err
		}
		for _, d := range v.Differences {
			fmt.Fprintf(s.Out, "  %s %s\n", terminal.Plain(d.Path), d.Why)
		}
	}
	if !v.Valid {
		return fmt.Errorf("the attestation does not hold: %s", terminal.OneLine(v.Why, 300))
	}
	return nil
}

// changedFiles are the files of a range, with its commits, or of a folder.
func changedFiles(ctx context.Context, repo, target string) (base, head string, files []attest.File, err error) {
	if isFolder(target) {
		files, err = folderFiles(target)
		return "", "", files, err
	}
	from, to, ok := strings.Cut(target, "..")
	if !ok || from == "" || strings.HasPrefix(to, ".") {
		return "", "", nil, session.Usage("%q is neither a folder nor a git range A..B", target)
	}
	if to == "" {
		to = "HEAD"
	}
	g := git{repo}
	if base, err = g.commit(ctx, from); err != nil {
		return "", "", nil, err
	}
	if head, err = g.commit(ctx, to); err != nil {
		return "", "", nil, err
	}
	files, err = g.changes(ctx, base, head)
	return base, head, files, err
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// isBelow reports whether a file would lie in a folder.
func isBelow(file, folder string) bool {
	f, errFile := filepath.Abs(file)
	d, errFolder := filepath.Abs(folder)
	if errFile != nil || errFolder != nil {
		return false
	}
	rel, err := filepath.Rel(d, f)
	return err == nil && filepath.IsLocal(rel)
}
