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
			cid, err := v0.CIDWith(ucan.Hasher(hasher), token)
			if err != nil {
				return session.Usage("--hasher: %v", err)
			}
			if s.JSON {
				return s.PrintJSON(map[string]string{"cid": cid})
			}
			_, err = fmt.Fprintln(s.Out, cid)
			return err
		},
	}
	c.Flags().StringVar(&hasher, "hasher", string(ucan.SHA256), "SHA2-256, SHA2-512 or BLAKE3-256")
	return c
}
