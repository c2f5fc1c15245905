package bounty

// Stranded is what becomes of the reward of a bounty whose home can confirm
// nothing any more, since its key has no place in the team or is no longer where
// the reward is: the claimant's share in percent, and from when on, in
// milliseconds. It is what time alone would have brought about, so that neither
// side gains by silencing the home: work that was submitted is paid as if nobody
// had answered, and a claim has the rest of its lease.
func (s *State) Stranded() (share int, at int64) {
	switch s.Status {
	case Claimed:
		return 0, s.LeaseEnd
	case Submitted:
		return 100, s.Entered + AutoAccept + AutoPay
	case Accepted:
		return 100, s.Entered + AutoPay
	case Disputed:
		return 0, s.Entered + DisputeEnd
	case Paid:
		return s.Share, s.Entered
	}
	return 0, 0 // nobody works on it
}
