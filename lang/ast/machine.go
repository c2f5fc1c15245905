package ast

// BareState says whether a block of a machine is a state that is written without the
// word for it: idle { … } beside others, where the machine names its states nowhere
// else.
func BareState(b *Block, machine []Node) bool {
	if b.Name != nil || b.Body == nil || notStates[b.BlockKind] {
		return false
	}
	for _, it := range machine {
		switch it := it.(type) {
		case *Property:
			if it.Key.Name() == "states" {
				return false
			}
		case *Block:
			if it.BlockKind == "states" || it.BlockKind == "state" {
				return false
			}
		}
	}
	return true
}

// notStates are the other blocks of a machine.
var notStates = map[string]bool{
	"": true, "states": true, "state": true, "initial": true, "transition": true, "transitions": true, "context": true, "data": true, "guards": true, "actions": true,
	"computed": true, "watch": true, "config": true, "metadata": true,
}
