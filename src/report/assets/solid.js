// Solids in space: the faces of bodies, their light, and which of them hides which.
{
  const sum = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const less = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const times = (a, factor) => a.map((part) => part * factor);
  const unit = (a) => times(a, 1 / (Math.hypot(...a) || 1));

  const turn = ([w, x, y, z], [a, b, c]) => {
    const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
    return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]];
  };

  // A point in the axes of a body at a pose, in the plane or in space.
  const placed = ({ position, angle, quaternion }, point) => {
    if (position.length === 3) return turn(quaternion, point).map((part, axis) => position[axis] + part);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return [position[0] + cos * point[0] - sin * point[1], position[1] + sin * point[0] + cos * point[1]];
  };

  // The convex hull of points in the picture, counter-clockwise.
  const hull = (points) => {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const half = (list) => {
      const chain = [];
      for (const point of list) {
        while (chain.length > 1) {
          const [a, b] = chain.slice(-2);
          if ((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break;
          chain.pop();
        }
        chain.push(point);
      }
      return chain.slice(0, -1);
    };
    return [...half(sorted), ...half([...sorted].reverse())];
  };

  // Whether a place in the picture is within a convex outline, counter-clockwise.
  const surrounds = (outline, [x, y]) => outline.length > 2 && outline.every(([a, b], k) => {
    const [c, d] = outline[(k + 1) % outline.length];
    return (c - a) * (y - b) - (d - b) * (x - a) >= 0;
  });

  // Corners beyond which only the outline is drawn: the search below takes the fourth power of them.
  const MOST_CORNERS = 48;

  // The faces of the convex hull of corners: numbers of corners in order, and the unit normal outwards.
  const faces = (corners) => {
    const size = Math.max(1e-300, ...corners.map((corner) => Math.hypot(...less(corner, corners[0]))));
    const found = [];
    if (corners.length < 4 || corners.length > MOST_CORNERS) return found;
    const isKnown = (normal, height) => found.some((face) => dot(face.normal, normal) > 1 - 1e-9 && Math.abs(face.height - height) < 1e-7 * size);
    for (let i = 0; i < corners.length; i++) for (let j = i + 1; j < corners.length; j++) for (let k = j + 1; k < corners.length; k++) {
      const across = cross(less(corners[j], corners[i]), less(corners[k], corners[i]));
      if (Math.hypot(...across) < 1e-9 * size * size) continue;
      for (const sign of [1, -1]) {
        const normal = times(unit(across), sign), height = dot(normal, corners[i]);
        if (isKnown(normal, height) || corners.some((corner) => dot(normal, corner) > height + 1e-7 * size)) continue;
        const on = corners.map((_, place) => place).filter((place) => dot(normal, corners[place]) > height - 1e-7 * size);
        const middle = times(on.reduce((total, place) => sum(total, corners[place]), [0, 0, 0]), 1 / on.length);
        const first = unit(less(corners[on[0]], middle)), second = cross(normal, first);
        const angle = (place) => { const arm = less(corners[place], middle); return Math.atan2(dot(arm, second), dot(arm, first)); };
        found.push({ normal, height, corners: on.sort((a, b) => angle(a) - angle(b)) });
      }
    }
    return found;
  };
  const known = new WeakMap();
  const facesOf = (body) => {
    if (!known.has(body)) known.set(body, faces(body.corners));
    return known.get(body);
  };

  // Which of two solids is behind the other, by a face between them: -1 the first, 1 the second, 0 if none tells.
  const between = (a, b, eye) => {
    for (const face of a.faces) {
      const facing = dot(face.normal, eye);
      if (Math.abs(facing) < 1e-6) continue;
      const apart = Math.min(...b.cores.map((corner) => dot(face.normal, corner))) - b.rim;
      if (apart >= face.height - 1e-3 * a.reach) return facing > 0 ? -1 : 1;
    }
    return 0;
  };
  const overlap = (a, b) => a.box[0] < b.box[2] && b.box[0] < a.box[2] && a.box[1] < b.box[3] && b.box[1] < a.box[3];

  stickslip.solid = {
    placed, hull, surrounds,
    // A body, or a part of one, at a pose: where its corners and faces are.
    of: (body, pose) => {
      const corners = body.corners.map((corner) => placed(pose, corner));
      // Parts have places in the axes of their body, and a body is at its pose.
      const centre = body.centre ? placed(pose, body.centre) : pose.position;
      // Everything within `rim` of what these span: of a ball its centre, of a capsule the ends of its segment.
      const cores = corners.length ? corners : [centre], rim = body.radius ?? 0;
      const reach = Math.max(1e-12, ...cores.map((corner) => rim + Math.hypot(...less(corner, centre))));
      const own = body.radius !== null ? [] : facesOf(body).map((face) => {
        const normal = turn(pose.quaternion, face.normal);
        return { normal, height: dot(normal, corners[face.corners[0]]), corners: face.corners };
      });
      return { body, pose, corners, cores, rim, centre, reach, radius: body.radius, faces: own };
    },
    // Solids from the farthest to the nearest, so far as one hides another.
    ordered: (solids, camera) => {
      for (const one of solids) {
        const points = one.cores.flatMap((corner) => [-1, 1].map((side) => camera.project(corner).map((part) => part + side * one.rim)));
        const [across, upward] = [0, 1].map((axis) => points.map((point) => point[axis]));
        one.box = [Math.min(...across), Math.min(...upward), Math.max(...across), Math.max(...upward)];
        one.depth = camera.depth(one.centre);
        one.hides = new Set();
      }
      const byDepth = [...solids].sort((a, b) => a.depth - b.depth);
      for (let i = 0; i < byDepth.length; i++) for (let j = i + 1; j < byDepth.length; j++) {
        const [a, b] = [byDepth[i], byDepth[j]];
        if (!overlap(a, b)) continue;
        const told = between(a, b, camera.eye) || -between(b, a, camera.eye);
        (told <= 0 ? b : a).hides.add(told <= 0 ? a : b);
      }
      // What is hidden comes first; where three hide one another in a circle, by depth.
      const done = new Set(), order = [], asked = new Set();
      const add = (one) => {
        if (done.has(one) || asked.has(one)) return;
        asked.add(one);
        one.hides.forEach(add);
        done.add(one);
        order.push(one);
      };
      byDepth.forEach(add);
      return order;
    },
    // Whether a solid lies between a point and the eye; what is thinner than a share of the solid there hides nothing.
    hides: ({ faces, cores, rim, reach }, point, { eye }) => {
      const thin = 5e-3 * reach;
      if (rim > 0) {
        // A ball, or the balls along a capsule.
        const balls = cores.length < 2 ? cores : Array.from({ length: 9 }, (_, k) => sum(times(cores[0], 1 - k / 8), times(cores[1], k / 8)));
        return balls.some((centre) => {
          const arm = less(centre, point), along = dot(arm, eye), chord = rim * rim - dot(arm, arm) + along * along;
          return chord > 0 && along + Math.sqrt(chord) - Math.max(0, along - Math.sqrt(chord)) > thin;
        });
      }
      // The ray to the eye is inside a convex solid from where it has come in by all faces to where it leaves by one.
      let [entry, exit] = [0, faces.length ? Infinity : 0];
      for (const { normal, height } of faces) {
        const towards = dot(normal, eye), room = height - dot(normal, point);
        if (Math.abs(towards) < 1e-9) { if (room < 0) return false; }
        else if (towards > 0) exit = Math.min(exit, room / towards);
        else entry = Math.max(entry, room / towards);
      }
      return exit - entry > thin;
    },
    // How bright a face is: the light comes from above the shoulder of who looks.
    light: (normal, camera) => {
      const light = unit([0, 1, 2].map((axis) => 0.7 * camera.eye[axis] - 0.35 * camera.right[axis] + 0.6 * camera.up[axis]));
      return Math.max(0, dot(normal, light));
    },
    // The near halves of circles on a sphere, by which its turning is seen.
    circles: ({ radius, pose }, centre, camera) => {
      const frame = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => turn(pose.quaternion, axis));
      return [[frame[0], frame[1]], [frame[0], frame[2]]].map(([first, second]) => Array.from({ length: 49 }, (_, k) => {
        const angle = (k / 48) * 2 * Math.PI;
        const arm = sum(times(first, radius * Math.cos(angle)), times(second, radius * Math.sin(angle)));
        return dot(arm, camera.eye) >= 0 ? sum(centre, arm) : [NaN, NaN, NaN];
      }));
    },
  };
}
