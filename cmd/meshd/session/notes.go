package session

import "github.com/meshd/meshd/node/config"

// RecoveryNote names the file of a recovery key, and says what to do with it.
func RecoveryNote(file string) string {
	if file == "" {
		return ""
	}
	return file + "  (move it elsewhere: it takes the agent over)"
}

// LockedBy names what the settings lock the vault with.
func LockedBy(v config.Vault) string {
	if v.Passphrase != "" || v.PassphraseFile != "" {
		return "passphrase"
	}
	return "key_file"
}

// VaultNote says what opens the vault.
func VaultNote(v config.Vault) string {
	if LockedBy(v) == "passphrase" {
		return "locked by a passphrase"
	}
	return "unlocked by a key file"
}
