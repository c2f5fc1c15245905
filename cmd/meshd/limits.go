package main

import "time"

const (
	// stopWithin bounds a stop: what is not ended by then is cut.
	stopWithin = 10 * time.Second
	// stopPatience is how much longer `meshd stop` waits for the process to go.
	stopPatience = 5 * time.Second
	// maxReply bounds one answer in memory, in bytes: a page of a hundred whole
	// entries is far below it.
	maxReply = 32 << 20
	// maxImportReply bounds the report of an import, in bytes: it names every fault.
	maxImportReply = 1 << 30
	// maxText bounds what is read from standard input, in bytes: far over the
	// longest entry, so that the gate says how much too long a text is.
	maxText = 1 << 20
	// maxWalletFile bounds a file with a wallet's secret, in bytes: 66 characters
	// and a line end are what it takes.
	maxWalletFile = 256
	// maxSecretFile bounds a file with an exported key or a recovery key, in bytes:
	// five short lines; the longest is the public half of a post-quantum key.
	maxSecretFile = 8 << 10
	// maxAhead is how far ahead of this clock a gateway's time may be.
	maxAhead = 10 * time.Minute
	// maxDevnet bounds the nodes of one process, so that the ports of the API
	// and those of the peers do not meet.
	maxDevnet   = 100
	devnetPorts = 100 // from the API's ports to those of the peers
	// minSharedSecret and maxSharedSecret bound the file that gateways of one
	// database share, in bytes: too short could be guessed, and a book is a mistake.
	minSharedSecret = 32
	maxSharedSecret = 4 << 10
	// adminHeaderTime bounds the headers of a request to the admin listener.
	adminHeaderTime = 10 * time.Second
	// doctorTime bounds what doctor waits for the running node.
	doctorTime = 10 * time.Second
	// maxEventLine bounds one line of a stream of events, in bytes: an event with
	// the longest message is far below it.
	maxEventLine = 256 << 10
	// watchPause is how long a watch waits before it connects again, and
	// maxWatchPause what that grows to while there is no node.
	watchPause    = 250 * time.Millisecond
	maxWatchPause = 8 * time.Second
)
