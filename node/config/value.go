package config

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Size is a number of bytes, written as 64MiB, 1GB or 4096.
type Size int64

// sizeUnits are the units of ParseSize, longest suffix first.
var sizeUnits = []struct {
	suffix string
	factor int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

// ParseSize reads a whole number of bytes with an optional unit: B, kB, MB, GB,
// TB (powers of 1000) or KiB, MiB, GiB, TiB (powers of 1024).
func ParseSize(s string) (Size, error) {
	digits, factor := strings.TrimSpace(s), int64(1)
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(digits, u.suffix); ok {
			digits, factor = strings.TrimSpace(rest), u.factor
			break
		}
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil {
		return 0, errors.New("want a size such as 64MiB")
	}
	if n > uint64(math.MaxInt64/factor) {
		return 0, errors.New("size is too large")
	}
	return Size(int64(n) * factor), nil
}

// String writes the size with the largest unit that keeps it whole; ParseSize
// reads it back to the same value.
func (s Size) String() string {
	for _, u := range []struct {
		suffix string
		shift  uint
	}{{"TiB", 40}, {"GiB", 30}, {"MiB", 20}, {"KiB", 10}} {
		if s != 0 && s%(1<<u.shift) == 0 {
			return strconv.FormatInt(int64(s>>u.shift), 10) + u.suffix
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

// redacted stands for a secret in everything that is printed.
const redacted = "(redacted)"

// Secret is a text that must not be shown. It prints, logs and marshals as
// "(redacted)"; Reveal is the only way to its value.
type Secret string

// Reveal returns the secret itself.
func (s Secret) Reveal() string { return string(s) }

// String hides the secret; an empty one shows as empty.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// GoString hides the secret from %#v.
func (s Secret) GoString() string { return strconv.Quote(s.String()) }

// LogValue hides the secret from slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText hides the secret from JSON and YAML.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// parse turns a raw value, a string or a []string, into the Go value of the
// key. Its errors never quote the value of a secret.
func (k *Key) parse(raw any) (any, error) {
	text, single := raw.(string)
	if !single {
		items, ok := raw.([]string)
		if !ok || k.Type() != TypeList {
			return nil, fmt.Errorf("want one %s, not a list", k.Type())
		}
		return cleanList(items)
	}
	switch k.at(&Config{}).(type) {
	case *string:
		return cleanText(text)
	case *Secret:
		if strings.ContainsRune(text, 0) {
			return nil, errors.New("contains a NUL byte")
		}
		return Secret(text), nil
	case *bool:
		return parseBool(text)
	case *int:
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			return nil, errors.New("want a whole number")
		}
		return n, nil
	case *time.Duration:
		d, err := time.ParseDuration(strings.TrimSpace(text))
		if err != nil {
			return nil, errors.New("want a duration such as 30s or 15m")
		}
		return d, nil
	case *Size:
		return ParseSize(text)
	default: // *[]string: a test limits the table to these seven types
		return cleanList(strings.Split(text, ","))
	}
}

// mustParse parses a value of our own tables.
func (k *Key) mustParse(raw any) any {
	v, err := k.parse(raw)
	if err != nil {
		panic(fmt.Sprintf("config: built-in value of %s: %v", k.Name, err))
	}
	return v
}

// assign stores a value made by parse.
func (k *Key) assign(c *Config, v any) {
	switch p := k.at(c).(type) {
	case *string:
		*p = v.(string)
	case *Secret:
		*p = v.(Secret)
	case *bool:
		*p = v.(bool)
	case *int:
		*p = v.(int)
	case *time.Duration:
		*p = v.(time.Duration)
	case *Size:
		*p = v.(Size)
	case *[]string:
		*p = v.([]string)
	}
}

// value reads the value of the key in c.
func (k *Key) value(c *Config) any {
	switch p := k.at(c).(type) {
	case *string:
		return *p
	case *Secret:
		return *p
	case *bool:
		return *p
	case *int:
		return *p
	case *time.Duration:
		return *p
	case *Size:
		return *p
	case *[]string:
		return *p
	}
	return nil
}

// format writes a value as a person would; parse reads it back, but for secrets.
func format(v any) string {
	switch v := v.(type) {
	case []string:
		return strings.Join(v, ",")
	case time.Duration:
		return formatDuration(v)
	default:
		return fmt.Sprint(v)
	}
}

// formatDuration drops the zero units Go prints: 15m, not 15m0s.
func formatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func parseBool(s string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "yes", "on", "1":
		return true, nil
	case "false", "no", "off", "0":
		return false, nil
	}
	return false, errors.New("want true or false")
}

func cleanText(s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", errors.New("is not valid UTF-8")
	}
	if strings.ContainsFunc(s, unicode.IsControl) {
		return "", errors.New("contains a control character")
	}
	return s, nil
}

// cleanList trims the items and drops empty ones, so that "a, b," is two. It
// never returns nil: an empty list is a value, not an absence.
func cleanList(items []string) ([]string, error) {
	out := []string{}
	for _, item := range items {
		item, err := cleanText(strings.TrimSpace(item))
		if err != nil {
			return nil, err
		}
		if item != "" {
			out = append(out, item)
		}
	}
	if len(out) > maxListItems {
		return nil, fmt.Errorf("has %d items, at most %d are allowed", len(out), maxListItems)
	}
	return out, nil
}
