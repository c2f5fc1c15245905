package vault

// Sizes and costs of this package.
const (
	secretSize = 32 // bytes of a stored secret, of the master key and of a key file

	maxName       = 80       // bytes of a name; an agent id has 56
	maxFile       = 16 << 10 // bytes of a file read; a post-quantum public part in hex has 3904
	maxPassphrase = 1 << 10  // bytes; longer ones are surely a wrong file

	// Costs of Argon2id for a new passphrase: the second recommendation of
	// RFC 9106 §4, half a second of one slow core.
	argonTime    = 3
	argonMemory  = 64 << 10 // KiB
	argonThreads = 4
	saltSize     = 16 // bytes

	// Costs accepted from a file, so that a damaged one cannot stop the machine.
	maxArgonTime    = 64
	maxArgonMemory  = 1 << 20 // KiB, 1 GiB
	maxArgonThreads = 64
)
