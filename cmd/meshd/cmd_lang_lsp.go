package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/lang/lsp"
)

func (p *program) cmdLangLSP() *cobra.Command {
	return &cobra.Command{
		Use: "lsp", Short: "Serve an editor on standard input and output", Args: nothing,
		Long: "Speak the Language Server Protocol 3.17 on standard input and output. What sources import is read below the\n" +
			"root that the editor names, and nowhere else.",
		RunE: func(c *cobra.Command, _ []string) error { return p.serveEditor(c.Context()) },
	}
}

// serveEditor carries messages between an editor and the language server until
// the editor ends.
func (p *program) serveEditor(ctx context.Context) error {
	roots := map[string]*os.Root{}
	defer func() {
		for _, r := range roots {
			_ = r.Close()
		}
	}()
	server := lsp.New(lsp.Config{Name: "meshd", Version: version(), Open: func(folder string) (fs.FS, error) {
		folder = filepath.FromSlash(folder)
		if r := roots[folder]; r != nil {
			return r.FS(), nil
		}
		r, err := os.OpenRoot(folder)
		if err != nil {
			return nil, err
		}
		roots[folder] = r
		return r.FS(), nil
	}})
	in := bufio.NewReader(p.in)
	for ctx.Err() == nil {
		message, err := readFrame(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read message: %w", err)
		}
		for _, out := range server.Handle(message) {
			if _, err := fmt.Fprintf(p.out, "Content-Length: %d\r\n\r\n%s", len(out), out); err != nil {
				return fmt.Errorf("write message: %w", err)
			}
		}
		if ended, inOrder := server.Ended(); ended {
			if !inOrder {
				return errors.New("the editor left without a shutdown")
			}
			return nil
		}
	}
	return context.Cause(ctx)
}

// readFrame reads a message with its header.
func readFrame(in *bufio.Reader) ([]byte, error) {
	length := -1
	for first := true; ; first = false {
		slice, err := in.ReadSlice('\n') // at most the reader's buffer
		if err != nil {
			if errors.Is(err, io.EOF) && (!first || len(slice) > 0) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		line := strings.TrimRight(string(slice), "\r\n")
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > lsp.MaxMessage {
				return nil, fmt.Errorf("the length %q is not one of a message", value)
			}
		}
	}
	if length < 0 {
		return nil, errors.New("a message has no Content-Length")
	}
	message := make([]byte, length)
	if _, err := io.ReadFull(in, message); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return message, nil
}
