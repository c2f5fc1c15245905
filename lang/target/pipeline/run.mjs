// Runs one of the pipelines beside it: node run.mjs <number> [--dry-run] [--every <seconds>].
// --every is for what no line of cron says: it runs at each multiple of so many
// seconds since 1970 that falls into the minute it was started in.
import { main, pipelines } from "./pipeline.mjs";

const [number, ...rest] = process.argv.slice(2);
const pipeline = pipelines[Number(number)];
if (!pipeline) {
  console.error(`there is no pipeline ${number}`);
  process.exit(2);
}
const dry = rest.filter((a) => a === "--dry-run");
const every = rest.includes("--every") && dry.length === 0 ? Number(rest[rest.indexOf("--every") + 1]) * 1000 : 0;

async function once() {
  try {
    await main([pipeline], dry);
  } catch (e) {
    console.error(e.message);
    process.exitCode = 1;
  }
}

if (!every) await once();
else {
  const start = Math.floor(Date.now() / 60000) * 60000;
  for (let at = Math.ceil(start / every) * every; at < start + 60000; at += every) {
    if (at + every <= Date.now()) continue; // a run took longer: what it covered is not made up for
    await new Promise((done) => setTimeout(done, Math.max(0, at - Date.now())));
    await once();
  }
}
