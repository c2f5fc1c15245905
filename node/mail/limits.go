package mail

// Limits of messages.
const (
	messageBatch = 200  // messages looked at in one go
	maxUnread    = 1000 // counted; more are shown as that many
)
