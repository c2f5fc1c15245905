package unity

import (
	"cmp"
	"strings"

	"github.com/meshd/meshd/lang/target/artefact"
)

// pack are the files that make the folder a package of the engine.
func (w *writer) pack() ([]artefact.File, error) {
	needs := map[string]string{
		"com.unity.ugui": "1.0.0", "com.unity.modules.animation": "1.0.0", "com.unity.modules.audio": "1.0.0", "com.unity.modules.imgui": "1.0.0",
		"com.unity.modules.particlesystem": "1.0.0", "com.unity.modules.physics": "1.0.0", "com.unity.modules.xr": "1.0.0",
	}
	for i := range w.s.Assets {
		if p := strings.ToLower(w.s.Assets[i].Path); strings.HasSuffix(p, ".glb") || strings.HasSuffix(p, ".gltf") {
			needs["com.unity.cloud.gltfast"] = "6.0.1"
		}
	}
	pkg, err := artefact.JSON(struct {
		Name         string            `json:"name"`
		DisplayName  string            `json:"displayName"`
		Version      string            `json:"version"`
		Unity        string            `json:"unity"`
		Description  string            `json:"description"`
		Dependencies map[string]string `json:"dependencies"`
	}{"dev.meshd.scene", cmp.Or(w.s.Name, "Scene"), "1.0.0", "2021.3", w.in.Header(), needs})
	if err != nil {
		return nil, err
	}
	type defines struct {
		Name       string `json:"name"`
		Expression string `json:"expression"`
		Define     string `json:"define"`
	}
	assembly, err := artefact.JSON(struct {
		Name       string    `json:"name"`
		References []string  `json:"references"`
		Defines    []defines `json:"versionDefines"`
	}{"MeshdScene", []string{"UnityEngine.UI", "Unity.RenderPipelines.Core.Runtime", "Unity.RenderPipelines.Universal.Runtime"},
		[]defines{{"com.unity.render-pipelines.universal", "10.0.0", "MESHD_URP"}}})
	if err != nil {
		return nil, err
	}
	return []artefact.File{
		{Path: "package.json", MediaType: "application/json", Data: pkg}, {Path: "MeshdScene.asmdef", MediaType: "application/json", Data: assembly},
	}, nil
}
