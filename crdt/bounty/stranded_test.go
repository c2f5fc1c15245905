package bounty

import "testing"

// What a silenced home would have done by time is what is done with its reward.
func TestStrandedRewardGoesWhereTimeWouldHaveBroughtIt(t *testing.T) {
	t.Parallel()
	const entered, lease = 1_000_000, 5_000_000
	for status, want := range map[Status]struct {
		share int
		at    int64
	}{
		"":        {0, 0},
		Open:      {0, 0},
		Claimed:   {0, lease},
		Submitted: {100, entered + AutoAccept + AutoPay},
		Accepted:  {100, entered + AutoPay},
		Disputed:  {0, entered + DisputeEnd},
		Paid:      {30, entered},
		Cancelled: {0, 0},
		Expired:   {0, 0},
		Refunded:  {0, 0},
	} {
		s := State{Status: status, Entered: entered, LeaseEnd: lease, Share: 30}
		if share, at := s.Stranded(); share != want.share || at != want.at {
			t.Errorf("%q: %d percent at %d, want %+v", status, share, at, want)
		}
	}
}
