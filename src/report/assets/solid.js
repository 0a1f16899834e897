// Bodies in space, seen from above at equal angles to the axes (isometric).
{
  const cos = Math.cos(Math.PI / 6), sin = Math.sin(Math.PI / 6);
  // x to the lower right, y to the upper right, the height upwards.
  const project = ([x, y, z]) => [cos * (x + y), sin * (y - x) + z];
  // How near a point is to the eye.
  const nearness = ([x, y, z]) => x - y + z;

  const turn = ([w, x, y, z], [a, b, c]) => {
    const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
    return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]];
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

  // The faces of a box whose corners are numbered by the signs of their coordinates.
  const faces = [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];

  // The outlines that show a body: polygons in the picture, the silhouette first.
  stickslip.solid = {
    project,
    // A point in the axes of a body at a pose, in the plane or in space.
    placed: ({ position, angle, quaternion }, point) => {
      if (position.length === 3) return turn(quaternion, point).map((part, axis) => position[axis] + part);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      return [position[0] + cos * point[0] - sin * point[1], position[1] + sin * point[0] + cos * point[1]];
    },
    outlines: (body, position, quaternion) => {
      const corners = body.corners.map((corner) => {
        const turned = turn(quaternion, corner);
        return [0, 1, 2].map((axis) => position[axis] + turned[axis]);
      });
      const flat = corners.map(project);
      const outlines = [hull(flat)];
      if (body.shape === "box") {
        const near = nearness(position);
        const middle = (face) => face.reduce((sum, corner) => sum + nearness(corners[corner]), 0) / 4;
        for (const face of faces) if (middle(face) > near) outlines.push(face.map((corner) => flat[corner]));
      }
      return outlines;
    },
    // Marks of the body's turning on a sphere: its equator's near half.
    equator: (radius, position, quaternion) => {
      const points = [];
      for (let k = 0; k <= 48; k++) {
        const angle = (k / 48) * 2 * Math.PI;
        const turned = turn(quaternion, [radius * Math.cos(angle), radius * Math.sin(angle), 0]);
        const point = [0, 1, 2].map((axis) => position[axis] + turned[axis]);
        points.push(nearness(turned) >= 0 ? project(point) : [NaN, NaN]);
      }
      return points;
    },
  };
}
