// Package gate judges the texts of a contribution: at the author's own node it
// refuses, at admission on every other node it keeps a text from being relayed
// and shown. What is wrong with a text is an opinion of this node and may
// improve with every release; what is a valid change is decided elsewhere and
// never changes.
//
// Start with New, once for each process, and ask Check about a whole entry or
// Text about any other field that people will read (profile fields, comments,
// messages). Pass makes of a draft that nothing refuses the value that
// a node signs. Duplicates need the store and are the node's business: NormalHash
// is what it compares, and package near.
//
// A report names codes, fields and positions. It never carries the matched
// text, nor a piece of it, so that a report may be logged, counted and sent.
//
// The path of a text: view.go prepares it (composition, invisible characters,
// one level of decoding), secret.go and leak.go look for credentials by their
// shape, echo.go for credentials by their name, spoken.go for passwords in a
// sentence, session.go and shell.go for
// transcripts and terminal output, inject.go for orders to the reader's agent,
// personal.go for what leads to a person, substance.go and praise.go for texts
// that say nothing.
// A new rule is a row in one of those tables, with texts for and against it
// in testdata/corpus, and a new value of Rules when verdicts change.
package gate
