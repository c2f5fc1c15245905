package language

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/lang/estimate"
	"github.com/meshd/meshd/lang/picture"
	"github.com/meshd/meshd/lang/raster"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

func cmdRender(s *session.Session) *cobra.Command {
	var flags sourceFlags
	var out, size, camera, quality string
	c := &cobra.Command{
		Use: "render -o FILE.png FILE|-", Short: "Draw a source, without a browser", Args: oneSource,
		Long: "Draw a source in software. The ending of --out says what comes: .png or .webp a picture, .svg a plan seen from above,\n" +
			".gif a turn around the scene. The same source gives the same picture on every machine.",
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return session.Usage("render needs a file: -o out.png")
			}
			o := picture.Options{Quality: picture.Quality(quality)}
			if _, err := fmt.Sscanf(size, "%dx%d", &o.Width, &o.Height); err != nil {
				return session.Usage("--size is WIDTHxHEIGHT, not %q", size)
			}
			if quality != "draft" && quality != "preview" && quality != "production" {
				return session.Usage("--quality is draft, preview or production, not %q", quality)
			}
			if err := readCamera(camera, &o.From); err != nil {
				return err
			}
			src, err := loadSource(s, args[0], flags.format)
			if err != nil {
				return err
			}
			return renderScene(s, src, out, o)
		},
	}
	flags.add(c)
	c.Flags().StringVarP(&out, "out", "o", "", "file to write: .png, .webp, .svg or .gif")
	c.Flags().StringVar(&size, "size", "800x600", "width and height in pixels")
	c.Flags().StringVar(&camera, "camera", "", `where from, as JSON: {"position": [x, y, z], "target": [x, y, z], "fov": 60}`)
	c.Flags().StringVar(&quality, "quality", "preview", "how well it is drawn")
	session.Choices(c, "quality", "draft", "preview", "production")
	return c
}

func readCamera(text string, from *picture.Standpoint) error {
	if text == "" {
		return nil
	}
	var c struct {
		Position *scene.Vec `json:"position"`
		Target   scene.Vec  `json:"target"`
		FOV      float64    `json:"fov"`
	}
	if err := json.Unmarshal([]byte(text), &c); err != nil || c.FOV != 0 && (c.FOV < 10 || c.FOV > 120) {
		return session.Usage(`--camera is {"position": [x, y, z], "target": [x, y, z], "fov": 10 to 120}`)
	}
	from.FOV = c.FOV
	if c.Position != nil {
		from.Given, from.Position, from.Target = true, *c.Position, c.Target
	}
	return nil
}

func renderScene(s *session.Session, src *target.Source, out string, o picture.Options) error {
	built, found, err := target.Scene(*src, scene.Limits{}, nil)
	var bad *target.SourceError
	if errors.As(err, &bad) {
		return errors.Join(compileFindings(s, nil, bad.All), session.ErrDegraded)
	}
	if err != nil {
		return err
	}
	if err := compileFindings(s, nil, found); err != nil {
		return err
	}
	var data []byte
	var warnings []raster.Warning
	switch strings.ToLower(filepath.Ext(out)) {
	case ".png":
		data, warnings, err = picture.PNG(built, o)
	case ".webp":
		data, warnings, err = picture.WebP(built, o)
	case ".svg":
		data, warnings, err = picture.Plan(built, o.Width, o.Height)
	case ".gif":
		data, warnings, err = picture.Turntable(built, o, 3000)
	default:
		return session.Usage("--out ends in .png, .webp, .svg or .gif, not %q", filepath.Ext(out))
	}
	var over *estimate.Excess
	if errors.As(err, &over) {
		return errors.Join(compileFindings(s, nil, target.Exceeded(*src, over).All), session.ErrDegraded)
	}
	var refused *raster.Error
	if errors.As(err, &refused) {
		return session.Usage("%v", refused)
	}
	if err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintf(s.Err, "meshd: %s\n", terminal.Plain(w.Text))
	}
	return os.WriteFile(out, data, 0o644)
}
