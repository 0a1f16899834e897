// The motion of a scenario by several steppers: one legend, the scene, and tabs of figures under one cursor.
{
  const element = stickslip.element;
  const UNITS = { x: "m", y: "m", z: "m", angle: "rad", tilt: "°", "turn x": "°", "turn y": "°", "turn z": "°", spin: "rad/s", vx: "m/s", vy: "m/s", vz: "m/s", wx: "rad/s", wy: "rad/s", wz: "rad/s", fx: "N", fy: "N", fz: "N" };
  // Where nothing touches there is only a faint line.
  const MODES = { flight: null, open: null, impact: "#d55e00", sliding: "#e69f00", slip: "#e69f00", sticking: "#0072b2", stick: "#0072b2", touching: "#8a8a86" };
  let count = 0;

  // Puts the curves together that were written as differences from the exact ones.
  const restore = (motion) => {
    for (const [place, series] of motion.series.entries()) {
      series.difference = series.values;
      series.energyDifference = series.energy;
      if (!motion.relative || place === 0) continue;
      const exact = motion.series[0];
      const sum = (column, reference) => column.map((value, k) => (value === null ? null : value + reference[k]));
      series.values = series.values.map((columns, body) => columns.map((column, k) => sum(column, exact.values[body][k])));
      series.energy = sum(series.energy, exact.energy);
    }
    return motion;
  };

  // How a body in space is turned, as a person reads it, out of its quaternions: in degrees the tilt of its own height axis, and
  // the turn since the start about the axes of the world, whose length is the angle of the turn. Full turns are counted.
  const TURNS = ["tilt", "turn x", "turn y", "turn z"];
  const DEGREES = 180 / Math.PI;
  const turnsOf = (columns) => {
    const turns = TURNS.map(() => []);
    const start = columns.map((column) => column[0]);
    let last = [0, 0, 0];
    columns[0].forEach((_, k) => {
      const [w, x, y, z] = columns.map((column) => column[k]);
      if ([w, x, y, z].some((part) => part === null)) return turns.forEach((turn) => turn.push(null));
      // From the start to now, in the axes of the world: the quaternion times the conjugate of the first.
      const [a, b, c, d] = start;
      const real = w * a + x * b + y * c + z * d;
      const way = [x * a - w * b + z * c - y * d, y * a - w * c + x * d - z * b, z * a - w * d + y * b - x * c];
      const length = Math.hypot(...way);
      const axis = length > 1e-12 ? way.map((part) => part / length) : last.map((part) => part / (Math.hypot(...last) || 1));
      const angle = 2 * Math.atan2(length, real);
      // Of the turns that lead to the same place the one that goes on from the last.
      const rounds = Math.round((last.reduce((sum, part, place) => sum + part * axis[place], 0) - angle) / (2 * Math.PI));
      last = axis.map((part) => part * (angle + 2 * Math.PI * rounds));
      const tilt = Math.atan2(2 * Math.hypot(x * z + w * y, y * z - w * x), w * w - x * x - y * y + z * z);
      // To a thousandth of a degree, which is what the digits of the page can tell.
      [tilt, ...last].forEach((part, place) => turns[place].push(Math.round(1000 * DEGREES * part) / 1000));
    });
    return turns;
  };
  // Columns of figures: quaternions stay in the files.
  const figureColumns = (columns) => columns.flatMap((column) => (column === "qw" ? TURNS : /^q/.test(column) ? [] : [column]));

  // Whether it was computed: of a motion that was measured and predicted, only poses are known.
  const hasForces = (motion) => motion.columns.includes("f" + motion.axes[0]);

  // The body that moves farthest: curves of what rests are not the first thing to see.
  const busiest = (motion) => {
    const ways = motion.scene.bodies.map(({ fixed }, body) => (fixed ? -1 : Math.hypot(...motion.axes.map((axis) => {
      const column = motion.series[0].values[body][motion.columns.indexOf(axis)];
      let [least, most] = [Infinity, -Infinity];
      for (const value of column) if (value !== null) [least, most] = [Math.min(least, value), Math.max(most, value)];
      return most >= least ? most - least : 0;
    }))));
    // The first of those that move alike.
    const most = Math.max(...ways);
    return ways.findIndex((way) => way >= most - 0.01 * Math.abs(most));
  };

  stickslip.MotionView = class {
    constructor(root, motion, costs = {}) {
      this.root = root;
      this.costs = costs;
      this.hidden = new Set();
      this.body = busiest(motion);
      this.difference = false;
      this.panels = [];
      this.link = {
        key: `motion-${++count}`, zoom: null,
        onTime: (time) => { this.scene.pause(); this.scene.go(time, true); this.dots(); },
        onZoom: (range) => { this.link.zoom = range; for (const panel of this.panels) panel.plot?.setScale("x", this.whole()); this.timeline?.update(); },
      };
      this.motion = restore(motion);
      this.turns = new WeakMap();
      this.scene = new stickslip.Scene(
        () => ({ motion: this.motion, series: this.shown(), body: this.body }),
        (time) => { for (const panel of this.panels) panel.point?.(time); this.dots(); },
      );
      this.legend = element("div", { class: "legend", role: "group", "aria-label": "Steppers" });
      this.options = element("div", { class: "options" });
      this.figures = element("div", { class: "figures" });
      root.replaceChildren(this.legend, this.options, this.scene.root, this.figures);
      this.buildLegend();
      this.buildOptions();
      this.buildTabs();
    }
    // Tabs of what there is to show; the one that was open stays, if it is among them.
    buildTabs() {
      const forces = hasForces(this.motion);
      const tabs = [
        { title: "Motion", show: (panel) => this.showCurves(panel) },
        { title: "Contact modes", without: !forces, show: (panel) => this.showModes(panel) },
        { title: "Energy", show: (panel) => this.showEnergy(panel) },
        { title: "Friction cone", without: !forces, show: (panel) => this.showCone(panel) },
        { title: "Phase portrait", show: (panel) => this.showPhase(panel) },
        { title: "Accuracy and cost", without: this.measuredSteppers(this.motion.series).length === 0, show: (panel) => this.showAccuracy(panel) },
      ].filter((tab) => !tab.without).map((tab) => ({ ...tab, hide: () => this.clear() }));
      const open = this.tabs?.tabs[this.tabs.chosen].title;
      this.clear();
      this.tabs = new stickslip.Tabs("Figures", tabs);
      this.figures.replaceChildren(this.tabs.root);
      this.tabs.choose(Math.max(0, tabs.findIndex((tab) => tab.title === open)));
    }
    whole() {
      const times = this.motion.time;
      return this.link.zoom ? { min: this.link.zoom[0], max: this.link.zoom[1] } : { min: times[0], max: times.at(-1) };
    }
    // Takes over another motion of the same kind.
    update(motion) {
      const names = this.motion.series.map((series) => series.label).join() + this.motion.columns.join() + this.motion.scene.bodies.length;
      this.motion = restore(motion);
      if (names !== motion.series.map((series) => series.label).join() + motion.columns.join() + motion.scene.bodies.length) {
        this.body = Math.min(this.body, motion.scene.bodies.length - 1);
        this.buildLegend();
        this.buildOptions();
        this.scene.buildEye();
        this.buildTabs();
      }
      this.redraw();
    }
    redraw() {
      this.scene.draw();
      // What was constant may vary now, of other data or another body.
      if (this.folded !== undefined && this.folded !== this.constants().join()) this.tabs.choose(this.tabs.chosen);
      else for (const panel of this.panels) panel.update();
    }
    restyle() {
      this.scene.draw();
      for (const panel of this.panels) panel.plot ? panel.build() : panel.update();
    }
    clear() {
      for (const panel of this.panels) panel.remove?.();
      this.panels = [];
      this.timeline = null;
      this.folded = undefined;
    }
    dots() {
      for (const panel of this.panels) if (!panel.point) panel.update();
    }
    shown() { return this.motion.series.filter((series) => !this.hidden.has(series.label)); }
    // The exact motion last, so that it lies on top.
    ordered() { return [...this.motion.series].sort((a, b) => Number(a.reference) - Number(b.reference)); }
    curve(series, x, y, more = {}) {
      return { label: series.label, colour: series.colour, width: series.reference ? 1.2 : series.width, dash: series.dash,
        reference: series.reference, hidden: this.hidden.has(series.label), x, y, ...more };
    }
    buildLegend() {
      const [only, ...others] = this.motion.series;
      if (others.length === 0) {
        // There is nothing to choose from, and its name is in the title.
        this.hidden.clear();
        this.legend.hidden = only.remarks.length === 0;
        return this.legend.replaceChildren(element("span", { class: "hint", text: only.remarks.join("; ") }));
      }
      this.legend.hidden = false;
      this.legend.replaceChildren(...this.motion.series.map((series) => {
        const swatch = stickslip.swatch(series.colour, series.reference ? "exact" : "");
        const button = element("button", { type: "button", "aria-pressed": String(!this.hidden.has(series.label)), title: series.remarks.join("; ") || null,
          onclick: () => {
            this.hidden.has(series.label) ? this.hidden.delete(series.label) : this.hidden.add(series.label);
            button.setAttribute("aria-pressed", String(!this.hidden.has(series.label)));
            this.scene.boundsOf = null;
            this.redraw();
          } }, swatch, series.label + (series.remarks.length ? " *" : ""));
        return button;
      }));
    }
    buildOptions() {
      this.options.replaceChildren();
      if (this.motion.relative) {
        const box = element("input", { type: "checkbox", onchange: () => { this.difference = box.checked; this.redraw(); } });
        box.checked = this.difference;
        this.options.append(element("label", {}, box, ` difference to ${this.motion.series[0].label}`));
      }
      const bodies = this.motion.scene.bodies;
      if (bodies.length > 1) {
        const select = element("select", { onchange: () => { this.body = Number(select.value); this.redraw(); } });
        bodies.forEach((body, place) => select.append(element("option", { value: place, text: body.name, selected: place === this.body })));
        this.options.append(element("label", {}, "curves of ", select));
      }
      this.options.append(element("button", { type: "button", text: "whole time", onclick: () => this.link.onZoom(null) }));
      this.options.append(element("span", { class: "hint", text: "Drag across a figure to zoom, double-click for the whole." }));
    }
    // The largest value of the columns of one kind, which says what of a component is rounding.
    magnitude(column) {
      if (this.measured?.motion !== this.motion || this.measured.body !== this.body) this.measured = { motion: this.motion, body: this.body, of: new Map() };
      const kind = this.motion.axes.includes(column) ? "position" : column[0];
      if (!this.measured.of.has(kind)) {
        const alike = this.motion.columns.map((_, place) => place).filter((place) => {
          const other = this.motion.columns[place];
          return kind === "position" ? this.motion.axes.includes(other) : other[0] === kind && !this.motion.axes.includes(other);
        });
        // A thousandth of a radian, or of one in a second, is worth a look, and so is a velocity that goes a thousandth of the
        // scene in the whole time; much less is rounding.
        let most = ["a", "s", "w"].includes(kind) ? 1e-3 : 0;
        if (kind === "v") most = (1e-3 * this.magnitude(this.motion.axes[0])) / this.motion.time.at(-1);
        for (const series of this.motion.series) {
          for (const place of alike) for (const value of series.values[this.body][place]) if (Math.abs(value) > most) most = Math.abs(value);
        }
        this.measured.of.set(kind, most);
      }
      return this.measured.of.get(kind);
    }
    // The values of a column of figures of the chosen body.
    column(series, name) {
      if (!TURNS.includes(name)) return series.values[this.body][this.motion.columns.indexOf(name)];
      if (!this.turns.has(series)) this.turns.set(series, new Map());
      const known = this.turns.get(series);
      if (!known.has(this.body)) known.set(this.body, turnsOf(["qw", "qx", "qy", "qz"].map((part) => series.values[this.body][this.motion.columns.indexOf(part)])));
      return known.get(this.body)[TURNS.indexOf(name)];
    }
    // What a column is off that of the first series.
    differenceOf(series, name) {
      if (!TURNS.includes(name)) return series.difference[this.body][this.motion.columns.indexOf(name)];
      const exact = this.column(this.motion.series[0], name);
      return this.column(series, name).map((value, k) => (value === null || exact[k] === null ? null : value - exact[k]));
    }
    // The curves of one column of the chosen body.
    spec(column) {
      const force = /^f/.test(column), difference = this.difference && this.motion.relative;
      const range = force && !difference ? this.motion.force_ranges[this.motion.axes.indexOf(column[1])] : null;
      const kind = force ? "force" : { x: "position", y: "position", z: "position", angle: "angle", spin: "spin", tilt: "tilt" }[column] ?? (/^v/.test(column) ? "velocity" : /^turn/.test(column) ? "turn about" : "spin");
      const name = `${difference ? "difference in " : ""}${kind} ${["angle", "spin", "tilt"].includes(column) ? "" : column[column.length - 1]}`.trim();
      const curves = this.ordered().filter((series) => !(difference && series.reference)).map((series) => {
        const y = difference ? this.differenceOf(series, column) : this.column(series, column);
        return this.curve(series, this.motion.time, y, { held: force });
      });
      return { title: name + (this.motion.scene.bodies.length > 1 ? ` of ${this.motion.scene.bodies[this.body].name}` : ""),
        x: { label: "t (s)" }, y: { label: `${difference ? "Δ" : ""}${column} (${UNITS[column] ?? "1"})`, range, magnitude: difference ? 0 : this.magnitude(column) }, curves };
    }
    add(panel, into) {
      this.panels.push(panel);
      into.append(panel.root);
      panel.update();
    }
    showCurves(panel) {
      const grid = element("div", { class: "grid" });
      const constants = this.constants();
      this.folded = constants.join();
      const show = (columns, into) => columns.forEach((column) => this.add(new stickslip.TimePanel(this.motion.name, () => this.spec(column), this.link), into));
      if (constants.length) panel.append(this.fold(constants, (into) => show(constants, into)));
      panel.append(grid);
      show(figureColumns(this.motion.columns).filter((column) => !constants.includes(column)), grid);
    }
    // Columns of figures of the chosen body in which no stepper is ever off one value by more than rounding; not all of them, so
    // that one is seen.
    constants() {
      const columns = figureColumns(this.motion.columns);
      const constant = columns.filter((column) => {
        let [least, most] = [Infinity, -Infinity];
        for (const series of this.motion.series) {
          for (const value of this.column(series, column)) if (value !== null) [least, most] = [Math.min(least, value), Math.max(most, value)];
        }
        // Turns are rounded to a thousandth of a degree.
        const size = Math.max(Math.abs(least), Math.abs(most), this.magnitude(column));
        return most >= least && most - least <= Math.max(1e-6 * size, TURNS.includes(column) ? 2e-3 : 0);
      });
      return constant.length < columns.length ? constant : constant.slice(1);
    }
    // A line with the values of columns that stay, which opens their figures.
    fold(columns, show) {
      const words = columns.map((column) => {
        // What is much less than others of its kind is rounding.
        const value = this.motion.series.flatMap((series) => this.column(series, column)).find((one) => one !== null);
        const rounding = TURNS.includes(column) ? 2e-3 : 1e-6 * this.magnitude(column);
        const shown = Math.abs(value) <= rounding ? 0 : Number(value.toPrecision(4));
        return `${column.replace("turn ", "turn about ")} = ${stickslip.short(shown)} ${UNITS[column] ?? ""}`.trim().replace(" °", "°");
      });
      const grid = element("div", { class: "grid" });
      const fold = element("details", { class: "constant", open: this.opened === true }, element("summary", { text: `constant: ${words.join(", ")}` }), grid);
      fold.addEventListener("toggle", () => {
        this.opened = fold.open;
        if (fold.open && !grid.hasChildNodes()) show(grid);
      });
      return fold;
    }
    showEnergy(panel) {
      const spec = () => {
        const difference = this.difference && this.motion.relative;
        const curves = this.ordered().filter((series) => !(difference && series.reference))
          .map((series) => this.curve(series, this.motion.time, difference ? series.energyDifference : series.energy));
        return { title: difference ? "difference in energy" : "energy of everything", x: { label: "t (s)" }, y: { label: "E (J)" }, curves };
      };
      this.add(new stickslip.TimePanel(this.motion.name, spec, this.link), panel);
    }
    // Friction against normal force: of every contact where they are told apart, else of the chosen body.
    showCone(panel) {
      const size = this.motion.axes.length;
      const points = (series) => {
        const [normals, tangents] = [[], []];
        for (const numbers of series.contacts) {
          for (let k = 0; k + 3 * size <= numbers.length; k += 3 * size) {
            const normal = numbers.slice(k + size, k + 2 * size), force = numbers.slice(k + 2 * size, k + 3 * size);
            const along = force.reduce((sum, part, axis) => sum + part * normal[axis], 0);
            const rest = force.map((part, axis) => part - along * normal[axis]);
            normals.push(along);
            tangents.push(size === 2 ? rest[0] * normal[1] - rest[1] * normal[0] : Math.hypot(...rest));
          }
        }
        if (series.contacts.length) return [normals, tangents];
        const column = (axis) => series.values[this.body][this.motion.columns.indexOf("f" + axis)];
        const up = column(this.motion.axes.at(-1));
        return [up, size === 2 ? column("x") : column("x").map((value, k) => Math.hypot(value, column("y")[k]))];
      };
      const spec = () => {
        const curves = this.ordered().map((series) => {
          const [x, y] = points(series);
          return this.curve(series, x, y, { width: 0, markers: true, radius: series.reference ? 1.6 : 2.6 });
        });
        const range = this.motion.force_ranges.at(-1);
        const all = curves.filter((curve) => !curve.hidden).flatMap((curve) => curve.x);
        const far = range ? range[1] : Math.max(1e-9, ...all.filter(Number.isFinite)) * 1.05;
        const frictions = this.motion.scene.frictions;
        const side = Math.max(frictions.at(-1) * far * 1.3, 0.02 * far);
        const lines = frictions.flatMap((friction) => [1, -1].map((sign) => ({ points: [[0, 0], [far, sign * friction * far]], dash: [5, 3] })));
        return { title: "friction cone",
          x: { label: `normal force (N); dashed: friction of ${frictions.join(", ")} times it, the limit`, range: [-0.03 * far, far] }, y: { label: "friction (N)", range: [-side, side] }, curves, lines };
      };
      const now = () => this.shown().flatMap((series) => {
        if (series.contacts.length) return [];
        const { low, last } = this.scene.at(series);
        const [x, y] = points(series);
        const place = Math.min(low, last - 1);
        return [{ at: [x[place], y[place]], colour: series.reference ? null : series.colour }];
      });
      this.add(new stickslip.PlanePanel(this.motion.name, spec, now), panel);
    }
    showPhase(panel) {
      const pairs = this.motion.axes.map((axis) => [axis, "v" + axis]);
      if (this.motion.columns.includes("angle")) pairs.push(["angle", "spin"]);
      const grid = element("div", { class: "grid" });
      panel.append(grid);
      for (const [across, up] of pairs) {
        const column = (series, name) => series.values[this.body][this.motion.columns.indexOf(name)];
        const spec = () => ({ title: `${up} over ${across}`, x: { label: `${across} (${UNITS[across]})`, magnitude: this.magnitude(across) }, y: { label: `${up} (${UNITS[up]})`, magnitude: this.magnitude(up) },
          curves: this.ordered().map((series) => this.curve(series, column(series, across), column(series, up))) });
        const now = () => this.shown().map((series) => {
          const { low, high, share } = this.scene.at(series);
          const value = (name) => column(series, name)[low] + share * (column(series, name)[high] - column(series, name)[low]);
          return { at: [value(across), value(up)], colour: series.reference ? null : series.colour };
        });
        this.add(new stickslip.PlanePanel(this.motion.name, spec, now), grid);
      }
    }
    showModes(panel) {
      const several = this.motion.series.length > 1;
      const rows = () => this.shown().flatMap((series) => series.modes.map((mode) => ({ series, mode, label: [several || !mode.label ? series.label : "", mode.label].filter(Boolean).join(": ") })));
      // A line at the height of its row for every span of a mode, with gaps between.
      const spec = () => {
        const all = rows();
        const names = [...new Set(all.flatMap(({ mode }) => mode.spans.map(([, name]) => name)))].filter(Boolean);
        const range = this.link.zoom ?? [0, this.motion.time.at(-1)];
        const curves = names.map((name) => {
          const [x, y] = [[], []];
          all.forEach(({ mode }, row) => mode.spans.forEach(([time, word], place) => {
            if (word !== name) return;
            x.push(time, mode.spans[place + 1][0], null);
            y.push(all.length - 1 - row, all.length - 1 - row, null);
          }));
          return { label: name, colour: MODES[name], faint: MODES[name] === null, width: 11, dash: [], x, y };
        });
        return { title: "contact modes", x: { label: "t (s)", range }, y: { label: "", range: [-0.7, all.length - 0.3], names: all.map(({ label }) => label).reverse() },
          curves, height: 70 + 24 * all.length, lines: [{ points: [[this.scene.time, -1], [this.scene.time, all.length]] }] };
      };
      const key = element("div", { class: "key" });
      for (const name of ["flight", "open", "impact", "sliding", "slip", "sticking", "stick", "touching"]) {
        if (!this.motion.series.some((series) => series.modes.some((mode) => mode.spans.some(([, word]) => word === name)))) continue;
        key.append(element("span", {}, MODES[name] ? stickslip.swatch(MODES[name], "block") : element("span", { class: "swatch block faint", "aria-hidden": "true" }), name));
      }
      panel.append(key);
      this.timeline = new stickslip.PlanePanel(this.motion.name, spec);
      this.add(this.timeline, panel);
      if (rows().length === 0) panel.append(element("p", { text: "No stepper that is shown tells its contacts apart." }));
    }
    // Those of some steppers whose error and time are known.
    measuredSteppers(series) {
      return series.map((one) => ({ series: one, cost: one.cost ?? this.costs[one.label], error: one.error })).filter(({ cost, error }) => cost > 0 && error > 0);
    }
    showAccuracy(panel) {
      const points = () => this.measuredSteppers(this.shown());
      const spec = () => ({ title: "largest error against the time of a step", x: { label: "median time of a step (µs)", log: true },
        y: { label: "largest distance from exact (m)", log: true },
        curves: points().map(({ series, cost, error }) => this.curve(series, [1e6 * cost], [error], { width: 0, markers: true, radius: 5 })),
        texts: points().map(({ series, cost, error }) => ({ words: series.label, at: [1e6 * cost, error] })) });
      this.add(new stickslip.PlanePanel(this.motion.name, spec), panel);
    }
  };
}
