package raster

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/meshd/meshd/lang/raster/vec"
)

// Options say how a picture is made.
type Options struct {
	Width, Height int // pixels
	Samples       int // a pixel: 1 or 4; 0 is 4
	ShadowMap     int // texels a side of a light's depth map; 0 is 1024

	// Step, when set, is called at least once a row and once a
	// millisecond of work. An error of it ends the work and is returned as it is.
	Step func() error
}

// Render draws a scene. A scene that breaks a limit is refused with an *Error
// before much is allocated; TooMuchWork can only be seen while drawing. The
// warnings say what the picture lacks.
func Render(s *Scene, o Options) (*image.NRGBA, []Warning, error) { return render(s, o, MaxWork) }

func render(s *Scene, o Options, budget int) (*image.NRGBA, []Warning, error) {
	if err := s.validate(&o); err != nil {
		return nil, nil, err
	}
	camera, bad := s.Camera.complete()
	if bad != nil {
		return nil, nil, bad
	}
	o.Samples, o.ShadowMap = cmp.Or(o.Samples, 4), cmp.Or(o.ShadowMap, 1024)
	if err := s.fits(&o); err != nil {
		return nil, nil, err
	}
	r := &renderer{view: newView(camera, o.Width, o.Height), step: o.Step, samples: fourSamples, budget: budget}
	if o.Samples == 1 {
		r.samples = oneSample
	}
	r.skyTop, r.skyBottom = light(s.Sky.Top), light(s.Sky.Bottom)
	r.fog, r.fogDensity = light(s.Sky.Fog), s.Sky.FogDensity
	r.exposure, r.tone = cmp.Or(s.Sky.Exposure, 1), s.Sky.Tone
	for i := range s.Lights {
		r.lamps = append(r.lamps, newLamp(&s.Lights[i]))
	}
	r.prepareSurfaces(s)
	if err := r.shadows(s, o.ShadowMap); err != nil {
		return nil, nil, err
	}
	if err := r.prepareLabels(s); err != nil {
		return nil, nil, err
	}
	if err := r.project(); err != nil {
		return nil, nil, err
	}
	img, err := r.draw()
	if err != nil {
		return nil, nil, err
	}
	return img, r.warnings, nil
}

// renderer is one picture in the making.
type renderer struct {
	view     *view
	samples  [][2]int64
	surfaces []surface
	lamps    []lamp
	places   placeList
	clear    []sorted // blended triangles, the farthest first

	skyTop, skyBottom, fog vec.Vec
	fogDensity, exposure   float64
	tone                   Tone

	step     func() error
	budget   int // units of work
	work     int // spent so far
	since    int // since the last step
	warnings []Warning
}

// sorted is a blended triangle with its depth.
type sorted struct {
	depth float32
	index int32
}

func (r *renderer) warn(code, format string, args ...any) {
	r.warnings = append(r.warnings, Warning{code, fmt.Sprintf(format, args...)})
}

// spend counts work and looks up now and then.
func (r *renderer) spend(work int) error {
	r.work += work
	r.since += work
	if r.work > r.budget {
		return refuse(TooMuchWork, "drawing takes more than %d units of work", r.budget)
	}
	if r.since < stepWork {
		return nil
	}
	return r.pause()
}

func (r *renderer) pause() error {
	r.since = 0
	if r.step == nil {
		return nil
	}
	return r.step()
}

// placeList keeps places in blocks, so that it grows without copying.
type placeList struct {
	blocks []*[placeBlock]place
	n      int
}

const placeBlock = 4096

func (l *placeList) add(p *place) {
	if l.n%placeBlock == 0 {
		l.blocks = append(l.blocks, new([placeBlock]place))
	}
	l.blocks[l.n/placeBlock][l.n%placeBlock] = *p
	l.n++
}

func (l *placeList) at(i int) *place { return &l.blocks[i/placeBlock][i%placeBlock] }

// project sets up every triangle that is in the picture.
func (r *renderer) project() error {
	cut := newCutter(r.view)
	for i := range r.surfaces {
		sf := &r.surfaces[i]
		for first := 0; first < len(sf.mesh.Indices); first += 3 {
			places := cut.setUp(sf, first, true)
			for k := range places {
				p := &places[k]
				p.object = int32(i)
				if sf.alpha == Blend {
					r.clear = append(r.clear, sorted{p.s[0].key + p.s[1].key + p.s[2].key, int32(r.places.n)})
				}
				r.places.add(p)
			}
			if err := r.spend(workTriangle); err != nil {
				return err
			}
		}
	}
	slices.SortStableFunc(r.clear, func(a, b sorted) int { return cmp.Compare(a.depth, b.depth) })
	return nil
}

// draw makes the picture band by band.
func (r *renderer) draw() (*image.NRGBA, error) {
	v := r.view
	img := image.NewNRGBA(image.Rect(0, 0, v.width, v.height))
	rows := min(max(bandPixels/v.width, 1), v.height)
	b := newBand(v.width, rows, len(r.samples))
	for top := 0; top < v.height; top += rows {
		b.top, b.rows = top, min(rows, v.height-top)
		if err := r.drawBand(b, img); err != nil {
			return nil, err
		}
	}
	return img, nil
}

// fits estimates the memory of a picture.
func (s *Scene) fits(o *Options) *Error {
	triangles, texels, throwing := 0, 0, 0
	seen := map[*Texture]bool{}
	for i := range s.Objects {
		triangles += s.Objects[i].Mesh.Triangles()
		if t := s.Objects[i].Material.Texture; t != nil && !seen[t] {
			seen[t] = true
			texels += t.Width * t.Height
		}
	}
	for i := range s.Lights {
		if l := &s.Lights[i]; l.Shadow && (l.Kind == Directional || l.Kind == Spot) {
			throwing = min(throwing+1, MaxShadows)
		}
	}
	need := 4*o.Width*o.Height + bandPixels*o.Samples*sampleBytes + triangles*(placeBytes+placeBytes/8) +
		4*texels/3 + 4*throwing*o.ShadowMap*o.ShadowMap
	if need > MaxMemory {
		return refuse(TooMuchMemory, "the picture needs about %d MiB, allowed are %d", need>>20, MaxMemory>>20)
	}
	return nil
}

// Sizes for the estimate of memory; a test compares them with the types.
const (
	placeBytes  = 84
	sampleBytes = 20
)

var never = float32(math.Inf(-1))
