package unity

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// mostName is how long a name of a class may be.
const mostName = 60

// members are what every component has, and files of the package.
const members = `Awake Start Update FixedUpdate LateUpdate OnEnable OnDisable OnDestroy Reset OnValidate Invoke SendMessage BroadcastMessage GetComponent
Equals GetHashCode GetType ToString MemberwiseClone Finalize ReferenceEquals System UnityEngine UnityEditor UdonSharp VRC Editor MeshdScene Data Scene Stage Runtime`

var (
	word = regexp.MustCompile(`[A-Za-z_]\w*`)
	said = regexp.MustCompile(`"(\\.|[^"\\])*"|//.*`) // texts and comments
)

// taken are the words that the code of every scene uses: a class of a template has
// none of them, so that it hides nothing.
var taken = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(members) {
		out[w] = true
	}
	entries, err := parts.ReadDir("cs")
	if err != nil {
		panic("unity: " + err.Error()) // embedded
	}
	for _, e := range entries {
		raw, err := parts.ReadFile("cs/" + e.Name())
		if err != nil {
			panic("unity: " + err.Error())
		}
		for _, w := range word.FindAllString(said.ReplaceAllString(string(raw), ""), -1) {
			out[w] = true
		}
	}
	return out
})

// names gives identifiers that are unique also where case does not count, as in
// names of files.
type names map[string]bool

// class is an identifier of a class for a name of the source.
func (n names) class(name string) string { return n.word(name, taken()) }

// member is one of what a component has: it hides nothing that components have, and
// is no message that the engine sends to them.
func (n names) member(name string) string { return n.word(name, memberNames()) }

func (n names) word(name string, taken map[string]bool) string {
	var b strings.Builder
	upper := true
	for _, r := range name {
		ok := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		switch {
		case b.Len() >= mostName:
		case !ok:
			upper = true
		case upper:
			b.WriteString(strings.ToUpper(string(r)))
			upper = false
		default:
			b.WriteRune(r)
		}
	}
	id := b.String()
	if id == "" || id[0] >= '0' && id[0] <= '9' {
		id = "Named" + id
	}
	if taken[id] {
		id += "Thing"
	}
	out := id
	for k := 2; n[strings.ToLower(out)] || taken[out]; k++ {
		out = id + "_" + strconv.Itoa(k)
	}
	n[strings.ToLower(out)] = true
	return out
}

var memberNames = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(members + inherited) {
		out[w] = true
	}
	return out
})

// inherited are what generated components have from their bases, the messages of the
// engine, and the types that their code names.
const inherited = ` Stage Id Be Raise State Seen Met Point Machine Node Tell Give GiveAxis Has Keep HasState GiveState Follows Ask Say Own Words Truth Alike Calc Order
Within Item Part Call Failed Value Fields Math NodeValue Script Actor SerializeField Object Behaviours CancelInvoke IsInvoking StartCoroutine StopCoroutine Print CompareTag
GetComponents SendMessageUpwards OnPointerEnter OnPointerExit OnPointerDown OnPointerUp OnPointerClick OnBeginDrag OnDrag OnEndDrag OnCollisionEnter OnCollisionExit
OnCollisionStay OnTriggerEnter OnTriggerExit OnTriggerStay OnMouseEnter OnMouseExit OnMouseOver OnMouseDown OnMouseUp OnMouseDrag OnMouseUpAsButton OnParticleCollision
OnParticleTrigger OnParticleSystemStopped OnPreRender OnPreCull OnPostRender OnRenderObject OnRenderImage OnWillRenderObject OnGUI OnDrawGizmos OnDrawGizmosSelected
OnApplicationFocus OnApplicationPause OnApplicationQuit OnBecameVisible OnBecameInvisible OnTransformChildrenChanged OnTransformParentChanged OnControllerColliderHit
OnJointBreak OnAnimatorMove OnAnimatorIK OnAudioFilterRead OnCanvasGroupChanged OnRectTransformDimensionsChange OnBeforeTransformParentChanged OnDidApplyAnimationProperties
OnLevelWasLoaded OnConnectedToServer OnServerInitialized OnSerializeNetworkView`
