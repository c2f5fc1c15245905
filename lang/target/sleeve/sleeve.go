// Package sleeve writes a scene as one page for a phone in a sleeve with two
// lenses: the page of package html with another viewer, which draws one picture for
// each eye. The head turns the view by the sensors of the phone, a look or a
// tap uses things, and the controls of the scene stand in it for both eyes. Without
// a sensor the view turns by fingers and keys; outside of the sleeve the page is
// that of package html.
package sleeve

import (
	_ "embed" // the adapter
	"fmt"
	"strconv"

	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/bundle"
	"github.com/meshd/meshd/lang/target/html"
)

//go:embed adapter.js
var adapter string

//go:embed sleeve.css
var style string

// What the options of a page are without being asked for, and what they may be.
var (
	EyeDistance = [3]float64{0.063, 0.04, 0.08} // metres: that of most people, and those of all
	FieldOfView = [3]float64{80, 40, 120}       // degrees from top to bottom, as the lenses show them
	Dwell       = [3]float64{1.5, 0, 10}        // seconds of looking that use a thing; 0 leaves it to the tap
)

// Page makes index.html.
func Page(in *artefact.Input) (*artefact.Output, error) {
	number := func(name string) string { return strconv.FormatFloat(in.Options.Number(name), 'f', -1, 64) }
	return html.Viewer{
		Script: bundle.Script(bundle.Viewer, adapter), Notices: html.Notices, Style: style,
		Main: fmt.Sprintf(` data-eye="%s" data-fov="%s" data-dwell="%s"`, number("eye_distance"), number("field_of_view"), number("dwell")),
	}.Page(in)
}
