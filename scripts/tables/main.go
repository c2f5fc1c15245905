// Command tables writes what follows from lang/run/table: constants of the
// interpreters in Go, TypeScript and the languages that targets carry.
//
//	go run ./scripts/tables [root of the repository]
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/meshd/meshd/lang/run/table"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	if err := write(root); err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

func write(root string) error {
	files, err := table.Files(func(path string) (string, error) {
		raw, err := os.ReadFile(filepath.Join(root, path))
		return string(raw), err
	})
	if err != nil {
		return err
	}
	for path, text := range files {
		full := filepath.Join(root, path)
		if old, err := os.ReadFile(full); err == nil && string(old) == text {
			continue
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			return err
		}
		fmt.Println(path)
	}
	return nil
}
