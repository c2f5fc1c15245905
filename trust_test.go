package meshd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// trustRules are the rules of docs/trust.md, by the sentence that states each, and
// the tests that fail when it is not so.
var trustRules = []struct{ sentence, pkg, tests string }{
	{"Every node answers `capability_missing` from the head alone", "crdt/rules", "TestKindsByArea"},
	{"a wider one is `attenuation_violation`, a longer one `chain_invalid`", "identity/ucan/v0", "TestAttenuation"},
	{"A property test builds random chains and finds no wider right than a plain reference gives", "identity/ucan/v0", "TestScenario14LatticesNeverWiden"},
	{"It grants nothing unless its chain ends at the owner", "identity/ucan/v1", "TestChainGivesAuthority"},
	{"What lies at or below it keeps its effect, what lies above has none, whatever date it carries", "crdt/fold", "TestTalesOfRights"},
	{"What lies at or below it keeps its effect, what lies above has none, whatever date it carries", "node", "TestScenario13RevocationCrossesAHealedPartition"},
	{"both revocations are kept as members and have no effect", "crdt/fold", "TestTalesOfRights"},
	{"the issuer's node closes each term with a cut when it ends, and a renewal closes its predecessor", "node", "TestTermsAreRenewedWhileUsedAndClosedAtTheirEnd"},
	{"Terms are short: at most 24 hours for a gateway", "node", "TestDelegationHasBounds"},
	{"the higher rank wins, on every node, whichever came first", "crdt/fold", "TestTalesOfRights"},
	{"both rotations are void and the identity stops", "crdt/fold", "TestTalesOfRights"},
	{"Each is `bad_change_signature` from the change and the genesis alone, the same on every node", "crdt/rules", "TestHybridRoots"},
	{"Each is `bad_change_signature` from the change and the genesis alone, the same on every node", "crdt/rules", "TestStrippedManifestInABatch"},
	{"sends it to three running gateways", "cmd/meshd", "TestManifestActs"},
	{"from then on none of its counts and notes for guests counts, its agents are `name#…` again", "cmd/meshd", "TestManifestActs"},
	{"those that it sponsored are one party", "crdt/fold", "TestGatewayThatRotatedStillSponsors"},
	{"Exactly that hour loses effect, everywhere", "crdt/fold", "TestTalesOfRights"},
	{"Exactly that hour loses effect, everywhere", "node", "TestScenario27GatewayCompromise"},
	{"nothing above that place gives reputation", "crdt/fold", "TestForkTakesTheWeight"},
	{"until a cut names one branch", "crdt/fold", "TestCutGivesABranchItsWeightBack"},
	{"Both stay and count as content", "crdt/rules", "TestForksAreBothMembers"},
	{"It can do what its scopes say until it is revoked", "gateway/rest", "TestScopesAtEveryEndpoint"},
	{"It cannot make a key with more scopes", "gateway/rest", "TestExtraKeys"},
	{"It cannot exchange the wallet or rotate the identity, which take a signature that no API key gives", "gateway/rest", "TestBindMakesAWalletPortable"},
	{"It cannot exchange the wallet or rotate the identity, which take a signature that no API key gives", "gateway/rest", "TestEveryRefusalIsProvoked"},
	{"It issues no capability that goes beyond its scopes or its end", "gateway/rest", "TestStolenKeyCannotGrow"},
	{"revoking the key takes back every capability, every invitation and every further key that came of it, and the answer lists them", "gateway/rest", "TestStolenKeyCannotGrow"},
	{"A key that is replaced takes what it issued with it, unless it is handed to the new one", "gateway/rest", "TestStolenKeyCannotGrow"},
	{"Recovery by the wallet replaces all keys, and ends what they issued", "gateway/rest", "TestRecoveryEndsWhatKeysIssued"},
	{"with every capability in the agent's own space that names no key, as those of older versions do", "gateway/rest", "TestRecoveryEndsWhatNamesNoKey"},
	{"A rotation of the identity ends what API keys issued; one that a gateway takes in ends what names no key too", "gateway/rest", "TestRotationEndsWhatKeysIssued"},
	{"What the gateway can no longer end, because another node writes for the agent now, its answer lists", "gateway/rest", "TestRotationEndsWhatKeysIssued"},
	{"The API keys themselves live on after a rotation", "gateway/rest", "TestRotationEndsWhatKeysIssued"},
	{"A role in a guild that was given with a key ends with that key", "gateway/rest", "TestRolesEndWithTheirKey"},
	{"every endpoint, tool and resource answers who presents another as it answers nobody, or refuses", "gateway/rest", "TestCapabilityReadsWhatItCovers"},
	{"every endpoint, tool and resource answers who presents another as it answers nobody, or refuses", "gateway/rest", "TestCapabilityReadsNothingByMCP"},
	{"With such tokens the agent reads its account there and spends what it earned", "gateway/rest", "TestRewardIsSpentWithTheAgentsOwnKey"},
	{"What is signed for one gateway opens nothing at another, and its nonce", "gateway/rest", "TestLoginsThatAreRefused"},
	{"The key reads and spends and does nothing else", "gateway/rest", "TestLoginOfWhoLivesElsewhere"},
	{"when the key that logged in is rotated away, what it opened is shut; while a chain of the agent is forked, nobody logs in", "gateway/rest", "TestLoginOfAForkedOrRotatedAgent"},
	{"Its wallet or key gives nobody a second agent there", "gateway/rest", "TestLoginOfWhoLivesElsewhere"},
	{"the buyer's node compares it with the hash that the author signed", "cmd/meshd", "TestScripts"},
	{"what a member with that role may do", "gateway/rest", "TestRolesDoWhatTheTableSays"},
	{"Nothing outside the team follows from it", "gateway/rest", "TestRoleTokensActInTheirTeam"},
	{"one can do what its scopes say for the agent that it names, at this gateway alone (its audience), until it ends", "gateway", "TestAccessTokenActsAsItsAgent"},
	{"It leaves nothing behind that outlives it: no API key, capability, role or invitation, and it never administers", "gateway/rest", "TestAccessTokenLeavesNothing"},
	{"It cannot send the gateway to other addresses for keys", "gateway/oauth", "TestFetchingIsBounded"},
	{"have a token of one issuer pass for one of another, or pass an identity token or a capability for an access token", "gateway", "TestBadAccessTokens"},
	{"have a token of one issuer pass for one of another, or pass an identity token or a capability for an access token", "identity/jose", "TestExpectations"},
	{"A new agent has a new agent's limits whatever credential it shows", "gateway/rest", "TestNewbornLimitsCountTheAgent"},
	{"Who edits it breaks its signature", "gateway/rest", "TestPassportVerify"},
	{"a key needs a loan of the agent's voice in the log", "node", "TestPassportIsCheckedAgainstTheLog"},
	{"a host is refused where the log knows another home", "node", "TestPassportOfAnotherHome"},
	{"another host's key comes by a document that the asker hands in", "gateway/rest", "TestPassportOfAHost"},
	{"what ends otherwise is recorded as `refuted` and refused", "gateway/rest", "TestAttestRunsAPlayAgain"},
	{"A program made to hang ends at the bounds of a hosted run", "gateway/rest", "TestAttestRunsAPlayAgain"},
	{"A challenge looks the same for a wallet that is known and for one that is not", "gateway/rest", "TestRecoveryRevealsNotWhoIsHere"},
	{"A wrong signature and an unknown wallet give the same answer", "gateway/rest", "TestRecoveryRevealsNotWhoIsHere"},
	{"A nonce is used up before the signature is looked at", "gateway/rest", "TestOneNonceHasOneWinner"},
	{"A signature in its second form (high s) is refused", "gateway/rest", "TestWalletProofsThatFail"},
	{"The second use is `token_replayed`", "cmd/meshd", "TestBearerCapabilities"},
	{"The verdict is `fabricated` where something contradicts, `unverifiable` where something is missing", "node", "TestProvenanceOfAReceipt"},
	{"equal sets give equal views, and unequal sets are found by their fingerprints", "node/world", "TestWorld"},
	{"A set of a team is named only to a peer that has shown a delegation of a member", "p2p/sync", "TestTeamSetsAreForMembers"},
	{"Stripping a signature, mixing the halves of two keys, and using a signature again for another change or purpose are all refused", "node", "TestHalfASignatureIsNoneOnAnyPath"},
	{"Stripping a signature, mixing the halves of two keys, and using a signature again for another change or purpose are all refused", "gateway/rest", "TestTwoSignaturesAtTheEndpoints"},
	{"keeps its one signature, and so does what a device writes", "node", "TestWhatIsSignedTwice"},
	{"until then the old key acts, and what it wrote meanwhile is taken back in by the new one", "gateway/rest", "TestGatewayTurnsAKey"},
	{"asked for on every path by which a birth enters", "node", "TestBirthPaysOnEveryPath"},
}

// Every story of docs/trust.md has a rule with a test: a story without a row, a
// sentence that is not in the document any more and a test that is gone fail here.
func TestTrustIsTested(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("docs/trust.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	_, rest, ok := strings.Cut(text, "## One story for each attack\n")
	stories, _, ok2 := strings.Cut(rest, "\n## ")
	if !ok || !ok2 {
		t.Fatal("docs/trust.md has lost its stories")
	}
	tests := map[string]string{} // the sources of a package's tests
	for _, r := range trustRules {
		if !strings.Contains(text, r.sentence) {
			t.Errorf("docs/trust.md does not say: %s", r.sentence)
		}
		if tests[r.pkg] == "" {
			files, err := filepath.Glob(filepath.Join(filepath.FromSlash(r.pkg), "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				src, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				tests[r.pkg] += string(src)
			}
		}
		if !strings.Contains(tests[r.pkg], "\nfunc "+r.tests+"(t *testing.T)") {
			t.Errorf("no test %s in %s, for: %s", r.tests, r.pkg, r.sentence)
		}
	}
	count := 0
	for _, story := range regexp.MustCompile(`\n\n+`).Split(strings.TrimSpace(stories), -1) {
		if !strings.HasPrefix(story, "**") {
			t.Errorf("no story: %.80s", story)
			continue
		}
		count++
		tested := false
		for _, r := range trustRules {
			tested = tested || strings.Contains(story, r.sentence)
		}
		if !tested {
			t.Errorf("a story has no rule with a test: %.80s", story)
		}
	}
	if count < 15 {
		t.Errorf("%d stories", count)
	}
}
