// PlayCanvas as engines.mjs looks at it.
export default async function playcanvas() {
  const pc = await import("playcanvas");
  const find = (made, test) => made.scene.find((o) => test(o));
  const of = (made, id) => made.nodes.get(id);
  const canvas = () => Object.assign(new EventTarget(), { id: "", width: 320, height: 180, clientWidth: 320, clientHeight: 180, style: {}, getBoundingClientRect: () => ({ left: 0, top: 0, width: 320, height: 180 }) });
  return {
    everywhere: ["ambient", "hemisphere"], // lights that are none of their own
    // device is an application of a host.
    device() {
      const o = new pc.AppOptions(), picture = canvas();
      o.graphicsDevice = new pc.NullGraphicsDevice(picture);
      o.componentSystems = [pc.RenderComponentSystem, pc.CameraComponentSystem, pc.LightComponentSystem, pc.AnimComponentSystem];
      o.resourceHandlers = [pc.ContainerHandler, pc.TextureHandler, pc.AnimClipHandler];
      const app = new pc.AppBase(picture);
      app.init(o);
      app.before = { textures: app.graphicsDevice.textures.size ?? app.graphicsDevice.textures.length, buffers: app.graphicsDevice.buffers.size ?? app.graphicsDevice.buffers.length };
      return app;
    },
    options: (app) => ({ app }),
    // step is what the host's application does by itself.
    step(app, dt) {
      app.update(dt);
      app.render();
    },
    place(made, id) {
      const o = of(made, id);
      if (!o) return undefined;
      const t = o.getPosition(), x = o.getWorldTransform().transformVector(new pc.Vec3(1, 0, 0));
      return { t: [t.x, t.y, t.z], x: [x.x, x.y, x.z] };
    },
    meshes: (made) => find(made, (o) => o.render && !o.tags.has("sky") && !o.tags.has("plate")).reduce((n, o) => n + o.render.meshInstances.length, 0),
    lights: (made) => find(made, (o) => o.light).length,
    cameras: (made) => find(made, (o) => o.camera && o.name !== "eye").length,
    colour(made, id) {
      const m = of(made, id).children.find((o) => o.tags.has("surface")).render.meshInstances[0].material;
      return (m.useLighting ? m.diffuse : m.emissive).toString(false).toLowerCase();
    },
    inside(made, name) {
      const p = made.scene.findByName(name)?.getLocalPosition();
      return p && [p.x, p.y, p.z];
    },
    left(app) {
      const count = (list) => list.size ?? list.length, { textures, buffers } = app.graphicsDevice;
      const rest = `${app.root.children.length} entities, ${count(textures) - app.before.textures} textures, ${count(buffers) - app.before.buffers} buffers`;
      app.destroy();
      return rest === "0 entities, 0 textures, 0 buffers" ? "" : `dispose leaves ${rest}`;
    },
  };
}
