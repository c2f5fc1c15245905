package attestation

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/changeset"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/identity/did"
)

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
	_, _, files, err := changeset.Files(ctx, a.repo, target)
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
	if target == "" || changeset.IsFolder(target) {
		return verdict{}, did.Key{}, session.Usage("--trailers needs a git range")
	}
	_, head, files, err := changeset.Files(ctx, a.repo, target)
	if err != nil {
		return verdict{}, did.Key{}, err
	}
	message, err := changeset.Message(ctx, a.repo, head)
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
