// What GitHub would make of a workflow: it fills the expressions in, and every
// step that an event reaches runs in bash.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

// fill puts values for the expressions of a text. Any other expression is a fault.
function fill(text, scope) {
  return text.replace(/\$\{\{ (.*?) \}\}/g, (_, inner) => {
    if (inner === "inputs.dry_run && '1' || ''") return "1";
    const [, from, name] = /^(secrets|vars)\.(\w+)$/.exec(inner) ?? [];
    if (!name) throw new Error(`an expression that is none of ours: ${inner}`);
    return scope.value(name, from === "secrets");
  });
}

// reached says whether the condition of a step holds for an event.
function reached(condition, schedule) {
  if (condition === undefined) return true;
  const line = /github\.event\.schedule == '([-0-9*\/, ]+)'/.exec(condition)?.[1];
  const known = ["${{ !cancelled() && github.event_name == 'workflow_dispatch' }}",
    `\${{ !cancelled() && (github.event_name == 'workflow_dispatch' || github.event.schedule == '${line}') }}`];
  if (!known.includes(condition)) throw new Error(`a condition that is none of ours: ${condition}`);
  return schedule === undefined || schedule === line;
}

export async function judge([workflow, ...more], dir, data, { run, told, value }) {
  if (more.length > 0) return "there is more than one document";
  const [write, ...rest] = workflow.jobs.run.steps;
  const steps = rest.filter((s) => s.run);
  const scope = { value };
  const lines = (workflow.on.schedule ?? []).map((s) => s.cron);
  for (const line of lines) if (!steps.some((s) => reached(s.if, line))) return `nothing runs at "${line}"`;
  for (const s of steps) {
    if (!reached(s.if, undefined)) return `${s.name}: nobody can start it`;
    if (/event\.schedule/.test(s.if) && !lines.some((line) => reached(s.if, line))) return `${s.name}: no schedule starts it`;
  }
  const shell = (script, cwd, env) => run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd, env);
  const { error, said } = await shell(write.run, dir, {});
  if (error) return `${write.name}: ${said.trim()}`;
  mkdirSync(data, { recursive: true });
  const code = readFileSync(join(dir, "program", "pipeline.mjs"), "utf8");
  const titles = JSON.parse(/\nexport const pipelines = (.*);\n/.exec(code)[1]).map((p) => p.name);
  if (titles.length !== steps.length) return `${titles.length} pipelines, ${steps.length} steps`;
  for (const [n, s] of steps.entries()) {
    const env = Object.fromEntries(Object.entries(s.env ?? {}).map(([k, v]) => [k, fill(v, scope)]));
    const wrong = told(await shell(s.run, join(dir, s["working-directory"]), env), titles[n], code);
    if (wrong) return `${s.name}: ${wrong}`;
  }
  return "";
}
