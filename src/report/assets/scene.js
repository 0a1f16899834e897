// The scene: what moves, at one instant, over the ground, with the forces of the contacts; it plays.
{
  const element = stickslip.element;
  // Of the picture in pixels, in the plane and at least; in space it grows with the width, as far as it fits a screen.
  const HEIGHT = 300, MOST_HEIGHT = 560;

  stickslip.Scene = class {
    // `data()` gives {motion, series, body}, of which `body` is the one whose curves are shown; `onTime(t)` hears of every instant that the scene moves to.
    constructor(data, onTime) {
      this.data = data;
      this.onTime = onTime;
      this.time = 0;
      this.canvas = element("canvas", { role: "img", "aria-label": "The bodies, the ground and the contact forces at one instant" });
      this.frame = element("div", { class: "stage" }, this.canvas);
      this.button = element("button", { type: "button", class: "play", "aria-label": "Play", text: "▶", onclick: () => this.toggle() });
      this.slider = element("input", { type: "range", min: "0", value: "0", step: "any", "aria-label": "Time in s" });
      this.slider.addEventListener("input", () => { this.pause(); this.go(Number(this.slider.value)); });
      this.clock = element("output", { class: "clock" });
      this.speed = element("select", { "aria-label": "Speed" });
      for (const speed of [0.05, 0.1, 0.25, 0.5, 1, 2, 5]) this.speed.append(element("option", { value: speed, text: `${speed}×`, selected: speed === 0.5 }));
      const size = [800, this.height(800)];
      const buttons = stickslip.exportButtons({
        name: () => `${this.data().motion.name}-scene`, label: () => "the scene", size,
        svg: () => {
          const pen = new stickslip.SvgPen(...size, stickslip.printTheme.paper);
          this.paint(pen, 800, stickslip.printTheme);
          return pen.finish();
        },
        csv: () => this.csv(),
      });
      this.controls = element("div", { class: "controls" }, this.button, this.slider, this.clock, this.speed, buttons);
      this.camera = new stickslip.Camera();
      this.eye = element("div", { class: "controls eye" });
      this.canvas.addEventListener("pointermove", (event) => this.point(event.buttons ? null : [event.offsetX, event.offsetY]));
      this.canvas.addEventListener("pointerleave", () => this.point(null));
      this.root = element("div", { class: "scene" }, this.frame, this.eye, this.controls);
      this.buildEye();
      this.observer = new ResizeObserver(() => this.draw());
      this.observer.observe(this.frame);
    }
    // The buttons of the eye, for a scene in space.
    buildEye() {
      const { motion } = this.data();
      const inSpace = motion.axes.length === 3;
      this.eye.hidden = !inSpace;
      if (!inSpace) return;
      if (!this.listens) {
        this.listens = true;
        this.camera.listen(this.canvas, () => this.draw());
        this.canvas.setAttribute("aria-label", "The bodies, the ground and the contact forces at one instant. Arrow keys turn it, with Shift they move it; plus and minus bring it nearer; 1 to 4 choose a view.");
      }
      const views = stickslip.Camera.views.map(({ name }, place) => element("button", { type: "button", text: name, onclick: () => { this.camera.choose(place); this.draw(); } }));
      this.followed = element("select", { "aria-label": "Body in the middle" }, element("option", { value: "", text: "follow nothing" }));
      motion.scene.bodies.forEach((body, index) => this.followed.append(element("option", { value: index, text: `follow ${body.name}` })));
      this.followed.addEventListener("change", () => { this.camera.shift = [0, 0]; this.draw(); });
      this.eye.replaceChildren(...views, this.followed,
        element("span", { class: "hint", text: "drag to turn, Shift-drag to move, click and wheel to come nearer; keys: arrows, + −, 1–4" }));
    }
    height(width) {
      const inSpace = this.data().motion.axes.length === 3;
      return inSpace ? Math.round(Math.min(MOST_HEIGHT, Math.max(HEIGHT, 0.4 * width))) : HEIGHT;
    }
    end() { return this.data().motion.time.at(-1); }
    toggle() { this.playing ? this.pause() : this.play(); }
    play() {
      if (this.time >= this.end() - 1e-12) this.time = 0;
      this.playing = true;
      this.button.textContent = "❚❚";
      this.button.setAttribute("aria-label", "Pause");
      let last = performance.now();
      const tick = (now) => {
        if (!this.playing) return;
        const time = this.time + ((now - last) / 1000) * Number(this.speed.value);
        last = now;
        this.go(Math.min(time, this.end()));
        if (time >= this.end()) this.pause();
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }
    pause() {
      this.playing = false;
      this.button.textContent = "▶";
      this.button.setAttribute("aria-label", "Play");
    }
    go(time, quiet = false) {
      this.time = time;
      this.draw();
      if (!quiet) this.onTime(time);
    }
    draw() {
      const width = Math.floor(this.frame.clientWidth);
      if (width < 50) return;
      const theme = stickslip.theme();
      this.time = Math.min(this.time, this.end());
      this.slider.max = String(this.end());
      this.slider.value = String(this.time);
      this.clock.textContent = `${this.time.toFixed(3)} s`;
      // Under a mouse that rests bodies come and go.
      this.pointed = this.mouse ? this.bodyAt(this.mouse) : null;
      this.paint(new stickslip.CanvasPen(this.canvas, width, this.height(width), theme.paper), width, theme);
    }
    // Where an instant lies on the grid: the point before it, and the share of the way to the next.
    at(series) {
      const times = this.data().motion.time;
      let low = 0, high = Math.max(0, (series.values[0]?.[0].length ?? 1) - 1);
      const last = high;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (times[middle] <= this.time) low = middle; else high = middle;
      }
      const share = high > low ? Math.min(1, Math.max(0, (this.time - times[low]) / (times[high] - times[low]))) : 0;
      return { low, high, share, last };
    }
    pose(series, body, { low, high, share } = this.at(series)) {
      const { motion } = this.data();
      const column = (name) => series.values[body][motion.columns.indexOf(name)];
      const value = (name) => column(name)[low] + share * (column(name)[high] - column(name)[low]);
      const position = motion.axes.map(value);
      if (motion.columns.includes("angle")) return { position, angle: value("angle") };
      if (motion.columns.includes("qw")) {
        const parts = ["qw", "qx", "qy", "qz"];
        // The two signs of a quaternion are one turn.
        const sign = parts.reduce((sum, part) => sum + column(part)[low] * column(part)[high], 0) < 0 ? -1 : 1;
        const turn = parts.map((part) => (1 - share) * column(part)[low] + share * sign * column(part)[high]);
        const length = Math.hypot(...turn);
        return { position, quaternion: turn.map((part) => part / length) };
      }
      return { position, angle: 0, quaternion: [1, 0, 0, 0] };
    }
    // Says the name of the body that the mouse is over, at a place in the picture.
    point(at) {
      this.mouse = at;
      if (this.pointed || (at && this.bodyAt(at))) this.draw();
    }
    // The nearest of the bodies whose outline is about a place in the picture, or else of those whose middle is less than 16
    // pixels away.
    bodyAt(at) {
      const { motion, series } = this.data();
      const { scale, place } = this.projection(Math.floor(this.frame.clientWidth));
      const found = [];
      for (const one of series) {
        motion.scene.bodies.forEach((body, index) => {
          const pose = this.pose(one, index);
          if (!pose.position.every(Number.isFinite)) return;
          const away = (point) => Math.hypot(...place(point).map((part, axis) => part - at[axis]));
          const isIn = (body.parts.length ? body.parts : [body]).some((part) => {
            const centre = part.centre ? stickslip.solid.placed(pose, part.centre) : pose.position;
            const corners = part.corners.map((corner) => stickslip.solid.placed(pose, corner));
            if (part.radius !== null && (corners.length ? corners : [centre]).some((core) => away(core) <= part.radius * scale)) return true;
            return stickslip.solid.surrounds(stickslip.solid.hull(corners.map(place)), at);
          });
          const middle = away(pose.position);
          if (isIn || middle < 16) found.push({ name: body.name, at, isIn, middle, depth: motion.axes.length === 3 ? this.camera.depth(pose.position) : 0 });
        });
      }
      return found.sort((a, b) => b.isIn - a.isIn || b.depth - a.depth || a.middle - b.middle)[0] ?? null;
    }
    // The body that stands out from the others: the one in the middle of the picture, or that of the curves.
    chosen() {
      const { motion, body } = this.data();
      if (motion.scene.bodies.length < 2) return null;
      return this.followed?.value ? Number(this.followed.value) : body;
    }
    // A point of the scenario in the plane of the picture: projected, and turned with the slope of the ground.
    flat(point) {
      const { motion } = this.data();
      if (motion.axes.length === 3) return this.camera.project(point);
      const [x, z] = point;
      if (!motion.scene.slope) return [x, z];
      const angle = (-motion.scene.slope * Math.PI) / 180;
      return [x * Math.cos(angle) - z * Math.sin(angle), x * Math.sin(angle) + z * Math.cos(angle)];
    }
    // The range of the whole motion in the picture.
    bounds() {
      const { motion, series } = this.data();
      const key = [motion, this.camera.yaw, this.camera.pitch, ...series.map((one) => one.label)];
      if (this.boundsOf?.length === key.length && this.boundsOf.every((one, place) => one === key[place])) return this.known;
      let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
      const include = (point, reach) => {
        const [x, z] = this.flat(point);
        if (!Number.isFinite(x) || !Number.isFinite(z)) return;
        [left, right] = [Math.min(left, x - reach), Math.max(right, x + reach)];
        [low, high] = [Math.min(low, z - reach), Math.max(high, z + reach)];
      };
      for (const one of series) {
        motion.scene.bodies.forEach((body, index) => {
          const at = (k) => {
            const pose = this.pose(one, index, { low: k, high: k, share: 0 });
            for (const part of body.parts.length ? body.parts : [body]) {
              const points = part.corners.length ? part.corners : [part.centre ?? motion.axes.map(() => 0)];
              for (const point of points) include(stickslip.solid.placed(pose, point), part.radius ?? 0);
            }
          };
          const last = one.values[index][0].length - 1;
          const stride = Math.max(1, Math.floor(last / 200));
          for (let k = 0; k < last; k += stride) at(k);
          if (last >= 0) at(last);
        });
      }
      if (!(left <= right)) [left, right, low, high] = [-1, 1, 0, 1];
      if (motion.axes.length === 2) include([(left + right) / 2, 0], 0);
      const size = Math.max(right - left, high - low, 1e-6);
      if (high - low < 0.2 * size) high = low + 0.2 * size;
      this.boundsOf = key;
      return (this.known = [left, right, low, high]);
    }
    // How points come to the picture: the scale in pixels over m, and the place of a point.
    projection(width) {
      const margin = 26, height = this.height(width);
      const fit = ([left, right, low, high]) => Math.min((width - 2 * margin) / Math.max(right - left, 1e-9), (height - 2 * margin) / Math.max(high - low, 1e-9));
      if (this.data().motion.axes.length === 2) {
        const bounds = this.bounds();
        return this.placing(width, fit(bounds), [(bounds[0] + bounds[1]) / 2, (bounds[2] + bounds[3]) / 2], [0, 0]);
      }
      // A view is fitted when it is chosen, and then turned about the middle of the motion without a jump of the scale.
      const { camera } = this;
      const { motion } = this.data();
      if (camera.fitted?.motion !== motion || camera.fitted.width !== width) {
        const middle = this.middle(), [cx, cz] = camera.project(middle), [left, right, low, high] = this.bounds();
        const [across, upward] = [Math.max(cx - left, right - cx), Math.max(cz - low, high - cz)];
        camera.fitted = { motion, width, scale: fit([-across, across, -upward, upward]), middle };
      }
      const index = this.followed?.value ?? "";
      const series = this.data().series[0];
      const body = index !== "" && series ? this.pose(series, Number(index)).position : [NaN];
      const target = body.every(Number.isFinite) ? body : camera.fitted.middle;
      return this.placing(width, camera.fitted.scale * camera.zoom, camera.project(target), camera.shift);
    }
    placing(width, scale, [cx, cz], [across, down]) {
      const height = this.height(width);
      const place = (point) => {
        const [x, z] = this.flat(point);
        return [width / 2 + (x - cx) * scale + across, height / 2 - (z - cz) * scale + down];
      };
      return { scale, place };
    }
    // The middle of the motion in space, of the box that all centres of mass stay in.
    middle() {
      const { motion, series } = this.data();
      return motion.axes.map((axis) => {
        const place = motion.columns.indexOf(axis);
        let [least, most] = [Infinity, -Infinity];
        for (const one of series) for (const columns of one.values) for (const value of columns[place]) {
          if (value === null) continue;
          if (value < least) least = value;
          if (value > most) most = value;
        }
        return least <= most ? (least + most) / 2 : 0;
      });
    }
    paint(pen, width, theme) {
      const { motion, series } = this.data();
      const inSpace = motion.axes.length === 3;
      const { scale, place } = this.projection(width);
      const height = this.height(width);
      this.drawGround(pen, place, width, theme, scale);
      // Later series lie over earlier ones; the exact motion comes last, so that it is seen.
      const order = [...series].sort((a, b) => Number(a.reference) - Number(b.reference));
      const colourOf = (one) => (one.reference ? theme.ink : theme.line(one.colour));
      // Springs lie behind the bodies, rods and joints, which reach into them, before.
      for (const one of order) this.drawLinks(pen, place, one, theme, true);
      const solids = inSpace ? this.solids(order) : [];
      if (inSpace) this.drawSolids(pen, place, scale, solids, colourOf, theme, order.length === 1);
      // Several motions are seen through each other.
      const isHidden = (point) => order.length === 1 && solids.some((one) => stickslip.solid.hides(one, point, this.camera));
      let longest = 0;
      for (const one of order) {
        const colour = colourOf(one);
        this.drawTrail(pen, place, one, colour);
        if (!inSpace) motion.scene.bodies.forEach((body, index) => this.drawBody(pen, place, scale, body, this.pose(one, index), colour, theme, { single: order.length === 1, chosen: index === this.chosen() }));
        this.drawLinks(pen, place, one, theme, false);
        longest = Math.max(longest, this.drawForces(pen, place, [width, height], scale, one, colour, isHidden));
      }
      if (longest > 0) {
        const words = `arrows: contact forces on what moves, longest = ${stickslip.short(Number(longest.toPrecision(3)))} N`;
        pen.text(words, [inSpace ? 64 : 10, height - 9], { size: 11, fill: theme.ink });
      }
      pen.text(`t = ${this.time.toFixed(3)} s`, [10, 18], { size: 12, fill: theme.ink });
      const length = 10 ** Math.floor(Math.log10(120 / scale));
      // In the upper corner, over which no ground lies.
      pen.path([[width - 16 - length * scale, 24], [width - 16, 24]], { stroke: theme.ink, width: 2 });
      pen.text(`${stickslip.short(length)} m`, [width - 16, 18], { size: 11, fill: theme.ink, align: "end" });
      if (inSpace) this.drawAxes(pen, height, theme);
      if (this.pointed) {
        const { name, at: [x, y] } = this.pointed;
        const wide = 6.5 * name.length + 12, left = Math.max(2, Math.min(width - wide - 2, x + 12)), top = Math.max(2, y - 26);
        pen.path([[left, top], [left + wide, top], [left + wide, top + 18], [left, top + 18]], { fill: theme.paper, stroke: theme.soft }, true);
        pen.text(name, [left + wide / 2, top + 13], { size: 12, fill: theme.ink, align: "middle" });
      }
      if (motion.scene.of_bodies) {
        pen.text(`${motion.scene.bodies.length} of ${motion.scene.of_bodies} bodies are shown`, [10, 34], { size: 11, fill: theme.soft });
      }
    }
    // Which way the axes of the world point, in the lower left corner.
    drawAxes(pen, height, theme) {
      const origin = [34, height - 32], length = 22;
      ["x", "y", "z"].forEach((name, axis) => {
        const [across, up] = this.camera.project([0, 1, 2].map((other) => Number(other === axis)));
        if (Math.hypot(across, up) < 0.05) return;
        pen.path([origin, [origin[0] + length * across, origin[1] - length * up]], { stroke: theme.soft, width: 1.2 });
        pen.text(name, [origin[0] + (length + 8) * across, origin[1] - (length + 8) * up + 4], { size: 11, fill: theme.soft, align: "middle" });
      });
    }
    // Bodies in space: shadows on the ground, then solids from the farthest to the nearest. Several motions are seen through
    // each other.
    drawSolids(pen, place, scale, solids, colourOf, theme, single) {
      if (this.camera.pitch > 0.02) for (const one of solids) this.drawShadow(pen, place, one, theme);
      for (const one of stickslip.solid.ordered(solids, this.camera)) this.drawSolid(pen, place, scale, one, colourOf(one.series), theme, single);
    }
    // What the motions are made of in space at this instant.
    solids(order) {
      const { motion } = this.data();
      const solids = [];
      for (const one of order) {
        motion.scene.bodies.forEach((body, index) => {
          const pose = this.pose(one, index);
          if (pose.position.some((part) => !Number.isFinite(part))) return;
          for (const part of body.parts.length ? body.parts : [body]) solids.push({ ...stickslip.solid.of(part, pose), series: one, fixed: body.fixed, chosen: index === this.chosen() });
        });
      }
      return solids;
    }
    drawShadow(pen, place, { cores, rim }, theme) {
      const circle = ([x, y]) => Array.from({ length: 32 }, (_, k) => [x + rim * Math.cos((k * Math.PI) / 16), y + rim * Math.sin((k * Math.PI) / 16)]);
      const outline = stickslip.solid.hull((rim > 0 ? cores.flatMap(circle) : cores).map(([x, y]) => place([x, y, 0])));
      if (outline.length > 2) pen.path(outline, { fill: "#000000", opacity: theme.shadow }, true);
    }
    drawSolid(pen, place, scale, one, colour, theme, single) {
      const { camera } = this;
      const { body, centre, corners, cores, radius, faces } = one;
      if (body.shape === "point") return pen.circle(place(centre), 5, { fill: colour });
      const edge = one.fixed ? theme.ink : colour;
      const shade = (light) => stickslip.mix(one.fixed ? theme.ground : theme.face(colour, one.chosen ? 0.25 : 0.55), "#000000", 0.4 * (1 - light));
      const opacity = single ? 1 : 0.35;
      if (radius !== null && corners.length) {
        const size = radius * scale;
        const circle = ([x, y]) => Array.from({ length: 32 }, (_, k) => [x + size * Math.cos((k * Math.PI) / 16), y + size * Math.sin((k * Math.PI) / 16)]);
        const outline = stickslip.solid.hull(cores.map(place).flatMap(circle));
        pen.path(outline, { fill: shade(0.6), opacity }, true);
        for (const end of cores) for (const circle of stickslip.solid.circles(one, end, camera)) pen.path(circle.map(place), { stroke: edge, width: 1 });
        pen.path(outline, { stroke: edge, width: 1.5 }, true);
        return;
      }
      if (radius !== null) {
        const [x, y] = place(centre), size = radius * scale;
        for (const share of single ? [0, 0.25, 0.5, 0.75] : [0]) {
          const light = 0.25 + share;
          pen.circle([x - 0.25 * share * size, y - 0.4 * share * size], size * (1 - share), { fill: shade(light), opacity });
        }
        pen.circle([x, y], size, { stroke: edge, width: 1.5 });
        for (const circle of stickslip.solid.circles(one, centre, camera)) pen.path(circle.map(place), { stroke: edge, width: 1 });
        return;
      }
      const visible = faces.filter((face) => face.normal[0] * camera.eye[0] + face.normal[1] * camera.eye[1] + face.normal[2] * camera.eye[2] > 1e-9);
      for (const face of visible) {
        const outline = face.corners.map((corner) => place(corners[corner]));
        pen.path(outline, { fill: shade(stickslip.solid.light(face.normal, camera)), opacity }, true);
        pen.path(outline, { stroke: edge, width: 1 }, true);
      }
      const silhouette = stickslip.solid.hull(corners.map(place));
      if (visible.length === 0 && silhouette.length > 2) pen.path(silhouette, { fill: shade(0.6), opacity }, true);
      pen.path(silhouette, { stroke: edge, width: 1.5 }, true);
    }
    drawGround(pen, place, width, theme, scale) {
      const { motion } = this.data();
      const height = this.height(width);
      const far = (2 * (width + height)) / scale;
      if (motion.axes.length === 3) {
        const { middle, scale: fitted } = this.camera.fitted;
        const reach = (0.75 * Math.max(width, height)) / fitted;
        const stride = 10 ** Math.floor(Math.log10(reach));
        const count = Math.ceil(reach / stride);
        const [x0, y0] = middle.map((value) => Math.round(value / stride) * stride);
        const corner = (across, along) => place([x0 + across * count * stride, y0 + along * count * stride, 0]);
        if (theme.floor) pen.path([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], { fill: theme.floor }, true);
        for (let k = -count; k <= count; k++) {
          const line = { stroke: theme.rule, width: 1 };
          pen.path([place([x0 + k * stride, y0 - count * stride, 0]), place([x0 + k * stride, y0 + count * stride, 0])], line);
          pen.path([place([x0 - count * stride, y0 + k * stride, 0]), place([x0 + count * stride, y0 + k * stride, 0])], line);
        }
        for (const wall of motion.scene.walls) this.drawWall(pen, place, wall, middle, reach, theme);
      } else {
        const surface = [[-far, 0], [far, 0], [far, -far], [-far, -far]].map(place);
        pen.path(surface, { fill: theme.ground }, true);
        pen.path(surface.slice(0, 2), { stroke: theme.ink, width: 1.2 });
      }
      if (motion.axes.length === 2) {
        for (const { normal: [x, z], offset } of motion.scene.walls) {
          const foot = [x * offset, z * offset];
          const point = (along, back) => place([foot[0] + along * z - back * x, foot[1] - along * x - back * z]);
          const thick = 12 / scale;
          pen.path([point(-far, 0), point(far, 0), point(far, thick), point(-far, thick)], { fill: theme.ground }, true);
          pen.path([point(-far, 0), point(far, 0)], { stroke: theme.ink, width: 1.2 });
        }
      }
    }
    // A piece of a wall in space, as large as what happens before it; from behind its outline alone.
    drawWall(pen, place, { normal, offset }, middle, reach, theme) {
      const along = normal.reduce((sum, part, axis) => sum + part * middle[axis], 0) - offset;
      const foot = middle.map((part, axis) => part - along * normal[axis]);
      // Level in the wall, and up along it; in a level wall along x and y.
      const length = Math.hypot(normal[0], normal[1]);
      const across = length > 1e-9 ? [-normal[1] / length, normal[0] / length, 0] : [1, 0, 0];
      const up = [normal[1] * across[2] - normal[2] * across[1], normal[2] * across[0] - normal[0] * across[2], normal[0] * across[1] - normal[1] * across[0]];
      const half = 0.6 * reach;
      const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => place(foot.map((part, axis) => part + half * (a * across[axis] + b * up[axis]))));
      const faces = normal.reduce((sum, part, axis) => sum + part * this.camera.eye[axis], 0) > 0;
      if (faces) pen.path(corners, { fill: theme.ground, opacity: 0.5 }, true);
      pen.path(corners, { stroke: theme.soft, width: 1, dash: faces ? [] : [4, 3] }, true);
    }
    drawTrail(pen, place, series, colour) {
      const { motion } = this.data();
      const { low } = this.at(series);
      if (motion.scene.bodies.length > 4) return;
      motion.scene.bodies.forEach((body, index) => {
        if (body.fixed) return;
        const columns = motion.axes.map((axis) => series.values[index][motion.columns.indexOf(axis)]);
        const points = [];
        for (let k = 0; k <= low; k++) points.push(place(columns.map((column) => column[k])));
        points.push(place(this.pose(series, index).position));
        pen.path(points, { stroke: colour, width: series.reference ? 1.1 : 1.4, dash: series.dash, opacity: 0.7 });
      });
    }
    drawLinks(pen, place, series, theme, springs) {
      for (const { ends, points, spring } of this.data().motion.scene.links) {
        if (spring !== springs) continue;
        // An end on no body is a point of the world.
        const line = ends.map((body, end) => place(body === null ? points[end] : stickslip.solid.placed(this.pose(series, body), points[end])));
        pen.path(line, { stroke: theme.soft, width: spring ? 1 : 2, dash: spring ? [3, 2] : [] });
      }
    }
    // A body in the plane; several motions are seen through each other, and the chosen body has a deeper tint and outline.
    drawBody(pen, place, scale, body, pose, colour, theme, { single, chosen }) {
      // Parts have places in the axes of their body, and none of their own.
      if (body.parts?.length) return body.parts.forEach((part) => this.drawBody(pen, place, scale, part, pose, colour, theme, { single, chosen }));
      const share = chosen ? theme.tint + 0.25 : theme.tint;
      const tint = single ? stickslip.mix(theme.paper, colour, share) : stickslip.faint(colour, 0.6 * theme.tint);
      const width = chosen ? 2.2 : 1.5;
      const style = { stroke: body.fixed ? theme.ink : colour, fill: body.fixed ? theme.ground : tint, width };
      const middle = body.centre ? stickslip.solid.placed(pose, body.centre) : pose.position;
      const centre = place(middle);
      if (body.shape === "point") return pen.circle(centre, chosen ? 6.5 : 5, { fill: colour });
      if (body.radius !== null) {
        pen.circle(centre, body.radius * scale, style);
        const rim = [middle[0] + body.radius * Math.cos(pose.angle), middle[1] + body.radius * Math.sin(pose.angle)];
        pen.path([centre, place(rim)], { stroke: style.stroke });
        return;
      }
      const corners = body.corners.map((corner) => place(stickslip.solid.placed(pose, corner)));
      pen.path(corners, { ...style, width: body.shape === "rod" ? 1.5 + width : width }, true);
    }
    // Where which force acts in a step: of every contact where they are told apart, else on every body.
    forces(series, step) {
      const { motion } = this.data();
      const size = motion.axes.length;
      const arrows = [];
      const numbers = series.contacts[step];
      if (numbers) {
        for (let k = 0; k + 3 * size <= numbers.length; k += 3 * size) {
          arrows.push([numbers.slice(k, k + size), numbers.slice(k + 2 * size, k + 3 * size)]);
        }
      } else if (motion.columns.includes("f" + motion.axes[0])) {
        motion.scene.bodies.forEach((body, index) => {
          const force = motion.axes.map((axis) => series.values[index][motion.columns.indexOf("f" + axis)][step] ?? 0);
          arrows.push([this.pose(series, index).position, force]);
        });
      }
      return arrows;
    }
    // What is usual for the largest force of an instant, in N: the median over the instants with a force to speak of.
    usualForce() {
      const { motion, series } = this.data();
      const known = this.usual;
      if (known?.motion === motion && known.series.length === series.length && known.series.every((one, place) => one === series[place])) return known.force;
      const largest = series.flatMap((one) => Array.from({ length: Math.max(0, (one.values[0]?.[0].length ?? 0) - 1) }, (_, step) =>
        Math.max(0, ...this.forces(one, step).map(([, force]) => Math.hypot(...force)))));
      const told = largest.filter((force) => force > 1e-3 * motion.scene.weight).sort((a, b) => a - b);
      this.usual = { motion, series, force: told[told.length >> 1] ?? motion.scene.weight };
      return this.usual.force;
    }
    // Arrows as long as 60 pixels for a usual force, no longer than 110, and within the picture; one that is cut has two heads,
    // and a short one a shaft all the same. What solids hide of them is faint. Gives the largest force in N.
    drawForces(pen, place, frame, scale, series, colour, isHidden) {
      const { low, last } = this.at(series);
      const usual = this.usualForce();
      const [LEAST, PIECES] = [13, 8];
      let largest = 0;
      for (const [point, force] of this.forces(series, Math.min(low, last - 1))) {
        const strength = Math.hypot(...force) / usual;
        if (!(strength > 1e-2)) continue;
        const from = place(point);
        const tip = place(point.map((value, axis) => value + force[axis]));
        const way = [tip[0] - from[0], tip[1] - from[1]];
        const length = Math.hypot(...way);
        if (!(length > 0)) continue;
        // What points towards the eye is seen shorter.
        const seen = Math.min(1, length / (Math.hypot(...force) * scale));
        const unit = way.map((part) => part / length);
        if (from.some((part, axis) => part < 0 || part > frame[axis])) continue;
        const room = Math.min(...unit.map((part, axis) => (part > 0 ? (frame[axis] - from[axis]) / part : part < 0 ? -from[axis] / part : Infinity)));
        const whole = Math.max(LEAST, seen * 60 * strength), longest = Math.min(Math.max(LEAST, seen * 110), room);
        const drawn = Math.min(whole, longest);
        const end = from.map((part, axis) => part + unit[axis] * drawn);
        largest = Math.max(largest, Math.hypot(...force));
        const at = (back, side) => [end[0] - back * unit[0] + side * unit[1], end[1] - back * unit[1] - side * unit[0]];
        // Where a share of the arrow is, in space and in the picture.
        const far = drawn / (Math.max(seen, 0.2) * scale) / Math.hypot(...force);
        const isHiddenAt = (share) => isHidden(point.map((part, axis) => part + share * far * force[axis]));
        const along = (share) => from.map((part, axis) => part + share * (end[axis] - part));
        for (let first = 0, next; first < PIECES; first = next) {
          const hidden = isHiddenAt((first + 0.5) / PIECES);
          for (next = first + 1; next < PIECES && isHiddenAt((next + 0.5) / PIECES) === hidden; next++);
          const faint = hidden ? { dash: [2, 2], opacity: 0.5 } : {};
          pen.path([along(first / PIECES), along(next / PIECES)], { stroke: colour, width: 1.6, ...faint });
        }
        const opacity = isHiddenAt(1) ? 0.5 : 1;
        for (const back of whole > longest ? [0, 6] : [0]) pen.path([at(back, 0), at(back + 7, 3.5), at(back + 7, -3.5)], { fill: colour, opacity }, true);
      }
      return largest;
    }
    csv() {
      const { motion, series } = this.data();
      const poses = motion.columns.filter((column) => !/^[vfw]|spin/.test(column));
      const lines = [["stepper", "body", "t", ...poses].join(",")];
      for (const one of series) {
        one.values.forEach((columns, body) => {
          const chosen = poses.map((pose) => columns[motion.columns.indexOf(pose)]);
          chosen[0].forEach((_, k) => lines.push([JSON.stringify(one.label), motion.scene.bodies[body].name, motion.time[k], ...chosen.map((column) => column[k])].join(",")));
        });
      }
      return lines.join("\n") + "\n";
    }
  };
}
