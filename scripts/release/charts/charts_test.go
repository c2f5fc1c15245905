package charts

import (
	"bytes"
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	composeloader "github.com/compose-spec/compose-go/v2/loader"
	compose "github.com/compose-spec/compose-go/v2/types"
	helmloader "helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/yaml"
)

const chart = "../../../configs/helm/meshd"

// TestChartLints is helm lint, for which anything but the missing icon counts.
func TestChartLints(t *testing.T) {
	t.Parallel()
	for _, m := range lint.All(chart, map[string]any{}, "default", true).Messages {
		if m.Severity > support.InfoSev {
			t.Errorf("%v", m)
		}
	}
}

// rendered is helm template, each object read as the API server reads it: an unknown
// field is an error.
func rendered(t *testing.T, values map[string]any) (set *appsv1.StatefulSet, services []corev1.Service, ingresses []networkingv1.Ingress) {
	t.Helper()
	c, err := helmloader.Load(chart)
	if err != nil {
		t.Fatal(err)
	}
	all, err := chartutil.ToRenderValues(c, values, chartutil.ReleaseOptions{Name: "mesh", Namespace: "default", IsInstall: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	files, err := engine.Engine{Strict: true}.Render(c, all)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if strings.HasSuffix(name, ".txt") {
			if !strings.Contains(text, "mesh-meshd-0") {
				t.Errorf("%s:\n%s", name, text)
			}
			continue
		}
		for _, doc := range strings.Split(text, "\n---\n") {
			var kind struct{ Kind string }
			if err := yaml.Unmarshal([]byte(doc), &kind); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, doc)
			}
			var into any
			switch kind.Kind {
			case "":
				continue
			case "StatefulSet":
				set = &appsv1.StatefulSet{}
				into = set
			case "Service":
				services = append(services, corev1.Service{})
				into = &services[len(services)-1]
			case "Ingress":
				ingresses = append(ingresses, networkingv1.Ingress{})
				into = &ingresses[len(ingresses)-1]
			default:
				t.Fatalf("%s: %s", name, kind.Kind)
			}
			if err := yaml.UnmarshalStrict([]byte(doc), into); err != nil {
				t.Errorf("%s: %v\n%s", name, err, doc)
			}
		}
	}
	return set, services, ingresses
}

// TestChartRenders: by its defaults one replica with a volume, as a user without rights,
// probed where the program answers.
func TestChartRenders(t *testing.T) {
	t.Parallel()
	set, services, ingresses := rendered(t, nil)
	if set == nil || len(services) != 1 || len(ingresses) != 0 {
		t.Fatalf("%v, %d services, %d ingresses", set, len(services), len(ingresses))
	}
	pod := set.Spec.Template.Spec
	box := pod.Containers[0]
	if *set.Spec.Replicas != 1 || len(set.Spec.VolumeClaimTemplates) != 1 || set.Spec.ServiceName != services[0].Name {
		t.Errorf("%+v", set.Spec)
	}
	if *pod.SecurityContext.RunAsUser != 10001 || !*pod.SecurityContext.RunAsNonRoot || !*box.SecurityContext.ReadOnlyRootFilesystem ||
		*box.SecurityContext.AllowPrivilegeEscalation || !slices.Equal(box.SecurityContext.Capabilities.Drop, []corev1.Capability{"ALL"}) {
		t.Errorf("%+v %+v", pod.SecurityContext, box.SecurityContext)
	}
	if box.LivenessProbe.HTTPGet.Path != "/livez" || box.StartupProbe.HTTPGet.Path != "/livez" || box.ReadinessProbe.HTTPGet.Path != "/readyz" {
		t.Errorf("%+v", box)
	}
	if box.Image != "registry.example.org/meshd:"+version(t) {
		t.Errorf("image %s", box.Image)
	}
	// The home lies below the mount, whose own folder the group may write.
	if got := box.Env[0]; got.Name != "MESHD_HOME" || !strings.HasPrefix(got.Value, box.VolumeMounts[0].MountPath+"/") {
		t.Errorf("%+v in %+v", got, box.VolumeMounts)
	}
	for _, want := range services[0].Spec.Ports {
		if !slices.ContainsFunc(box.Ports, func(p corev1.ContainerPort) bool { return p.Name == want.TargetPort.StrVal }) {
			t.Errorf("no port %s", want.TargetPort.StrVal)
		}
	}
	if !isSubset(set.Spec.Selector.MatchLabels, set.Spec.Template.Labels) || !isSubset(services[0].Spec.Selector, set.Spec.Template.Labels) {
		t.Error("selectors do not fit the labels of the pod")
	}
}

// TestChartRendersAllValues: with every value set it still is what the API server reads.
func TestChartRendersAllValues(t *testing.T) {
	t.Parallel()
	set, services, ingresses := rendered(t, map[string]any{
		"image": map[string]any{"tag": "9.9.9"}, "imagePullSecrets": []any{map[string]any{"name": "pull"}}, "secretName": "meshd-secrets",
		"settings":    map[string]any{"MESHD_NODE_PROFILE": "gateway", "MESHD_GATEWAY_PUBLIC_URL": "https://mesh.example.org"},
		"persistence": map[string]any{"storageClass": "fast", "size": "5Gi"}, "podAnnotations": map[string]any{"a": "b"},
		"service": map[string]any{"annotations": map[string]any{"a": "b"}}, "p2p": map[string]any{"serviceType": "LoadBalancer", "annotations": map[string]any{"a": "b"}},
		"ingress":      map[string]any{"enabled": true, "className": "nginx", "tlsSecret": "cert", "annotations": map[string]any{"a": "b"}},
		"nodeSelector": map[string]any{"disk": "ssd"}, "tolerations": []any{map[string]any{"key": "a", "operator": "Exists"}},
		"affinity": map[string]any{"nodeAffinity": map[string]any{}},
	})
	if len(services) != 2 || len(ingresses) != 1 || ingresses[0].Spec.TLS[0].SecretName != "cert" || set.Spec.Template.Spec.Containers[0].EnvFrom[0].SecretRef.Name != "meshd-secrets" {
		t.Errorf("%d services, %+v", len(services), ingresses)
	}
	if got := set.Spec.Template.Spec.Containers[0]; got.Image != "registry.example.org/meshd:9.9.9" || len(got.Env) != 3 {
		t.Errorf("%+v", got)
	}
}

// TestCompose has the library of Docker Compose read the file, and compares it with the image.
func TestCompose(t *testing.T) {
	t.Parallel()
	project, err := composeloader.LoadWithContext(context.Background(), compose.ConfigDetails{
		ConfigFiles: []compose.ConfigFile{{Filename: "../../../configs/compose.yaml"}}, Environment: map[string]string{},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := project.Services["meshd"]
	if s.Image != "meshd:"+version(t) || !s.ReadOnly || len(s.Ports) != 3 || len(s.Volumes) != 1 || s.Volumes[0].Target != "/var/lib/meshd" {
		t.Errorf("%+v", s)
	}
}

func version(t *testing.T) string {
	t.Helper()
	f, err := os.Open("../../../cmd/meshd/release/VERSION")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(text))
}

func isSubset(want, have map[string]string) bool {
	for k, v := range want {
		if have[k] != v {
			return false
		}
	}
	return len(want) > 0
}
