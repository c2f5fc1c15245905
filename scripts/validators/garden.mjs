// spawned_garden.holo as a person uses it: every flower is a copy of a template of
// which the scene has none. Watering one makes its head grow, its own alone; the
// third time it is picked and gone.

// heads is for pages that draw with three: the heads of the flowers with where
// they are on the picture, in the order in which they were sown.
export const heads = (world, camera, width, height) => {
  const out = [];
  world.updateMatrixWorld(true);
  world.traverse((o) => {
    if (o.name !== "Head" || !o.userData.id) return;
    const at = o.getWorldPosition(o.position.clone()).project(camera);
    out.push({ id: o.userData.id, x: ((at.x + 1) / 2) * width, y: ((1 - at.y) / 2) * height, size: o.scale.x });
  });
  return out.sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
};

// tend waters a flower. heads tells of all heads, water uses one, and wait lets
// time pass. The answer is what went wrong.
export async function tend({ heads, water, wait }) {
  let now = [];
  const until = async (want) => {
    for (let i = 0; i < 200; i++) {
      now = await heads();
      if (want()) return true;
      await wait();
    }
    return false;
  };
  const sizes = () => now.map((h) => Math.round(h.size * 100) / 100).join();
  if (!(await until(() => now.length === 5 && sizes() === "1,1,1,1,1"))) return `five flowers are sown, ${now.length} heads are there: ${JSON.stringify(now)}`;
  if (now.some((h) => !/^s\d+$/.test(h.id))) return `a prototype is shown: ${now.map((h) => h.id)}`;
  const one = now[1].id;
  for (const want of ["1,1.25,1,1,1", "1,1.5,1,1,1"]) {
    await water(now[1]);
    if (!(await until(() => sizes() === want))) return `a flower that is watered leaves the heads at ${sizes()}, not at ${want}`;
  }
  await water(now[1]);
  if (!(await until(() => now.length === 4 && sizes() === "1,1,1,1" && now.every((h) => h.id !== one)))) return `a flower that is picked leaves the heads at ${sizes()}: ${now.map((h) => h.id)}`;
  await water(now[1]);
  if (!(await until(() => sizes() === "1,1.25,1,1"))) return `the next flower does not live on: ${sizes()}`;
  return "";
}
