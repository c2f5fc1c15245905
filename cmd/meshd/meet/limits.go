package meet

import "time"

const (
	// syncWithin bounds how long join waits until both nodes have the same, and guildWithin
	// until a guild has taken the newcomer in, which its home must know first.
	syncWithin  = 10 * time.Second
	guildWithin = 20 * time.Second
	// look is between two looks at what somebody else decides.
	look = 200 * time.Millisecond
	// deviceTerm is how long a device may write before its right is renewed, which
	// happens while it is used.
	deviceTerm = 30 * 24 * time.Hour
	// askTerm is how long the line for a device is good.
	askTerm = 15 * time.Minute
	// gatewayWithin is how long a gateway may take to say which network it is of.
	gatewayWithin = 15 * time.Second
	// completeWithin is how long a shell waits for the numbers of devices.
	completeWithin = 800 * time.Millisecond
	// maxAnswer bounds the answer to a question, in bytes.
	maxAnswer = 64
	// border is the light edge around a QR code, in modules (ISO/IEC 18004).
	border = 4
)
