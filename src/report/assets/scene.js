// The scene: what moves, at one instant, over the ground, with the forces of the contacts; it plays.
{
  const element = stickslip.element;
  const HEIGHT = 300;

  stickslip.Scene = class {
    // `data()` gives {motion, series}; `onTime(t)` hears of every instant that the scene moves to.
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
      const buttons = stickslip.exportButtons({
        name: () => `${this.data().motion.name}-scene`, label: () => "the scene", size: [800, HEIGHT],
        svg: () => {
          const pen = new stickslip.SvgPen(800, HEIGHT, stickslip.printTheme.paper);
          this.paint(pen, 800, stickslip.printTheme);
          return pen.finish();
        },
        csv: () => this.csv(),
      });
      this.controls = element("div", { class: "controls" }, this.button, this.slider, this.clock, this.speed, buttons);
      this.root = element("div", { class: "scene" }, this.frame, this.controls);
      this.observer = new ResizeObserver(() => this.draw());
      this.observer.observe(this.frame);
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
      this.paint(new stickslip.CanvasPen(this.canvas, width, HEIGHT, theme.paper), width, theme);
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
    pose(series, body) {
      const { motion } = this.data();
      const { low, high, share } = this.at(series);
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
    // A point of the scenario in the plane of the picture: projected, and turned with the slope of the ground.
    flat(point) {
      const { motion } = this.data();
      const [x, z] = motion.axes.length === 3 ? stickslip.solid.project(point) : point;
      if (motion.axes.length === 3 || !motion.scene.slope) return [x, z];
      const angle = (-motion.scene.slope * Math.PI) / 180;
      return [x * Math.cos(angle) - z * Math.sin(angle), x * Math.sin(angle) + z * Math.cos(angle)];
    }
    // The range of the whole motion in the picture.
    bounds() {
      const { motion, series } = this.data();
      const key = [motion, ...series.map((one) => one.label)];
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
          const reach = body.radius ?? Math.max(0, ...body.corners.map((corner) => Math.hypot(...corner)));
          const columns = motion.axes.map((axis) => one.values[index][motion.columns.indexOf(axis)]);
          const stride = Math.max(1, Math.floor(columns[0].length / 200));
          for (let k = 0; k < columns[0].length; k += stride) include(columns.map((column) => column[k]), reach);
          include(columns.map((column) => column.at(-1)), reach);
        });
      }
      if (!(left <= right)) [left, right, low, high] = [-1, 1, 0, 1];
      if (motion.axes.length === 2) include([(left + right) / 2, 0], 0);
      const size = Math.max(right - left, high - low, 1e-6);
      if (high - low < 0.2 * size) high = low + 0.2 * size;
      this.boundsOf = key;
      return (this.known = [left, right, low, high]);
    }
    paint(pen, width, theme) {
      const { motion, series } = this.data();
      const [left, right, low, high] = this.bounds();
      const margin = 26;
      const scale = Math.min((width - 2 * margin) / Math.max(right - left, 1e-9), (HEIGHT - 2 * margin) / Math.max(high - low, 1e-9));
      const [cx, cz] = [(left + right) / 2, (low + high) / 2];
      const place = (point) => {
        const [x, z] = this.flat(point);
        return [width / 2 + (x - cx) * scale, HEIGHT / 2 - (z - cz) * scale];
      };
      this.drawGround(pen, place, width, theme, scale);
      // Later series lie over earlier ones; the exact motion comes last, so that it is seen.
      const order = [...series].sort((a, b) => Number(a.reference) - Number(b.reference));
      for (const one of order) {
        const colour = one.reference ? theme.ink : one.colour;
        this.drawTrail(pen, place, one, colour);
        this.drawLinks(pen, place, one, theme);
        motion.scene.bodies.forEach((body, index) => this.drawBody(pen, place, scale, body, this.pose(one, index), colour, theme));
        this.drawForces(pen, place, one, colour);
      }
      pen.text(`t = ${this.time.toFixed(3)} s`, [10, 18], { size: 12, fill: theme.ink });
      const length = 10 ** Math.floor(Math.log10(120 / scale));
      const bar = [[width - 16 - length * scale, HEIGHT - 12], [width - 16, HEIGHT - 12]];
      pen.path(bar, { stroke: theme.ink, width: 2 });
      pen.text(`${stickslip.short(length)} m`, [width - 16, HEIGHT - 18], { size: 11, fill: theme.ink, align: "end" });
      if (motion.scene.of_bodies) {
        pen.text(`${motion.scene.bodies.length} of ${motion.scene.of_bodies} bodies are shown`, [10, 34], { size: 11, fill: theme.soft });
      }
    }
    drawGround(pen, place, width, theme, scale) {
      const { motion } = this.data();
      const far = (2 * (width + HEIGHT)) / scale;
      if (motion.axes.length === 3) {
        const [left, right, low, high] = this.bounds();
        const reach = Math.max(right - left, high - low) * 0.75;
        const stride = 10 ** Math.floor(Math.log10(reach));
        const count = Math.ceil(reach / stride);
        // The point of the ground under the middle of the picture.
        const u = (left + right) / 2 / Math.cos(Math.PI / 6), v = ((low + high) / 2) / Math.sin(Math.PI / 6);
        const [x0, y0] = [(u - v) / 2, (u + v) / 2].map((value) => Math.round(value / stride) * stride);
        for (let k = -count; k <= count; k++) {
          const line = { stroke: theme.rule, width: 1 };
          pen.path([place([x0 + k * stride, y0 - count * stride, 0]), place([x0 + k * stride, y0 + count * stride, 0])], line);
          pen.path([place([x0 - count * stride, y0 + k * stride, 0]), place([x0 + count * stride, y0 + k * stride, 0])], line);
        }
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
    drawLinks(pen, place, series, theme) {
      for (const { ends, points, spring } of this.data().motion.scene.links) {
        // An end on no body is a point of the world.
        const line = ends.map((body, end) => place(body === null ? points[end] : stickslip.solid.placed(this.pose(series, body), points[end])));
        pen.path(line, { stroke: theme.soft, width: spring ? 1 : 2, dash: spring ? [3, 2] : [] });
      }
    }
    drawBody(pen, place, scale, body, pose, colour, theme) {
      const style = { stroke: body.fixed ? theme.ink : colour, fill: body.fixed ? theme.ground : colour + "12", width: 1.5 };
      const centre = place(pose.position);
      const space = this.data().motion.axes.length === 3;
      if (body.shape === "point") return pen.circle(centre, 5, { fill: colour });
      if (body.radius !== null) {
        pen.circle(centre, body.radius * scale, style);
        if (space) {
          pen.path(stickslip.solid.equator(body.radius, pose.position, pose.quaternion).map((point) => this.onPicture(point, place)), { stroke: colour });
        } else {
          const rim = [pose.position[0] + body.radius * Math.cos(pose.angle), pose.position[1] + body.radius * Math.sin(pose.angle)];
          pen.path([centre, place(rim)], { stroke: style.stroke });
        }
        return;
      }
      if (space) {
        stickslip.solid.outlines(body, pose.position, pose.quaternion).forEach((outline, index) => {
          const points = outline.map((point) => this.onPicture(point, place));
          pen.path(points, index ? { stroke: style.stroke, width: 1, fill: style.fill } : style, true);
        });
        return;
      }
      const [cos, sin] = [Math.cos(pose.angle), Math.sin(pose.angle)];
      const corners = body.corners.map(([x, z]) => place([pose.position[0] + cos * x - sin * z, pose.position[1] + sin * x + cos * z]));
      pen.path(corners, { ...style, width: body.shape === "rod" ? 3 : 1.5 }, true);
    }
    // A point that is projected already.
    onPicture([x, z], place) {
      return Number.isFinite(x) ? place([x / Math.cos(Math.PI / 6) / 2 - z, x / Math.cos(Math.PI / 6) / 2 + z, 0]) : [NaN, NaN];
    }
    // Arrows as long as 60 pixels for the weight of everything, and no longer than 110.
    drawForces(pen, place, series, colour) {
      const { motion } = this.data();
      const { low, last } = this.at(series);
      const size = motion.axes.length;
      const step = Math.min(low, last - 1);
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
      for (const [point, force] of arrows) {
        const strength = Math.hypot(...force) / motion.scene.weight;
        if (!(strength > 1e-3)) continue;
        const from = place(point);
        const tip = place(point.map((value, axis) => value + force[axis]));
        const way = [tip[0] - from[0], tip[1] - from[1]];
        const length = Math.hypot(...way);
        if (!(length > 0)) continue;
        const along = way.map((part) => (part / length) * Math.min(110, 60 * strength));
        const end = [from[0] + along[0], from[1] + along[1]];
        const unit = way.map((part) => part / length);
        const wing = (side) => [end[0] - 7 * unit[0] + side * 3.5 * unit[1], end[1] - 7 * unit[1] - side * 3.5 * unit[0]];
        pen.path([from, end], { stroke: colour, width: 1.6 });
        pen.path([end, wing(1), wing(-1)], { fill: colour }, true);
      }
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
