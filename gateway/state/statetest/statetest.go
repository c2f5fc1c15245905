// Package statetest is the contract of gateway/state. Every engine proves itself
// by running [Suite] over databases it opens.
package statetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/state"
)

// Start is the time at which every test of the suite begins.
var Start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Suite runs the contract. open returns an empty database that it closes when
// the test ends; each test opens its own.
func Suite(t *testing.T, open func(testing.TB) *state.DB) {
	tests := []struct {
		name string
		run  func(*testing.T, *state.DB)
	}{
		{"ClaimedNameIsTakenInAnyCase", testClaimTaken},
		{"ClaimBecomesVisibleWhenConfirmed", testClaimConfirm},
		{"AgentIsFoundByWhatItHas", testFindAgent},
		{"ReleasedClaimGivesNameBack", testClaimRelease},
		{"LapsedClaimMayBeTakenOver", testClaimLapse},
		{"ConcurrentClaimsHaveOneWinner", testClaimRace},
		{"AgentsPageByName", testAgentsPage},
		{"ActingKeyTurns", testActingKey},
		{"KeyIsFoundBySecretOnly", testKeyLookup},
		{"KeyDiesByRevocationAndTerm", testKeyDies},
		{"NewKeyIsChecked", testKeyRules},
		{"LiveKeysAreLimited", testKeyLimit},
		{"RotationKeepsOrShrinks", testRotate},
		{"ConcurrentRotationsHaveOneWinner", testRotateRace},
		{"RecoveryReplacesAllKeys", testRecover},
		{"KeyGivesNoMoreThanItHas", testBoundBy},
		{"KeysAreAudited", testKeyAudit},
		{"LastUseIsWrittenOnceAMinute", testLastUsed},
		{"ChallengeIsTakenOnce", testChallenge},
		{"ConcurrentTakesHaveOneWinner", testChallengeRace},
		{"ReplyIsRepeated", testReply},
		{"UnfinishedRequestBlocksThenLapses", testRunLease},
		{"ConcurrentBeginsHaveOneRun", testBeginRace},
		{"RequestIsChecked", testRequestRules},
		{"AuditListsNewestFirst", testAudit},
		{"TransferHappensOnce", testTransferOnce},
		{"TransferIsDoubleEntry", testTransferRules},
		{"TransfersPage", testTransferList},
		{"EscrowIsClosedOnce", testEscrow},
		{"ConcurrentEscrowsSpendWhatIsThere", testEscrowRace},
		{"RefusedStepsStay", testStepRefusals},
		{"PremiumTextIsKeptForItsBuyers", testPremium},
		{"ConcurrentBuyersAreChargedOnce", testBuyRace},
		{"PaymentIsUsedOnce", testPayment},
		{"PayoutComesBackOrGoes", testPayout},
		{"FollowersAreKnown", testFollow},
		{"NoticeIsKeptOnce", testNotifications},
		{"GuestNotesWait", testGuestNotes},
		{"ReadersAreCountedOnceADay", testServed},
		{"TiersListNewestFirst", testTiers},
		{"SuspensionIsAudited", testSuspension},
		{"SweepRemovesWhatIsPast", testSweep},
		{"EventsAreOneStream", testEvents},
		{"OldEventsAreForgotten", testEventsTrim},
		{"ConcurrentEventsHaveOneOrder", testEventsRace},
		{"TicketOpensOnce", testTickets},
		{"PresenceEnds", testPresence},
		{"InviteIsUsedAsOftenAsItSays", testInvites},
		{"InviteEndsWithTheKeyThatMadeIt", testInvitesEnd},
		{"PrivateIsForItsAgent", testPrivate},
		{"TrailIsAChain", testTrail},
		{"TokensEnd", testTokens},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, open(t))
		})
	}
}

// Home registers an agent of that name and returns it.
func Home(t testing.TB, db *state.DB, name string) state.Agent {
	t.Helper()
	a := agent(name)
	must(t, db.ClaimName(t.Context(), a, Start))
	must(t, db.ConfirmAgent(t.Context(), a.ID))
	return a
}

func agent(name string) state.Agent {
	return state.Agent{
		ID: "agt_" + strings.ToLower(name), Name: name, Subject: "did:key:z" + name, Wallet: "0x" + name,
		ActingKey: "acting-" + name, Custody: state.CustodyGateway, CreatedAt: Start,
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func refused(t testing.TB, err error, want reason.Code) {
	t.Helper()
	if got := reason.Of(err); got != want {
		t.Fatalf("code %q (%v), want %q", got, err, want)
	}
	var r *reason.Refusal
	if want != "" && !errors.As(err, &r) {
		t.Fatalf("%v is no refusal", err)
	}
}

// race runs f n times at once and returns how many calls gave each code.
func race(n int, f func(i int) error) map[reason.Code]int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	codes := make(map[reason.Code]int)
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			code := reason.Of(f(i))
			mu.Lock()
			codes[code]++
			mu.Unlock()
		})
	}
	close(start)
	wg.Wait()
	return codes
}

func testClaimTaken(t *testing.T, db *state.DB) {
	must(t, db.ClaimName(t.Context(), agent("Ärger One"), Start))
	cases := []struct {
		name string
		edit func(*state.Agent)
		want reason.Code
	}{
		{"same name", func(a *state.Agent) { a.Name = "Ärger One" }, reason.NameTaken},
		{"other case", func(a *state.Agent) { a.Name = "ÄRGER ONE" }, reason.NameTaken},
		{"decomposed", func(a *state.Agent) { a.Name = "A\u0308rger One" }, reason.NameTaken},
		{"same subject", func(a *state.Agent) { a.Subject = "did:key:zÄrger One" }, reason.WalletTaken},
		{"same both", func(a *state.Agent) { a.Name, a.Subject = "ärger one", "did:key:zÄrger One" }, reason.WalletTaken},
		{"same wallet", func(a *state.Agent) { a.Wallet = "0xÄrger One" }, reason.WalletTaken},
		{"same id", func(a *state.Agent) { a.ID = agent("Ärger One").ID }, reason.Internal},
		{"nothing in common", func(*state.Agent) {}, ""},
		{"no subject", func(a *state.Agent) { a.ID, a.Name, a.Subject, a.Wallet = "agt_x", "x", "", "" }, ""},
		{"no subject either", func(a *state.Agent) { a.ID, a.Name, a.Subject, a.Wallet = "agt_y", "y", "", "" }, ""},
	}
	for _, c := range cases {
		a := agent("Other")
		c.edit(&a)
		if got := reason.Of(db.ClaimName(t.Context(), a, Start)); got != c.want {
			t.Errorf("%s: code %q, want %q", c.name, got, c.want)
		}
	}
}

func testClaimConfirm(t *testing.T, db *state.DB) {
	a := agent("Ada")
	must(t, db.ClaimName(t.Context(), a, Start))
	_, err := db.AgentByName(t.Context(), "ada")
	refused(t, err, reason.AgentNotFound)
	claims, err := db.Claims(t.Context())
	must(t, err)
	if len(claims) != 1 || claims[0].Agent != a || !claims[0].Until.After(Start) {
		t.Fatalf("claims %+v", claims)
	}
	must(t, db.ConfirmAgent(t.Context(), a.ID))
	must(t, db.ConfirmAgent(t.Context(), a.ID))
	must(t, db.ReleaseClaim(t.Context(), a.ID)) // too late: nothing happens
	for _, find := range []func() (state.Agent, error){
		func() (state.Agent, error) { return db.AgentByName(t.Context(), "ADA") },
		func() (state.Agent, error) { return db.AgentByID(t.Context(), a.ID) },
		func() (state.Agent, error) { return db.AgentBySubject(t.Context(), a.Subject) },
	} {
		got, err := find()
		must(t, err)
		if got != a {
			t.Fatalf("got %+v, want %+v", got, a)
		}
	}
	if claims, err = db.Claims(t.Context()); err != nil || len(claims) != 0 {
		t.Fatalf("claims %+v, %v", claims, err)
	}
}

func testFindAgent(t *testing.T, db *state.DB) {
	a := agent("Ada")
	must(t, db.ClaimName(t.Context(), a, Start))
	finds := []func() (state.Agent, error){
		func() (state.Agent, error) { return db.AgentByID(t.Context(), a.ID) },
		func() (state.Agent, error) { return db.AgentByName(t.Context(), "ADA") },
		func() (state.Agent, error) { return db.AgentBySubject(t.Context(), a.Subject) },
		func() (state.Agent, error) { return db.AgentByWallet(t.Context(), a.Wallet) },
	}
	for i, find := range finds {
		_, err := find()
		if reason.Of(err) != reason.AgentNotFound {
			t.Errorf("%d: a claimed agent was found: %v", i, err)
		}
	}
	must(t, db.ConfirmAgent(t.Context(), a.ID))
	for i, find := range finds {
		if got, err := find(); err != nil || got != a {
			t.Errorf("%d: %+v, %v", i, got, err)
		}
	}
	_, err := db.AgentByWallet(t.Context(), "")
	refused(t, err, reason.AgentNotFound)
}

func testClaimRelease(t *testing.T, db *state.DB) {
	a := agent("Ada")
	must(t, db.ClaimName(t.Context(), a, Start))
	must(t, db.ReleaseClaim(t.Context(), a.ID))
	must(t, db.ReleaseClaim(t.Context(), a.ID))
	b := a
	b.ID = "agt_second"
	must(t, db.ClaimName(t.Context(), b, Start))
	refused(t, db.ConfirmAgent(t.Context(), a.ID), reason.NameTaken)
}

func testClaimLapse(t *testing.T, db *state.DB) {
	a, b := agent("Ada"), agent("Ada")
	b.ID, b.Subject, b.Wallet = "agt_second", "did:key:zsecond", "0xsecond"
	must(t, db.ClaimName(t.Context(), a, Start))
	refused(t, db.ClaimName(t.Context(), b, Start.Add(9*time.Minute)), reason.NameTaken)
	must(t, db.ClaimName(t.Context(), b, Start.Add(10*time.Minute)))
	refused(t, db.ConfirmAgent(t.Context(), a.ID), reason.NameTaken)
	must(t, db.ConfirmAgent(t.Context(), b.ID))
	// A confirmed agent never lapses.
	refused(t, db.ClaimName(t.Context(), a, Start.AddDate(1, 0, 0)), reason.NameTaken)
}

func testClaimRace(t *testing.T, db *state.DB) {
	codes := race(16, func(i int) error {
		a := agent("Ada")
		a.ID, a.Subject, a.Wallet = fmt.Sprintf("agt_%d", i), fmt.Sprintf("did:key:z%d", i), fmt.Sprintf("0x%d", i)
		return db.ClaimName(t.Context(), a, Start)
	})
	if codes[""] != 1 || codes[reason.NameTaken] != 15 {
		t.Errorf("names: %v", codes)
	}
	codes = race(16, func(i int) error {
		a := agent("Bob")
		a.ID, a.Name = fmt.Sprintf("agt_b%d", i), fmt.Sprintf("Bob %d", i)
		return db.ClaimName(t.Context(), a, Start)
	})
	if codes[""] != 1 || codes[reason.WalletTaken] != 15 {
		t.Errorf("subjects: %v", codes)
	}
	// One wallet on many chains.
	codes = race(16, func(i int) error {
		a := agent("Eve")
		a.ID, a.Name, a.Subject = fmt.Sprintf("agt_e%d", i), fmt.Sprintf("Eve %d", i), fmt.Sprintf("did:pkh:eip155:%d:0xEve", i+1)
		return db.ClaimName(t.Context(), a, Start)
	})
	if codes[""] != 1 || codes[reason.WalletTaken] != 15 {
		t.Errorf("wallets: %v", codes)
	}
}

func testAgentsPage(t *testing.T, db *state.DB) {
	for _, n := range []string{"delta", "Bravo", "charlie", "alpha"} {
		Home(t, db, n)
	}
	must(t, db.ClaimName(t.Context(), agent("bobby"), Start)) // not yet an agent
	var got []string
	after := ""
	for {
		page, err := db.Agents(t.Context(), after, 3)
		must(t, err)
		if len(page) == 0 {
			break
		}
		for _, a := range page {
			got = append(got, a.Name)
		}
		after = page[len(page)-1].Name
	}
	if s := strings.Join(got, " "); s != "alpha Bravo charlie delta" {
		t.Fatalf("agents %q", s)
	}
}

func testActingKey(t *testing.T, db *state.DB) {
	a := Home(t, db, "Ada")
	must(t, db.SetActingKey(t.Context(), a.ID, "", state.CustodySelf))
	got, err := db.AgentByID(t.Context(), a.ID)
	must(t, err)
	if got.ActingKey != "" || got.Custody != state.CustodySelf {
		t.Fatalf("agent %+v", got)
	}
	refused(t, db.SetActingKey(t.Context(), "agt_none", "", state.CustodySelf), reason.AgentNotFound)
}
