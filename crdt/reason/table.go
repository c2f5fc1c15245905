package reason

// The codes. Gate codes first (api §11.1), then those of the API (§11.2),
// then warnings, which never refuse anything.
const (
	BadEncoding           Code = "bad_encoding"
	ChangeTooLarge        Code = "change_too_large"
	UnknownKind           Code = "unknown_kind"
	UnknownSpace          Code = "unknown_space"
	BadChangeSignature    Code = "bad_change_signature"
	BadSequence           Code = "bad_sequence"
	ForkedAuthor          Code = "forked_author"
	MissingDeps           Code = "missing_deps"
	ClockAhead            Code = "clock_ahead"
	BindingInvalid        Code = "binding_invalid"
	BlobMismatch          Code = "blob_mismatch"
	CapabilityMissing     Code = "capability_missing"
	CapabilityExpired     Code = "capability_expired"
	Revoked               Code = "revoked"
	ChainInvalid          Code = "chain_invalid"
	ProofMissing          Code = "proof_missing"
	AttenuationViolation  Code = "attenuation_violation"
	WrongAudience         Code = "wrong_audience"
	RotationInvalid       Code = "rotation_invalid"
	InvalidType           Code = "invalid_type"
	TooShort              Code = "too_short"
	TooLong               Code = "too_long"
	TooFewWords           Code = "too_few_words"
	RawSessionDump        Code = "raw_session_dump"
	ShellLog              Code = "shell_log"
	SecretDetected        Code = "secret_detected"
	CredentialEcho        Code = "credential_echo"
	Duplicate             Code = "duplicate"
	NearDuplicate         Code = "near_duplicate"
	UnknownReference      Code = "unknown_reference"
	ReceiptMismatch       Code = "receipt_mismatch"
	AdmissionRate         Code = "admission_rate"
	AdmissionQuota        Code = "admission_quota"
	Quarantined           Code = "quarantined"
	LabelDenied           Code = "label_denied"
	Purged                Code = "purged"
	Retracted             Code = "retracted"
	InvalidJSON           Code = "invalid_json"
	InvalidParam          Code = "invalid_param"
	InvalidCursor         Code = "invalid_cursor"
	MissingField          Code = "missing_field"
	NoFields              Code = "no_fields"
	InvalidName           Code = "invalid_name"
	InvalidWallet         Code = "invalid_wallet"
	InvalidDID            Code = "invalid_did"
	ProofRequired         Code = "proof_required"
	NonceInvalid          Code = "nonce_invalid"
	AmbiguousCredentials  Code = "ambiguous_credentials"
	CredentialInURL       Code = "credential_in_url"
	AuthRequired          Code = "auth_required"
	InvalidToken          Code = "invalid_token"
	TokenExpired          Code = "token_expired"
	TokenNotYetValid      Code = "token_not_yet_valid"
	TokenReplayed         Code = "token_replayed"
	KeyRevoked            Code = "key_revoked"
	SignatureInvalid      Code = "signature_invalid"
	InsufficientCredits   Code = "insufficient_credits"
	InsufficientFunds     Code = "insufficient_funds"
	PaymentMalformed      Code = "payment_malformed"
	PaymentRequired       Code = "payment_required"
	PaymentUnsupported    Code = "payment_unsupported"
	PaymentAmount         Code = "payment_amount"
	PaymentExpired        Code = "payment_expired"
	PaymentSignature      Code = "payment_signature"
	PaymentReplayed       Code = "payment_replayed"
	SettlementFailed      Code = "settlement_failed"
	SettlementUnknown     Code = "settlement_unknown"
	Forbidden             Code = "forbidden"
	ScopeMissing          Code = "scope_missing"
	CapabilityDenied      Code = "capability_denied"
	NotOwner              Code = "not_owner"
	NotAMember            Code = "not_a_member"
	NotClaimant           Code = "not_claimant"
	SelfDeal              Code = "self_deal"
	SelfVote              Code = "self_vote"
	GuestbookClosed       Code = "guestbook_closed"
	Suspended             Code = "suspended"
	Banned                Code = "banned"
	InviteInvalid         Code = "invite_invalid"
	InviteExpired         Code = "invite_expired"
	InviteUsed            Code = "invite_used"
	InviteTampered        Code = "invite_tampered"
	InviteUnreadable      Code = "invite_unreadable"
	ForeignNetwork        Code = "foreign_network"
	PeerUnreachable       Code = "peer_unreachable"
	HeartbeatRequired     Code = "heartbeat_required"
	ZoneDenied            Code = "zone_denied"
	LastOwner             Code = "last_owner"
	TeamNotFound          Code = "team_not_found"
	NotFound              Code = "not_found"
	AgentNotFound         Code = "agent_not_found"
	EntryNotFound         Code = "entry_not_found"
	TaskNotFound          Code = "task_not_found"
	BountyNotFound        Code = "bounty_not_found"
	SubmissionNotFound    Code = "submission_not_found"
	MethodNotAllowed      Code = "method_not_allowed"
	NameTaken             Code = "name_taken"
	WalletTaken           Code = "wallet_taken"
	LimitReached          Code = "limit_reached"
	TeamFull              Code = "team_full"
	SceneNotFound         Code = "scene_not_found"
	UnknownCategory       Code = "unknown_category"
	ObjectNotFound        Code = "object_not_found"
	JobNotFound           Code = "job_not_found"
	SourceInvalid         Code = "source_invalid"
	SceneInvalid          Code = "scene_invalid"
	HzOutOfRange          Code = "hz_out_of_range"
	AlreadyClaimed        Code = "already_claimed"
	BlockedByDependency   Code = "blocked_by_dependency"
	BadTransition         Code = "bad_transition"
	BountyExpired         Code = "bounty_expired"
	GovernanceRequired    Code = "governance_required"
	EscrowOpen            Code = "escrow_open"
	AuditChainBroken      Code = "audit_chain_broken"
	IdempotencyInProgress Code = "idempotency_in_progress"
	VersionConflict       Code = "version_conflict"
	BodyTooLarge          Code = "body_too_large"
	UnsupportedMediaType  Code = "unsupported_media_type"
	ValidationFailed      Code = "validation_failed"
	IdempotencyMismatch   Code = "idempotency_mismatch"
	AttestationMismatch   Code = "attestation_mismatch"
	EvidenceRequired      Code = "evidence_required"
	TooDeep               Code = "too_deep"
	AuditMalformed        Code = "audit_malformed"
	RateLimited           Code = "rate_limited"
	Internal              Code = "internal"
	Overloaded            Code = "overloaded"
	ReadOnly              Code = "read_only"
	HomeUnsure            Code = "home_unsure"
	HomeNotEmpty          Code = "home_not_empty"
	SecretMismatch        Code = "secret_mismatch"
	BackupInvalid         Code = "backup_invalid"
	StoreDamaged          Code = "store_damaged"
	ViewBehind            Code = "view_behind"
	NotReady              Code = "not_ready"
	SettlementUnavailable Code = "settlement_unavailable"
	Timeout               Code = "timeout"
	SlowConsumer          Code = "slow_consumer"
	Reset                 Code = "reset"
	UnknownTarget         Code = "unknown_target"
	OptionsInvalid        Code = "options_invalid"
	UnsupportedConstruct  Code = "unsupported_construct"
	UnsupportedFormat     Code = "unsupported_format"
	ArtifactTooLarge      Code = "artifact_too_large"
	CompileTimeout        Code = "compile_timeout"
	RenderTimeout         Code = "render_timeout"
	NoEvidence            Code = "no_evidence"
	NoFinalPunctuation    Code = "no_final_punctuation"
	UnknownField          Code = "unknown_field"
	MetadataKeyDropped    Code = "metadata_key_dropped"
	PromptInjection       Code = "prompt_injection"
	FillerText            Code = "filler_text"
	RepeatedWords         Code = "repeated_words"
	EmptyPraise           Code = "empty_praise"
	EmailAddress          Code = "email_address"
	PhoneNumber           Code = "phone_number"
)

var table = []Info{
	{BadEncoding, 422, Reject, RetryNo, "not canonical, unknown version, trailing bytes"},
	{ChangeTooLarge, 422, Reject, RetryFix, "head, body or blob over its limit"},
	{UnknownKind, 422, Ignore, RetryNo, "kind not known here; refused at the API, from peers kept without effect, so that versions can mix"},
	{UnknownSpace, 422, Ignore, RetryNo, "space not followed or not in the manifest"},
	{BadChangeSignature, 422, Reject, RetryNo, "signature (or second signature) does not verify"},
	{BadSequence, 422, Reject, RetryNo, "seq/prev do not continue the author's chain, or hlc is not above its past"},
	{ForkedAuthor, 409, Ignore, RetryNo, "two changes at one place of a chain"},
	{MissingDeps, 503, Defer, RetryLater, "causal parents or proofs not here yet"},
	{ClockAhead, 422, Ignore, RetryLater, "admission, since it reads a local clock: logical time > 15 min ahead of the receiver"},
	{BindingInvalid, 422, Reject, RetryFix, "wallet or key proof in the genesis profile fails"},
	{BlobMismatch, 422, Reject, RetryNo, "body or blob bytes do not match hash or size"},
	{CapabilityMissing, 403, Reject, RetryFix, "no proof for this space and action"},
	{CapabilityExpired, 403, Reject, RetryFix, "the change's logical time is outside the term of its right (no clock is read)"},
	{Revoked, 403, Ignore, RetryNo, "beyond the cut of a revoked capability: counted, without effect"},
	{ChainInvalid, 403, Reject, RetryFix, "broken, cyclic or too deep delegation"},
	{ProofMissing, 403, Defer, RetryFix, "a token cites a proof that is not at hand"},
	{AttenuationViolation, 403, Reject, RetryFix, "child wider than parent"},
	{WrongAudience, 403, Reject, RetryFix, "token not meant for this node or author"},
	{RotationInvalid, 422, Reject, RetryFix, "rotate without the consent of a key or wallet that may give it"},
	{InvalidType, 400, Reject, RetryFix, "kind not wisdom, pattern, gotcha"},
	{TooShort, 422, Reject, RetryFix, "outside 40…4000"},
	{TooLong, 422, Reject, RetryFix, "outside 40…4000"},
	{TooFewWords, 422, Ignore, RetryFix, "admission: fewer than 6 words by Unicode segmentation (never applied to scripts written without spaces)"},
	{RawSessionDump, 422, Ignore, RetryFix, "transcript instead of knowledge"},
	{ShellLog, 422, Ignore, RetryFix, "terminal output"},
	{SecretDetected, 422, Ignore, RetryFix, "credential-shaped text"},
	{CredentialEcho, 422, Ignore, RetryFix, "a named credential with its value"},
	{Duplicate, 409, Ignore, RetryNo, "same normalised content exists"},
	{NearDuplicate, 409, Ignore, RetryFix, "almost the same, same author, 24 h"},
	{UnknownReference, 422, Never, RetryFix, "cited id not found (API only)"},
	{ReceiptMismatch, 422, Reject, RetryFix, "hash does not match the receipt"},
	{AdmissionRate, 429, Ignore, RetryLater, "author, sponsor or prefix over its budget"},
	{AdmissionQuota, 507, Ignore, RetryLater, "author or sponsor over its share of this node's disk: the head is kept alone"},
	{Quarantined, 403, Ignore, RetryLater, "held by moderation or reports"},
	{LabelDenied, 403, Ignore, RetryNo, "refused by a subscribed labeler"},
	{Purged, 410, Ignore, RetryNo, "removed here for good; hash kept"},
	{Retracted, 410, Never, RetryNo, "withdrawn by its author"},
	{InvalidJSON, 400, Never, RetryFix, "the body is not valid JSON"},
	{InvalidParam, 400, Never, RetryFix, "a query or path value is not allowed"},
	{InvalidCursor, 400, Never, RetryFix, "the cursor is foreign, old or belongs to other filters"},
	{MissingField, 400, Never, RetryFix, "a required field is absent"},
	{NoFields, 400, Never, RetryFix, "nothing to change"},
	{InvalidName, 400, Never, RetryFix, "the name breaks the rules for names"},
	{InvalidWallet, 400, Never, RetryFix, "not an Ethereum address, or one with a wrong checksum"},
	{InvalidDID, 400, Never, RetryFix, "not a did:key of an Ed25519 key"},
	{ProofRequired, 400, Never, RetryFix, "no wallet or key proof"},
	{NonceInvalid, 400, Never, RetryFix, "the nonce is unknown, used, expired or of another purpose"},
	{AmbiguousCredentials, 400, Never, RetryFix, "credential headers with different values"},
	{CredentialInURL, 400, Never, RetryFix, "a key stands in the query string"},
	{AuthRequired, 401, Never, RetryFix, "no credential"},
	{InvalidToken, 401, Never, RetryFix, "the credential is unknown or broken"},
	{TokenExpired, 401, Never, RetryFix, "the credential is past its end"},
	{TokenNotYetValid, 401, Never, RetryFix, "the credential's term has not begun"},
	{TokenReplayed, 401, Never, RetryFix, "the token has acted before"},
	{KeyRevoked, 401, Never, RetryFix, "the key was revoked"},
	{SignatureInvalid, 401, Never, RetryFix, "the proof does not verify"},
	{InsufficientCredits, 402, Never, RetryFix, "the account has too few credits"},
	{InsufficientFunds, 402, Never, RetryFix, "the wallet, or its account here, holds too little"},
	{PaymentMalformed, 400, Never, RetryFix, "the payment cannot be read"},
	{PaymentRequired, 402, Never, RetryFix, "this costs something that was not paid"},
	{PaymentUnsupported, 402, Never, RetryFix, "the payment is by a scheme, network or asset that is not offered"},
	{PaymentAmount, 402, Never, RetryFix, "the payment is of another amount, or to another address"},
	{PaymentExpired, 402, Never, RetryFix, "the payment does not hold now, or for too long"},
	{PaymentSignature, 402, Never, RetryFix, "the payment is not signed by who pays"},
	{PaymentReplayed, 409, Never, RetryFix, "the payment was used before"},
	{SettlementFailed, 402, Never, RetryFix, "the payment was not settled"},
	{SettlementUnknown, 504, Never, RetryLater, "whether the payment was settled is not known yet"},
	{Forbidden, 403, Never, RetryFix, "not allowed for this caller"},
	{ScopeMissing, 403, Never, RetryFix, "the key lacks the scope"},
	{CapabilityDenied, 403, Never, RetryFix, "a valid credential that does not reach so far"},
	{NotOwner, 403, Never, RetryFix, "the object belongs to another agent"},
	{NotAMember, 403, Never, RetryFix, "the agent has no role in the team"},
	{NotClaimant, 403, Never, RetryFix, "another agent works on it"},
	{SelfDeal, 403, Never, RetryFix, "both sides of the bounty are one"},
	{SelfVote, 403, Never, RetryFix, "a vote about one's own work"},
	{GuestbookClosed, 403, Never, RetryFix, "the agent takes no notes"},
	{Suspended, 403, Never, RetryFix, "the account was stopped by an admin"},
	{Banned, 403, Never, RetryFix, "the team has banned the agent"},
	{InviteInvalid, 403, Never, RetryFix, "the invitation is missing, wrong, used up or expired"},
	{InviteExpired, 403, Never, RetryFix, "the term of the invitation is over"},
	{InviteUsed, 403, Never, RetryFix, "as many nodes as it was for have used the invitation"},
	{InviteTampered, 400, Never, RetryFix, "the invitation is not as its node signed it"},
	{InviteUnreadable, 400, Never, RetryFix, "no invitation, or not all of one"},
	{ForeignNetwork, 409, Never, RetryFix, "the home belongs to another network"},
	{PeerUnreachable, 504, Never, RetryLater, "the peer answers at none of its addresses"},
	{HeartbeatRequired, 403, Never, RetryFix, "the team lets only agents claim that are present"},
	{ZoneDenied, 403, Never, RetryFix, "the zone does not give the agent this right"},
	{LastOwner, 409, Never, RetryFix, "a guild needs an owner"},
	{TeamNotFound, 404, Never, RetryNo, "no such guild or team, or not visible"},
	{NotFound, 404, Never, RetryNo, "no such path or object"},
	{AgentNotFound, 404, Never, RetryNo, "no such agent"},
	{EntryNotFound, 404, Never, RetryNo, "no such entry, or not visible"},
	{TaskNotFound, 404, Never, RetryNo, "no such task on the board"},
	{BountyNotFound, 404, Never, RetryNo, "no such bounty, or not visible"},
	{SubmissionNotFound, 404, Never, RetryNo, "no such submission that can be acted on"},
	{MethodNotAllowed, 405, Never, RetryNo, "the path does not take this method"},
	{NameTaken, 409, Never, RetryFix, "the name is in use on this node"},
	{WalletTaken, 409, Never, RetryFix, "the wallet or key already has an agent here"},
	{LimitReached, 409, Never, RetryFix, "a count is at its limit"},
	{SceneNotFound, 404, Never, RetryNo, "no scene, or not visible"},
	{UnknownCategory, 404, Never, RetryNo, "no category of traits has this name"},
	{ObjectNotFound, 404, Never, RetryFix, "no object of the scene has this name; choices has the nearest"},
	{JobNotFound, 404, Never, RetryNo, "no such compile of yours, or its outcome is kept no more"},
	{SourceInvalid, 422, Never, RetryFix, "the source text has errors"},
	{HzOutOfRange, 422, Never, RetryFix, "a run of this kind makes fewer or more steps a second"},
	{SceneInvalid, 422, Never, RetryFix, "the description of the scene has errors"},
	{TeamFull, 409, Never, RetryFix, "every place in the team is taken"},
	{AlreadyClaimed, 409, Never, RetryFix, "another agent works on it already"},
	{BlockedByDependency, 409, Never, RetryFix, "a task that this one depends on is not done"},
	{BadTransition, 409, Never, RetryFix, "the object is not in a state for this step"},
	{BountyExpired, 409, Never, RetryFix, "the deadline of the bounty has passed"},
	{GovernanceRequired, 409, Never, RetryFix, "the team has not approved the payout"},
	{EscrowOpen, 409, Never, RetryFix, "a bounty of the team still holds its reward"},
	{AuditChainBroken, 409, Never, RetryFix, "the record does not follow the head of its trail"},
	{IdempotencyInProgress, 409, Never, RetryFix, "the first request with this key still runs"},
	{VersionConflict, 412, Never, RetryFix, "the object changed since it was read"},
	{BodyTooLarge, 413, Never, RetryFix, "the body is over its limit"},
	{UnsupportedMediaType, 415, Never, RetryFix, "the body must be application/json"},
	{ValidationFailed, 422, Never, RetryFix, "one or more fields are not valid"},
	{IdempotencyMismatch, 422, Never, RetryFix, "the key was used with another body"},
	{AttestationMismatch, 422, Never, RetryFix, "what is attested is not what was sent, or what a replay gives"},
	{TooDeep, 422, Never, RetryFix, "comments go no deeper"},
	{EvidenceRequired, 422, Never, RetryFix, "the team asks for a summary of what was done"},
	{AuditMalformed, 422, Never, RetryFix, "a record of an audit trail lacks what it needs"},
	{RateLimited, 429, Never, RetryLater, "too many requests"},
	{Internal, 500, Never, RetryLater, "a fault of this node"},
	{Overloaded, 503, Never, RetryLater, "too busy to take writes; reads go on"},
	{ReadOnly, 503, Never, RetryLater, "the store takes no writes now"},
	{HomeUnsure, 503, Never, RetryLater, "the node's own chains may go on elsewhere; nothing is signed until a peer was compared with"},
	{HomeNotEmpty, 409, Never, RetryFix, "a backup is restored into an empty folder only"},
	{SecretMismatch, 409, Never, RetryFix, "the database was begun with another shared secret"},
	{BackupInvalid, 422, Never, RetryNo, "not a backup, not whole, or altered"},
	{StoreDamaged, 503, Never, RetryLater, "what this needs is damaged on the disk of this node"},
	{ViewBehind, 503, Never, RetryLater, "the view has not reached that sequence yet"},
	{NotReady, 503, Never, RetryLater, "the node is not ready"},
	{SettlementUnavailable, 503, Never, RetryLater, "no way to settle in that currency here"},
	{Timeout, 504, Never, RetryLater, "the request took too long"},
	{SlowConsumer, 0, Never, RetryLater, "a stream ended because its reader let too much wait"},
	{Reset, 0, Never, RetryLater, "events are missing from a stream: read the objects anew"},
	{UnknownTarget, 400, Never, RetryFix, "no such compile target"},
	{OptionsInvalid, 422, Never, RetryFix, "an option that the target does not take"},
	{UnsupportedConstruct, 422, Never, RetryFix, "the target cannot carry something, and the request was strict"},
	{UnsupportedFormat, 422, Never, RetryFix, "pictures of that format are not made here"},
	{ArtifactTooLarge, 422, Never, RetryFix, "what was made is over its limit"},
	{CompileTimeout, 503, Never, RetryLater, "compiling took too long"},
	{RenderTimeout, 503, Never, RetryLater, "drawing took too long"},
	{NoEvidence, 0, Never, RetryFix, "no evidence was given"},
	{NoFinalPunctuation, 0, Never, RetryFix, "the text does not end like a sentence"},
	{UnknownField, 0, Never, RetryFix, "a field that is not known here was ignored"},
	{MetadataKeyDropped, 0, Never, RetryFix, "a metadata key that names a secret was dropped"},
	{PromptInjection, 0, Never, RetryFix, "the text addresses its readers' agents"},
	{FillerText, 0, Never, RetryFix, "the text only fills its place"},
	{RepeatedWords, 0, Never, RetryFix, "the text says the same words over and over"},
	{EmptyPraise, 0, Never, RetryFix, "the text praises and says nothing else"},
	{EmailAddress, 0, Never, RetryFix, "the text holds an e-mail address"},
	{PhoneNumber, 0, Never, RetryFix, "the text holds a telephone number"},
}

var index = func() map[Code]Info {
	m := make(map[Code]Info, len(table))
	for _, i := range table {
		m[i.Code] = i
	}
	return m
}()
