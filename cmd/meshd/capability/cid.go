package capability

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

func cmdCID(s *session.Session) *cobra.Command {
	var hasher string
	c := &cobra.Command{
		Use: "cid [FILE|-]", Short: "Print a token's content id", Args: fileOrInput,
		Long: "Print the content id of a token of UCAN 0.10, or of the delegation in a container of 1.0, the last one of a chain.",
		Example: "  meshd cap cid token.jwt\n" +
			"  meshd cap cid --hasher BLAKE3-256 token.jwt",
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := readInput(s, args)
			if err != nil {
				return err
			}
			token, _, err := readPresented(data)
			if err != nil {
				return err
			}
			if token == "" {
				return errors.New("input is empty")
			}
			if ucan.Sniff(token) == ucan.V1 {
				chain, err := readChain(token)
				if err != nil {
					return err
				}
				return printCID(s, chain[0].CID)
			}
			cid, err := v0.CIDWith(ucan.Hasher(hasher), token)
			if err != nil {
				return session.Usage("--hasher: %v", err)
			}
			return printCID(s, cid)
		},
	}
	c.Flags().StringVar(&hasher, "hasher", string(ucan.SHA256), "the hash function")
	session.Choices(c, "hasher", "SHA2-256", "SHA2-512", "BLAKE3-256")
	return c
}

func printCID(s *session.Session, cid string) error {
	if s.JSON {
		return s.PrintJSON(map[string]string{"cid": cid})
	}
	_, err := fmt.Fprintln(s.Out, cid)
	return err
}
