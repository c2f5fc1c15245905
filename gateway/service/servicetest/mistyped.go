package servicetest

// Mistyped is a credential with one character changed, always to another one and
// never in the last place, whose bits may not all count.
func Mistyped(key string) string {
	at := len(key) - 5
	wrong := "A"
	if key[at] == 'A' {
		wrong = "B"
	}
	return key[:at] + wrong + key[at+1:]
}
