// Gallery draws the scenes of docs/gallery.md twice, in Chromium as the page that
// people get and by our rasteriser, judges the pictures by rules, and keeps them
// side by side with a sheet of all of them.
//
//	go run ./scripts/gallery [-out DIR] [-small] [-only NAME] [-browser=false]
//
// A scene is framed (what counts covers enough of the picture and is not cut off at
// its edges), legible (texts have contrast and size), lit (neither all dark nor all
// bright), has nothing astray, and looks alike in both. What breaks a rule is printed,
// and the exit code is 1.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/picture"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

// scenes are those of docs/gallery.md, below the folder of the examples.
var scenes = []string{
	"gallery/living_room.holo", "gallery/shell_house.holo", "gallery/valley.holo", "gallery/teapot_offer.holo", "gallery/night_street.holo",
	"gallery/plant_dashboard.holo", "gallery/planets.holo", "gallery/reef.holo", "gallery/plant_cell.holo", "gallery/chess.holo",
	"gallery/village_models.holo", "gallery/notice_board.holo", "gallery/fireworks.holo", "gallery/market_people.holo", "gallery/year_chart.holo",
	"gallery/playground.holo", "gallery/control_room.holo", "robot_arm.holo", "harbour_town.holo", "water_molecule.holo", "fossil_hall.holo", "booth.holo",
	"wind_farm.holo", "workshop.holo",
}

func main() {
	out := flag.String("out", "", "folder for the pictures; a temporary one without it")
	small := flag.Bool("small", false, "small pictures, as the test command makes them")
	only := flag.String("only", "", "only scenes whose name has this in it")
	browser := flag.Bool("browser", true, "draw the pages in Chromium, too")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *small, *only, *browser); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

// shown is a scene with its pictures.
type shown struct {
	name        string
	model       *scene.Scene
	drawn, page image.Image // ours, and the browser's
	faults      []string
}

func run(ctx context.Context, out string, small bool, only string, browser bool) error {
	width, height := 960, 540
	if small {
		width, height = 480, 270
	}
	if out == "" {
		dir, err := os.MkdirTemp("", "gallery")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		out = dir
	} else if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	var all []*shown
	var pages []string
	for _, file := range scenes {
		if !strings.Contains(file, only) {
			continue
		}
		s, page, err := draws(filepath.Join("examples", file), out, width, height)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		all, pages = append(all, s), append(pages, page)
	}
	if browser {
		if err := shoot(ctx, pages, width, height); err != nil {
			return err
		}
	}
	var faults []error
	for i, s := range all {
		if browser {
			if s.page, err = read(pages[i] + ".png"); err != nil {
				return err
			}
		}
		s.faults = append(s.faults, judge(s.model, s.drawn)...)
		if s.page != nil {
			s.faults = append(s.faults, alike(s.drawn, s.page)...)
		}
		fmt.Printf("%-24s %s\n", s.name, strings.Join(s.faults, "; "))
		for _, f := range s.faults {
			faults = append(faults, fmt.Errorf("%s: %s", s.name, f))
		}
	}
	if err := sheet(all, filepath.Join(out, "sheet.png")); err != nil {
		return err
	}
	return errors.Join(faults...)
}

// draws compiles a scene and draws it; it returns the page for the browser.
func draws(file, out string, width, height int) (*shown, string, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	format, _ := ast.FormatOf(file)
	project := target.Load(os.DirFS(filepath.Dir(file)), filepath.Base(file), raw, format)
	built, err := target.Compile(project, target.Request{Target: "html"})
	if err != nil {
		return nil, "", err
	}
	s := &shown{name: name, model: artefact.Standing(built.Scene)}
	data, _, err := picture.WebP(s.model, picture.Options{Width: width, Height: height, Quality: picture.Production})
	if err != nil {
		return nil, "", err
	}
	if err := os.WriteFile(filepath.Join(out, name+".webp"), data, 0o644); err != nil {
		return nil, "", err
	}
	if data, _, err = picture.PNG(s.model, picture.Options{Width: width, Height: height, Quality: picture.Production}); err != nil {
		return nil, "", err
	}
	if s.drawn, err = png.Decode(bytes.NewReader(data)); err != nil {
		return nil, "", err
	}
	page := filepath.Join(out, name+".html")
	return s, page, os.WriteFile(page, built.Files[0].Data, 0o644)
}

// shoot opens pages in one Chromium and keeps what they show, each beside its page.
func shoot(ctx context.Context, pages []string, width, height int) error {
	args := append([]string{filepath.Join("scripts", "validators", "gallery.mjs"), fmt.Sprint(width), fmt.Sprint(height)}, pages...)
	c := exec.CommandContext(ctx, "node", args...)
	c.Stderr = os.Stderr
	return c.Run()
}

func read(file string) (image.Image, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return png.Decode(f)
}

// sheet puts all pictures on one: three pairs a row, the browser's on the left.
func sheet(all []*shown, file string) error {
	if len(all) == 0 {
		return nil
	}
	const pairs, gap = 3, 4
	b := all[0].drawn.Bounds()
	w, h := b.Dx()/2, b.Dy()/2
	rows := (len(all) + pairs - 1) / pairs
	m := image.NewRGBA(image.Rect(0, 0, pairs*(2*w+3*gap), rows*(h+gap)))
	for i, s := range all {
		x, y := i%pairs*(2*w+3*gap), i/pairs*(h+gap)
		for k, one := range []image.Image{s.page, s.drawn} {
			if one != nil {
				at := image.Rect(x+k*(w+gap), y, x+k*(w+gap)+w, y+h)
				draw.Draw(m, at, halved(one), image.Point{}, draw.Src)
			}
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		return err
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}
