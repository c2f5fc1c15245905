package trait

// UnmarshalJSON reads what MarshalJSON writes, within the bounds of a trait
// file. Text stays text: a colour or a word is not distinguished from it any more.
func (v *Value) UnmarshalJSON(data []byte) error {
	read, err := readTree(data)
	if err != nil {
		return err
	}
	*v = read
	return nil
}
