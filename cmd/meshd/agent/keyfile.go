package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/meshd/meshd/gateway/admin"
)

// keyHead is the first line of an exported key, which says what the file is.
const keyHead = "meshd secret key: whoever has this file signs as this key. Never use it in two places at once."

// keyFields are the lines after the first, in order. The last is there for a key that
// has an ML-DSA-65 half, whose seed it is.
var keyFields = [5]string{"name", "kind", "public", "secret", "second"}

// writeKey writes a key to a new file that only its owner can read.
func writeKey(path string, k admin.SecretKey) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write key: %s exists, and is left as it is", path)
	}
	if err != nil {
		return fmt.Errorf("write key: %w", err)
	}
	defer func() {
		if e := f.Close(); err == nil && e != nil {
			err = fmt.Errorf("write key: %w", e)
		}
		if err != nil {
			err = errors.Join(err, os.Remove(path))
		}
	}()
	text := fmt.Sprintf("%s\nname: %s\nkind: %s\npublic: %s\nsecret: %s\n", keyHead, k.Name, k.Kind, k.Public, k.Secret)
	if k.Second != "" {
		text += fmt.Sprintf("second: %s\n", k.Second)
	}
	if _, err := f.WriteString(text); err != nil {
		return fmt.Errorf("write key: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("write key: %w", err)
	}
	return nil
}

// parseKey reads what writeKey wrote. Whether the secret belongs to the public
// half is for the vault to say. Its errors do not repeat what the file contains.
func parseKey(text string) (admin.SecretKey, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != keyHead {
		return admin.SecretKey{}, errors.New("not a key that was exported")
	}
	fields := keyFields[:]
	if len(lines) == len(fields) {
		fields = fields[:len(fields)-1]
	}
	if len(text) > maxSecretFile || len(lines) != 1+len(fields) {
		return admin.SecretKey{}, errors.New("the file is damaged")
	}
	var values [len(keyFields)]string
	for i, name := range fields {
		value, ok := strings.CutPrefix(lines[1+i], name+": ")
		if !ok || value == "" {
			return admin.SecretKey{}, fmt.Errorf("the file is damaged: line %d is not its %s", i+2, name)
		}
		values[i] = value
	}
	return admin.SecretKey{KeyInfo: admin.KeyInfo{Name: values[0], Kind: values[1], Public: values[2]}, Secret: values[3], Second: values[4]}, nil
}
