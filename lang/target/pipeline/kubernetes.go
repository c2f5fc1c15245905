package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/meshd/meshd/lang/target/artefact"
)

// Image is the image that jobs run in.
const Image = "node:22-alpine"

// maxConfigMap is what a cluster keeps in one ConfigMap at most, in bytes.
const maxConfigMap = 1 << 20

// never is the line of a CronJob that is suspended: one has to be there.
const never = "0 0 1 1 *"

// Kubernetes makes cronjob.yaml: the program as a ConfigMap, and a CronJob for
// every pipeline. Secrets are named, none stands in it.
func Kubernetes(in *artefact.Input) (*artefact.Output, error) {
	list, code, losses, err := jobs(in)
	if err != nil {
		return nil, err
	}
	if size := len(code) + len(oneRunner); size > maxConfigMap {
		return nil, &artefact.Fault{Code: "LIM006", Slots: []string{"the program in a ConfigMap", fmt.Sprint(size), fmt.Sprint(maxConfigMap)}}
	}
	c := cluster{
		app: name(cmp.Or(in.Scene.Name, list[0].title), "pipelines", map[string]bool{}), image: cmp.Or(in.Options.Text("image"), Image), in: in,
	}
	docs := []*yaml.Node{mapping(
		entry{"apiVersion", word("v1")}, entry{"kind", word("ConfigMap")}, entry{"metadata", c.metadata(c.app + "-program")},
		entry{"data", mapping(entry{"pipeline.mjs", lines(code)}, entry{"run.mjs", lines(oneRunner)})},
	)}
	if slices.ContainsFunc(list, func(j job) bool { return j.files }) {
		docs = append(docs, mapping(
			entry{"apiVersion", word("v1")}, entry{"kind", word("PersistentVolumeClaim")}, entry{"metadata", c.metadata(c.app + "-files")},
			entry{"spec", mapping(
				entry{"accessModes", sequence(word("ReadWriteOnce"))},
				entry{"resources", mapping(entry{"requests", mapping(entry{"storage", word("1Gi")})})},
			)},
		))
	}
	for _, j := range list {
		docs = append(docs, c.cronJob(j))
	}
	raw, err := documents(c.comment(list), docs...)
	if err != nil {
		return nil, err
	}
	return &artefact.Output{Files: []artefact.File{{Path: "cronjob.yaml", MediaType: "application/yaml", Data: raw}}, Losses: losses}, nil
}

// cluster writes the objects of one source.
type cluster struct {
	app   string
	image string
	in    *artefact.Input
}

func (c *cluster) comment(list []job) []string {
	out := []string{
		c.in.Header(),
		"Checked by a schema of our own for batch/v1, and the program by running it; no cluster has run it.",
		"Apply: kubectl apply --server-side -f cronjob.yaml",
		fmt.Sprintf("Run one now: kubectl create job --from=cronjob/%s %s-now", list[0].name, list[0].name),
	}
	var secrets, plain []string
	for _, j := range list {
		for _, v := range j.variables {
			if v.Secret && !slices.Contains(secrets, v.Name) {
				secrets = append(secrets, v.Name)
			} else if !v.Secret && !slices.Contains(plain, v.Name) {
				plain = append(plain, v.Name)
			}
		}
	}
	if len(secrets)+len(plain) > 0 {
		out = append(out, "What the pipelines are given is yours to make before; nothing of it stands in here:")
	}
	if len(secrets) > 0 {
		out = append(out, "  the Secret "+c.app+"-secrets with "+strings.Join(secrets, ", "))
	}
	if len(plain) > 0 {
		out = append(out, "  the ConfigMap "+c.app+"-settings with "+strings.Join(plain, ", "))
	}
	return append(out, "A run is not begun again when it fails: it may have delivered a part. The program repeats requests as the pipeline says.")
}

// metadata names an object.
func (c *cluster) metadata(name string, more ...entry) *yaml.Node {
	return mapping(
		entry{"name", word(name)}, entry{"labels", c.labels()},
		entry{"annotations", mapping(append([]entry{{"meshd/generated", quoted(c.in.Header())}}, more...)...)},
	)
}

func (c *cluster) labels() *yaml.Node {
	return mapping(entry{"app.kubernetes.io/name", word(c.app)}, entry{"app.kubernetes.io/managed-by", word("meshd")})
}

func (c *cluster) cronJob(j job) *yaml.Node {
	schedule, notes := j.cron, []entry{{"meshd/pipeline", quoted(j.title)}, {"meshd/source", quoted(j.place)}}
	switch {
	case j.every > 0:
		schedule = "* * * * *"
		notes = append(notes, entry{"meshd/schedule", quoted(fmt.Sprintf("every %d s: a job every minute runs at those that fall into it", j.every))})
	case schedule == "":
		schedule = never
		notes = append(notes, entry{"meshd/schedule", quoted("none: the pipeline runs when somebody starts it")})
	}
	deadline := j.deadline
	if j.every > 0 {
		deadline += 60
	}
	return mapping(
		entry{"apiVersion", word("batch/v1")}, entry{"kind", word("CronJob")}, entry{"metadata", c.metadata(j.name, notes...)},
		entry{"spec", mapping(
			entry{"schedule", quoted(schedule)}, entry{"timeZone", word("Etc/UTC")}, entry{"suspend", boolean(j.cron == "" && j.every == 0)},
			entry{"concurrencyPolicy", word("Forbid")}, entry{"startingDeadlineSeconds", number(60)},
			entry{"successfulJobsHistoryLimit", number(1)}, entry{"failedJobsHistoryLimit", number(3)},
			entry{"jobTemplate", mapping(entry{"spec", mapping(
				entry{"backoffLimit", number(0)}, entry{"activeDeadlineSeconds", number(deadline)}, entry{"ttlSecondsAfterFinished", number(86400)},
				// A pod that is lost with its node is put elsewhere, one that failed is not.
				entry{"podFailurePolicy", mapping(entry{"rules", sequence(mapping(
					entry{"action", word("Ignore")}, entry{"onPodConditions", sequence(mapping(entry{"type", word("DisruptionTarget")}, entry{"status", word("True")}))},
				))})},
				entry{"template", mapping(entry{"metadata", mapping(entry{"labels", c.labels()})}, entry{"spec", c.pod(j)})},
			)})},
		)},
	)
}

func (c *cluster) pod(j job) *yaml.Node {
	args := []*yaml.Node{word("/program/run.mjs"), word(fmt.Sprint(j.number))}
	if j.every > 0 {
		args = append(args, word("--every"), word(fmt.Sprint(j.every)))
	}
	data := mapping(entry{"name", word("data")}, entry{"emptyDir", mapping(entry{"sizeLimit", word("64Mi")})})
	if j.files {
		data = mapping(entry{"name", word("data")}, entry{"persistentVolumeClaim", mapping(entry{"claimName", word(c.app + "-files")})})
	}
	var env *yaml.Node
	if len(j.variables) > 0 {
		env = sequence()
		for _, v := range j.variables {
			env.Content = append(env.Content, c.variable(v))
		}
	}
	return mapping(
		entry{"restartPolicy", word("Never")}, entry{"automountServiceAccountToken", boolean(false)}, entry{"enableServiceLinks", boolean(false)},
		entry{"securityContext", mapping(
			entry{"runAsNonRoot", boolean(true)}, entry{"runAsUser", number(1000)}, entry{"runAsGroup", number(1000)}, entry{"fsGroup", number(1000)},
			entry{"seccompProfile", mapping(entry{"type", word("RuntimeDefault")})},
		)},
		entry{"containers", sequence(mapping(
			entry{"name", word("pipeline")}, entry{"image", quoted(c.image)}, entry{"workingDir", word("/data")},
			entry{"command", sequence(word("node"))}, entry{"args", sequence(args...)}, entry{"env", env},
			entry{"resources", mapping(
				entry{"requests", mapping(entry{"cpu", word("50m")}, entry{"memory", word("64Mi")})},
				entry{"limits", mapping(entry{"cpu", word("1")}, entry{"memory", word("256Mi")})},
			)},
			entry{"securityContext", mapping(
				entry{"allowPrivilegeEscalation", boolean(false)}, entry{"readOnlyRootFilesystem", boolean(true)},
				entry{"capabilities", mapping(entry{"drop", sequence(word("ALL"))})},
			)},
			entry{"volumeMounts", sequence(
				mapping(entry{"name", word("program")}, entry{"mountPath", word("/program")}, entry{"readOnly", boolean(true)}),
				mapping(entry{"name", word("data")}, entry{"mountPath", word("/data")}),
			)},
		))},
		entry{"volumes", sequence(
			mapping(entry{"name", word("program")}, entry{"configMap", mapping(entry{"name", word(c.app + "-program")})}), data,
		)},
	)
}

// variable refers to a key of the Secret or of the settings, never to a value.
func (c *cluster) variable(v variable) *yaml.Node {
	kind, object := "configMapKeyRef", c.app+"-settings"
	if v.Secret {
		kind, object = "secretKeyRef", c.app+"-secrets"
	}
	ref := mapping(entry{"name", word(object)}, entry{"key", word(v.Name)})
	if v.Optional {
		ref = mapping(entry{"name", word(object)}, entry{"key", word(v.Name)}, entry{"optional", boolean(true)})
	}
	return mapping(entry{"name", word(v.Name)}, entry{"valueFrom", mapping(entry{kind, ref})})
}
