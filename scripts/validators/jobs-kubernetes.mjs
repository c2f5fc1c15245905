// What a cluster would make of the objects: every name that one refers to is
// there, and every CronJob starts the program of its ConfigMap.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// mount lays a ConfigMap out as a node of a cluster does: files behind two links.
function mount(map, dir) {
  const kept = join(dir, "..2026_01_01");
  mkdirSync(kept, { recursive: true });
  symlinkSync("..2026_01_01", join(dir, "..data"));
  for (const [name, text] of Object.entries(map.data)) {
    writeFileSync(join(kept, name), text);
    symlinkSync(join("..data", name), join(dir, name));
  }
}

export async function judge(list, dir, data, { run, told, value }) {
  const named = new Map(list.map((d) => [`${d.kind}/${d.metadata.name}`, d]));
  if (named.size !== list.length) return "two objects have one name";
  const jobs = list.filter((d) => d.kind === "CronJob");
  if (jobs.length === 0) return "there is no CronJob";
  for (const [n, job] of jobs.entries()) {
    const pod = job.spec.jobTemplate.spec.template.spec;
    const [container] = pod.containers;
    const places = new Map();
    for (const v of pod.volumes) {
      const wanted = v.configMap ? `ConfigMap/${v.configMap.name}` : v.persistentVolumeClaim ? `PersistentVolumeClaim/${v.persistentVolumeClaim.claimName}` : "";
      if (wanted && !named.has(wanted)) return `${job.metadata.name}: ${wanted} is not there`;
      const place = container.volumeMounts.find((m) => m.name === v.name)?.mountPath;
      if (!place) return `${job.metadata.name}: ${v.name} is mounted nowhere`;
      places.set(place, v.configMap && named.get(wanted));
    }
    if (!places.has(container.workingDir)) return `${job.metadata.name}: it cannot write where it works`;
    const program = places.get("/program");
    const folder = join(dir, String(n));
    mount(program, folder);
    const env = Object.fromEntries((container.env ?? []).map((e) => [e.name, value(e.name, Boolean(e.valueFrom.secretKeyRef))]));
    for (const [, name] of program.data["pipeline.mjs"].matchAll(/\\u0024\{env\.([A-Z_]+)/g)) {
      if (!jobs.some((j) => j.spec.jobTemplate.spec.template.spec.containers[0].env?.some((e) => e.name === name))) return `${name} is given to no job`;
    }
    const args = container.args.map((a) => a.replace(/^\/program/, folder));
    const wrong = told(await run(container.command[0], [...args, "--dry-run"], data, env), job.metadata.annotations["meshd/pipeline"], program.data["pipeline.mjs"]);
    if (wrong) return `${job.metadata.name}: ${wrong}`;
  }
  return "";
}
