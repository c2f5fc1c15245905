package team

// Limits of a team, its texts and its invitations.
const (
	defaultSlots  = 20
	topMembers    = 5
	maxInviteCode = 64
	maxInviteUses = 100
	maxInviteLife = 30 * 24 * 3600 // seconds
	inviteLife    = 7 * 24 * 3600
)
