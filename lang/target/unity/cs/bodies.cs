// Colliders, bodies and joints.
public sealed partial class Builder {
	readonly Dictionary<string, PhysicMaterial> grips = new Dictionary<string, PhysicMaterial>();

	T Shaped<T>(Thing t, bool trigger, float friction, float bounce) where T : Collider {
		T c;
		if (!Had(t, "", out c)) {
			c = t.Object.AddComponent<T>();
			c.isTrigger = trigger;
		}
		t.Colliders.Add(c);
		if (c.isTrigger || c.sharedMaterial != null) return c;
		string key = friction + " " + bounce;
		PhysicMaterial grip;
		if (!grips.TryGetValue(key, out grip)) grips[key] = grip = new PhysicMaterial { dynamicFriction = friction, staticFriction = friction, bounciness = bounce };
		c.sharedMaterial = grip;
		return c;
	}

	public void Box(Thing t, Vector3 center, Vector3 size, bool trigger, float friction, float bounce) {
		BoxCollider there;
		bool had = Had(t, "", out there);
		var c = Shaped<BoxCollider>(t, trigger, friction, bounce);
		if (had) return;
		c.center = center;
		c.size = size;
	}

	public void Ball(Thing t, Vector3 center, float radius, bool trigger, float friction, float bounce) {
		SphereCollider there;
		bool had = Had(t, "", out there);
		var c = Shaped<SphereCollider>(t, trigger, friction, bounce);
		if (had) return;
		c.center = center;
		c.radius = radius;
	}

	public void Capsule(Thing t, Vector3 center, float radius, float height, bool trigger, float friction, float bounce) {
		CapsuleCollider there;
		bool had = Had(t, "", out there);
		var c = Shaped<CapsuleCollider>(t, trigger, friction, bounce);
		if (had) return;
		c.center = center;
		c.radius = radius;
		c.height = height;
		c.direction = 1; // along Y
	}

	// Hull is the shape of a mesh of the scene; what is not convex stands still.
	public void Hull(Thing t, Mesh mesh, bool convex, bool trigger, float friction, float bounce) {
		var c = Shaped<MeshCollider>(t, trigger, friction, bounce);
		c.sharedMesh = mesh;
		c.convex = convex;
	}

	readonly Dictionary<string, Mesh> cylinders = new Dictionary<string, Mesh>();

	// Cylinder is a hull of 16 sides around Y.
	public Mesh Cylinder(Vector3 center, float radius, float height) {
		const int sides = 16;
		string key = center.x + " " + center.y + " " + center.z + " " + radius + " " + height;
		Mesh made;
		if (cylinders.TryGetValue(key, out made)) return made;
		var at = new Vector3[2 * sides];
		var order = new List<int>();
		for (int i = 0; i < sides; i++) {
			float a = 2 * Mathf.PI * i / sides;
			at[i] = center + new Vector3(radius * Mathf.Cos(a), height / 2, radius * Mathf.Sin(a));
			at[sides + i] = at[i] - new Vector3(0, height, 0);
			int j = (i + 1) % sides;
			order.AddRange(new[] { i, j, sides + i, j, sides + j, sides + i });
			if (i > 0 && j > 0) order.AddRange(new[] { 0, j, i, sides, sides + i, sides + j });
		}
		return cylinders[key] = new Mesh { vertices = at, triangles = order.ToArray() };
	}

	// Touch is what the pointer finds of a thing without a collider: it bumps into
	// nothing.
	public void Touch(Thing t, Vector3 size) {
		var c = Child(t, "Touch").AddComponent<BoxCollider>();
		c.isTrigger = true;
		t.Colliders.Add(c);
		c.size = size;
	}

	// Body says how a thing moves: dynamic, kinematic, static or trigger. One that
	// moves by itself stands below the scene, so that nothing else moves it.
	public void Body(Thing t, string kind, float mass, float gravity, float drag) {
		t.Body = kind;
		if (kind == "static") return;
		Rigidbody r;
		if (!Had(t, "", out r)) {
			r = t.Object.AddComponent<Rigidbody>();
			r.isKinematic = kind != "dynamic";
			r.useGravity = false;
			r.mass = mass;
			r.drag = drag;
			if (drag > 0) r.angularDrag = drag;
		}
		t.Rigid = r;
		if (kind != "dynamic") return;
		t.Apart = true;
		t.Object.transform.SetParent(Root, true);
		if (gravity != 0) t.Object.AddComponent<ConstantForce>().force = Gravity * gravity * mass;
	}

	public Vector3 Gravity = new Vector3(0, -9.81f, 0);

	static T Held<T>(Thing t, Thing to) where T : Joint {
		var j = t.Object.AddComponent<T>();
		j.connectedBody = to == null ? null : to.Rigid;
		return j;
	}

	public void Lock(Thing t, Thing to) { Held<FixedJoint>(t, to); }

	// Hinge turns around an axis of the thing, within limits of degrees where they
	// differ; a held one goes back to where it was.
	public void Hinge(Thing t, Thing to, Vector3 axis, float least, float most, bool held) {
		var j = Held<HingeJoint>(t, to);
		j.axis = axis;
		if (least < most) {
			j.limits = new JointLimits { min = least, max = most };
			j.useLimits = true;
		}
		if (!held) return;
		j.spring = new JointSpring { spring = 1000, damper = 100, targetPosition = 0 };
		j.useSpring = true;
	}

	// Slider slides along an axis of the thing, between two distances.
	public void Slider(Thing t, Thing to, Vector3 axis, float least, float most, bool held) {
		var j = Free(t, to);
		j.axis = axis;
		j.anchor = axis * ((least + most) / 2);
		j.xMotion = ConfigurableJointMotion.Limited;
		j.linearLimit = new SoftJointLimit { limit = (most - least) / 2 };
		j.angularXMotion = j.angularYMotion = j.angularZMotion = ConfigurableJointMotion.Locked;
		if (held) j.xDrive = new JointDrive { positionSpring = 1000, positionDamper = 100, maximumForce = 10000 };
	}

	// Pivot turns every way around its place.
	public void Pivot(Thing t, Thing to) { Free(t, to); }

	static ConfigurableJoint Free(Thing t, Thing to) {
		var j = Held<ConfigurableJoint>(t, to);
		j.xMotion = j.yMotion = j.zMotion = ConfigurableJointMotion.Locked;
		return j;
	}
}
