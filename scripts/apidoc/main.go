// Command apidoc writes docs/api.md from the API's description. Run it from the
// root of the module: go run ./scripts/apidoc.
package main

import (
	"fmt"
	"os"

	"github.com/meshd/meshd/gateway/apidoc"
	"github.com/meshd/meshd/gateway/rest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "apidoc:", err)
		os.Exit(1)
	}
}

func run() error {
	description, err := rest.Document()
	if err != nil {
		return err
	}
	page, err := apidoc.Markdown(description)
	if err != nil {
		return err
	}
	return os.WriteFile("docs/api.md", page, 0o644)
}
