package edit

import (
	"math"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// move takes a node out of where it is and puts it into another, or elsewhere
// among its siblings.
func (s *session) move(op Op) *Refusal {
	i, e, err := s.written(op.Node)
	if err != nil {
		return err
	}
	n := s.scene().Nodes[i]
	if e.block == nil || e.above == nil {
		return refuse(Elsewhere, "the node %q has no block in a body", n.Path)
	}
	if op.At != nil && *op.At < 0 {
		return refuse(Invalid, "at is 0 or more")
	}
	to, into, err := s.parent(op.Parent)
	if err != nil {
		return err
	}
	for at := to; at >= 0; at = s.scene().Nodes[at].Parent {
		if at == i {
			return refuse(Invalid, "a node cannot be moved into itself")
		}
	}
	if i, e, err = s.written(n.Path); err != nil { // the parent may have been given a block of its own
		return err
	}
	if into.json || into.block == nil && into.node.Kind() != ast.KindFile {
		return refuse(Elsewhere, "a document of values is given nodes as text")
	}
	if to != n.Parent && n.Name != "" && s.taken(to, n.Name) {
		return refuse(Invalid, "there is a %q already", n.Name)
	}
	if op.KeepWorld && to != n.Parent {
		if err := s.keepWorld(e, i, to); err != nil {
			return err
		}
		if err := s.flush(); err != nil {
			return err
		}
		if _, e, err = s.written(n.Path); err != nil {
			return err
		}
		if to, into, err = s.parent(op.Parent); err != nil {
			return err
		}
	}
	if to != n.Parent {
		var paths []mention
		for _, m := range s.mentions(e, true) {
			if before := int(m.at.Start) - 1; !m.quoted && before >= 0 && (s.text[before] == '.' || strings.HasPrefix(s.text[m.at.End:], ".")) {
				paths = append(paths, m)
			}
		}
		s.note(paths, "this path names "+quoted(n.Name)+" where it was")
	}
	open, end, _ := s.where(e)
	from, until := s.leading(e.node), int(e.node.Span().End)
	if !s.startOfLine(from) {
		from = int(e.node.Span().Start)
	}
	item := s.lifted(from, until)
	at := op.At
	if at != nil && e.above == into.body && places(into, e.block) <= *at { // places count without the node itself
		at = intPtr(*at + 1)
	}
	if e.above == into.body && s.unmoved(into, e, at) {
		return nil
	}
	s.insertBlock(into, marker(item.text), at)
	for _, p := range s.pending {
		if strings.Contains(p.Text, mark) {
			s.fill(item.with(s.newIndent(p, into)))
		}
	}
	s.removeItem(e.node, open, end)
	return nil
}

func intPtr(i int) *int { return &i }

// places is the place of a block among the nodes of a body.
func places(e *element, block *ast.Block) int {
	k := 0
	for _, it := range e.body.Items {
		if b, ok := it.(*ast.Block); ok && nodeKind(b.BlockKind) {
			if b == block {
				return k
			}
			k++
		}
	}
	return k
}

// unmoved says whether a node of the body would stay exactly where it is.
func (s *session) unmoved(into, e *element, at *int) bool {
	last := s.lastItem(into.body) == e.node
	if at == nil {
		return last
	}
	k := places(into, e.block)
	return *at == k || *at == k+1 || last && *at > k
}

// newIndent is the indentation of the line that an insertion begins.
func (s *session) newIndent(e Edit, into *element) string {
	before := e.Text[:strings.Index(e.Text, mark)]
	if i := strings.LastIndexAny(before, "\r\n"); i >= 0 {
		return before[i+1:]
	}
	if s.startOfLine(e.Offset) {
		return s.indentAt(e.Offset)
	}
	return s.bodyIndent(into.body, into.node)
}

// keepWorld writes the place that a node needs below another to stay where it is
// in the world.
func (s *session) keepWorld(e *element, i, to int) *Refusal {
	nodes := s.scene().Nodes
	world := func(i int) matrix {
		m := identity
		for ; i >= 0; i = nodes[i].Parent {
			m = placed(&nodes[i]).times(m)
		}
		return m
	}
	inverse, ok := world(to).inverse()
	if !ok {
		return refuse(Invalid, "the new parent has no size, so that nothing keeps its place in it")
	}
	local := inverse.times(world(i))
	n := &nodes[i]
	t, r, sc, ok := local.parts([3]float64(n.S))
	if !ok {
		return refuse(Invalid, "the node would be slanted below the new parent")
	}
	for _, key := range []string{"look_at", "direction", "target"} {
		if at, err := s.find(e.body, e.node, []string{key}); err == nil && at.value != nil && (key == "look_at" || n.Light != nil || n.Camera != nil) {
			r := refuse(Elsewhere, "where the node faces is told by %q; move it without keep_world", key)
			r.Place = s.place(at.item, "the setting")
			return r
		}
	}
	if t != [3]float64(n.T) {
		if err := s.setVector(e, "position", t); err != nil {
			return err
		}
	}
	old := placed(n)
	_, r0, s0, _ := old.parts([3]float64(n.S))
	if far(r, r0) || n.Light != nil { // a light without a rotation finds its own
		if err := s.readyFor(e); err != nil {
			return err
		}
		if err := s.setVector(s.again(s.nameOf(e)), "rotation", r); err != nil {
			return err
		}
	}
	if far(sc, s0) || far(s0, [3]float64(n.S)) {
		if err := s.readyFor(e); err != nil {
			return err
		}
		if err := s.setVector(s.again(s.nameOf(e)), "scale", sc); err != nil {
			return err
		}
	}
	return nil
}

// readyFor carries out what is pending, so that an element can be changed again.
func (s *session) readyFor(e *element) *Refusal {
	at := s.nameOf(e)
	if err := s.flush(); err != nil {
		return err
	}
	if fresh := s.again(at); fresh != nil {
		*e = *fresh
	}
	return nil
}

func far(a, b [3]float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-6 {
			return true
		}
	}
	return false
}

// setVector writes a vector, rounded to a millionth.
func (s *session) setVector(e *element, key string, v [3]float64) *Refusal {
	list := trait.Value{Kind: trait.List}
	for _, x := range v {
		list.List = append(list.List, trait.Value{Kind: trait.Number, Num: math.Round(x*1e6) / 1e6})
	}
	return s.set(e, key, list)
}

// matrix is a transform on column vectors: three rows of a 4×4.
type matrix [3][4]float64

var identity = matrix{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}

// placed is the transform of a node below its parent.
func placed(n *scene.Node) matrix {
	x, y, z, w := n.R[0], n.R[1], n.R[2], n.R[3]
	m := matrix{
		{1 - 2*(y*y+z*z), 2 * (x*y - z*w), 2 * (x*z + y*w), n.T[0]},
		{2 * (x*y + z*w), 1 - 2*(x*x+z*z), 2 * (y*z - x*w), n.T[1]},
		{2 * (x*z - y*w), 2 * (y*z + x*w), 1 - 2*(x*x+y*y), n.T[2]},
	}
	for i := range m {
		for k := 0; k < 3; k++ {
			m[i][k] *= n.S[k]
		}
	}
	return m
}

func (m matrix) times(o matrix) matrix {
	var out matrix
	for i := range out {
		for k := range out[i] {
			for j := 0; j < 3; j++ {
				out[i][k] += m[i][j] * o[j][k]
			}
		}
		out[i][3] += m[i][3]
	}
	return out
}

func (m matrix) det() float64 {
	return m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1]) - m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0]) + m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0])
}

func (m matrix) inverse() (matrix, bool) {
	d := m.det()
	if math.Abs(d) < 1e-12 {
		return identity, false
	}
	var out matrix
	for i := 0; i < 3; i++ {
		for k := 0; k < 3; k++ {
			a, b, c, e := (k+1)%3, (k+2)%3, (i+1)%3, (i+2)%3
			out[i][k] = (m[a][c]*m[b][e] - m[a][e]*m[b][c]) / d
		}
	}
	for i := range out {
		out[i][3] = -(out[i][0]*m[0][3] + out[i][1]*m[1][3] + out[i][2]*m[2][3])
	}
	return out, true
}

// parts are the place, the Euler angles in degrees (Rx·Ry·Rz) and the sizes of a
// transform, when it is made of these alone. Of mirrored sizes those are negative
// that are so in like.
func (m matrix) parts(like [3]float64) (t, r, s [3]float64, ok bool) {
	for i := range t {
		t[i] = m[i][3]
		s[i] = math.Sqrt(m[0][i]*m[0][i] + m[1][i]*m[1][i] + m[2][i]*m[2][i])
		if s[i] < 1e-9 {
			return t, r, s, false
		}
	}
	mirrored := m.det() < 0
	if mirrored != (like[0]*like[1]*like[2] < 0) {
		like = [3]float64{1, 1, 1}
		if mirrored {
			like[0] = -1
		}
	}
	for i := range s {
		s[i] = math.Copysign(s[i], like[i])
	}
	var q [3][3]float64
	for i := range q {
		for k := range q[i] {
			q[i][k] = m[i][k] / s[k]
		}
	}
	for a := 0; a < 3; a++ { // the columns must stand upright on each other
		b := (a + 1) % 3
		if math.Abs(q[0][a]*q[0][b]+q[1][a]*q[1][b]+q[2][a]*q[2][b]) > 1e-6 {
			return t, r, s, false
		}
	}
	deg := 180 / math.Pi
	y := math.Asin(min(max(q[0][2], -1), 1))
	if math.Abs(q[0][2]) < 0.9999999 {
		r = [3]float64{math.Atan2(-q[1][2], q[2][2]) * deg, y * deg, math.Atan2(-q[0][1], q[0][0]) * deg}
	} else {
		r = [3]float64{math.Atan2(q[2][1], q[1][1]) * deg, y * deg, 0}
	}
	return t, r, s, true
}
