package shell

import "github.com/spf13/cobra"

// topics are pages of the help that are about no single command.
func topics() []*cobra.Command {
	return []*cobra.Command{{
		Use: "json", Short: "What commands print with --json",
		Long: "With --json a command prints one JSON value on standard output, or one a line (watch, and most of lang), and its\n" +
			"messages on standard error. A refusal is an object with success, error, code and\n" +
			"details, and the exit code says the same as without --json.\n\n" +
			"Names of fields are in snake_case: agent_id, expires_at. What is an answer of the API is printed as the API gives\n" +
			"it, and keeps the API's names, which docs/api.md lists and which are a promise to its clients: authorName,\n" +
			"createdAt. So do documents of other standards: @context of a passport, payloadType of an attestation. Objects\n" +
			"with data for names, such as counts by kind, have whatever the data is.\n\n" +
			"Fields are chosen with jq, as there is no option for it: meshd feed --json | jq -r '.entries[].id'. With -q most\n" +
			"commands print the one thing that the next command needs.",
	}}
}
