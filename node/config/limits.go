package config

import "time"

const (
	// maxFileBytes bounds the YAML file. A file with every key and its comments
	// is below 20 KiB.
	maxFileBytes = 1 << 20
	// maxListItems bounds a list value; the longest sensible list is a set of
	// bootstrap addresses.
	maxListItems = 256
	// maxFaults bounds how many faults are collected, so that a file that is
	// something else altogether does not print a book.
	maxFaults = 100
	// maxNameRunes is the limit of a name shown to people.
	maxNameRunes = 64
	// maxWelcomeRunes is the limit of the greeting of the overview.
	maxWelcomeRunes = 500
	// maxEmailRunes is the limit of an address by RFC 5321.
	maxEmailRunes = 254
	// maxAudienceRunes is more than any address has, and maxClaimRunes than any claim.
	maxAudienceRunes, maxClaimRunes = 512, 128
	// maxDrainDelay leaves most of the ten seconds of a stop to running requests.
	maxDrainDelay = 3 * time.Second
	// maxWalletDomains bounds the names a signature is tried against; each costs
	// the recovery of a key, about 0.1 ms.
	maxWalletDomains = 8
	// The events kept for readers who come back: few enough for a scan of the
	// table, and enough for a client that was away for a moment.
	minReplay, maxReplay = 100, 1_000_000
	minKeep, maxKeep     = time.Minute, 30 * 24 * time.Hour
)
