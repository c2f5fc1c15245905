package effect

import (
	"fmt"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/ucan/v0"
)

// Record is what one control change says about rights. Which of the fields are
// set follows from its kind.
type Record struct {
	ID    change.ID
	Kind  string
	Chain change.Chain
	Seq   uint64
	HLC   uint64
	Proof []change.ID

	Birth    *Birth      // profile.bind at seq 1
	Rotate   *Rotate     // rotate
	Grant    *Grant      // grant
	End      *End        // revoke, and a grant that closes another
	Readmits []change.ID // endorse readmit
	Open     *Open       // guild.open
}

// Birth is what a genesis says of what outranks its key.
type Birth struct {
	Controllers []string
	Next        []byte // H of the recovery key, nil without one
}

// Rotate is what a rotation says. By is the DID of who consents.
type Rotate struct {
	Old            did.Key
	By             string
	Cut            body.Cut
	Controllers    []string
	HasControllers bool
	Next           []byte
}

// Grant is what a grant says: to whom it gives which rights, for how long.
type Grant struct {
	Audience  did.Key
	Role      string // "" when the rights are not those of a role
	Expires   *int64 // Unix seconds, included; nil is never
	NotBefore *int64 // Unix seconds, included; nil is always
	Rights    string // by EncodeRights
}

// End ends a grant but for what the cuts keep.
type End struct {
	Grant change.ID
	Cut   body.Cuts
}

// Open is what the opening of a guild says.
type Open struct{ Name, Type, Visibility string }

// Read reads the body of a member of a control kind. The error says that it is
// no such member; ok is false for kinds that say nothing about rights.
func Read(c *change.Change) (r Record, ok bool, err error) {
	h := c.Head
	r = Record{ID: c.ID, Kind: h.Kind, Chain: h.Chain(), Seq: h.Seq, HLC: h.HLC, Proof: h.Proof}
	switch h.Kind {
	case change.KindBind:
		err = r.readBind(c)
	case change.KindRotate:
		err = r.readRotate(c)
	case change.KindGrant:
		err = r.readGrant(c)
	case change.KindRevoke:
		var v body.Revoke
		if v, err = body.ParseRevoke(c.Body); err == nil {
			r.End = &End{v.Grant, v.Cut}
		}
	case change.KindEndorse:
		var v body.Endorse
		if v, err = body.ParseEndorse(c.Body); err == nil && v.As == body.Readmit {
			r.Readmits = v.IDs
		}
	case change.KindGuildOpen:
		var v body.GuildOpen
		if v, err = body.ParseGuildOpen(c.Body); err == nil {
			r.Open = &Open{v.Name, v.Type, v.Visibility}
		}
	default:
		return r, false, nil
	}
	return r, err == nil, err
}

func (r *Record) readBind(c *change.Change) error {
	v, err := body.ParseBind(c.Body, r.Seq == 1)
	if err == nil {
		r.SetBind(v)
	}
	return err
}

// SetBind is what Read does for a profile.bind whose body was parsed before.
func (r *Record) SetBind(v body.Bind) {
	if r.Seq == 1 && (len(v.Controllers) > 0 || v.Next != nil) {
		r.Birth = &Birth{v.Controllers, v.Next}
	}
}

func (r *Record) readRotate(c *change.Change) error {
	v, err := body.ParseRotate(c.Body)
	if err == nil {
		r.Rotate = &Rotate{v.Old, v.By.Key, v.Cut, v.Controllers, v.HasControllers, v.Next}
	}
	return err
}

func (r *Record) readGrant(c *change.Change) error {
	v, err := body.ParseGrant(c.Body)
	if err != nil {
		return err
	}
	t, findings := v0.Parse(v.Token)
	if t == nil {
		return fmt.Errorf("read the token of a grant: %v", findings)
	}
	aud, err := did.ParseKey(t.Audience)
	if err != nil {
		return fmt.Errorf("read the audience of a grant: %w", err)
	}
	rights, err := EncodeRights(t.Caps)
	if err != nil {
		return err
	}
	r.Grant = &Grant{aud, v.Role, t.Expires, t.NotBefore, rights}
	if v.Closes != nil {
		r.End = &End{v.Closes.Grant, v.Closes.Cut}
	}
	return nil
}
