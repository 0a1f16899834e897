// Figures on the page: curves over time by uPlot with one cursor over all of them, and curves in a plane.
{
  const element = stickslip.element;

  // A frame around a figure: its name, what the cursor reads, the buttons to save it.
  const framed = (figure, spec) => {
    const name = () => `${figure.file}-${spec().title}`.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/-$/, "");
    const readout = element("span", { class: "readout", "aria-live": "off" });
    const buttons = stickslip.exportButtons({
      name, label: () => spec().title, csv: () => stickslip.csv(spec()),
      svg: () => stickslip.chartSvg(spec(), [640, 360], figure.window?.() ?? null),
    });
    const body = element("div", { class: "plot" });
    const head = element("b", { text: spec().title });
    const root = element("div", { class: "panel", role: "figure", "aria-label": spec().title },
      element("div", { class: "panel-head" }, head, readout, buttons), body);
    // The title changes with what is shown.
    const entitle = (title) => {
      head.textContent = title;
      root.setAttribute("aria-label", title);
    };
    return { root, body, readout, entitle };
  };

  // Curves that share their times, `spec` = {title, x, y, curves}. `link` = {key, onTime(t), onZoom(range)} joins
  // panels. The spec is asked for anew at every draw.
  stickslip.TimePanel = class {
    constructor(file, spec, link) {
      this.file = file;
      this.spec = spec;
      this.link = link;
      Object.assign(this, framed(this, spec));
      this.observer = new ResizeObserver(() => this.resize());
      this.observer.observe(this.body);
    }
    window() {
      const x = this.plot?.scales.x;
      return x && Number.isFinite(x.min) ? { x: [x.min, x.max] } : null;
    }
    resize() {
      const width = Math.floor(this.body.clientWidth);
      if (width < 50) return;
      if (!this.plot || this.stale) this.build(width);
      else if (this.plot.width !== width) this.plot.setSize({ width, height: 190 });
    }
    // Draws anew from the spec: other curves, another theme.
    build(width = Math.floor(this.body.clientWidth)) {
      if (width < 50) { this.stale = true; return; }
      this.stale = false;
      this.plot?.destroy();
      const spec = this.spec(), theme = stickslip.theme();
      this.entitle(spec.title);
      this.shape = spec.curves.map((curve) => [curve.label, curve.hidden, curve.colour].join()).join("|");
      const axis = (label, size) => ({
        label, size, labelSize: 18, labelGap: 0, gap: 4, stroke: theme.ink, font: "11px system-ui", labelFont: "12px system-ui",
        grid: { stroke: theme.rule, width: 1 }, ticks: { stroke: theme.rule, width: 1 },
        values: (_, ticks) => stickslip.tickWords(ticks),
      });
      const series = spec.curves.map((curve) => ({
        label: curve.label, show: !curve.hidden, width: curve.reference ? 1.1 : curve.width, points: { show: false },
        stroke: curve.reference ? theme.ink : theme.line(curve.colour), dash: curve.dash?.length ? curve.dash : undefined,
        paths: curve.held ? uPlot.paths.stepped({ align: 1 }) : undefined,
      }));
      const options = {
        width, height: 190, series: [{}, ...series], legend: { show: false },
        scales: {
          x: { time: false, range: (_, low, high) => this.link.zoom ?? [low, high] },
          y: { range: () => this.range(spec) },
        },
        // As wide as its longest number.
        axes: [axis(spec.x.label, 34), axis(spec.y.label, (_, words) => Math.max(54, 26 + 6.4 * Math.max(0, ...(words ?? []).map((word) => word.length))))],
        cursor: { sync: { key: this.link.key, scales: ["x", null], filters: { pub: (kind) => kind === "mousemove" || kind === "mouseleave" } }, y: false, drag: { x: true, y: false, setScale: false }, points: { size: 5 } },
        hooks: {
          setCursor: [(plot) => this.read(plot)],
          setSelect: [(plot) => {
            const { left, width } = plot.select;
            if (width > 3) this.link.onZoom([plot.posToVal(left, "x"), plot.posToVal(left + width, "x")]);
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          }],
        },
      };
      this.body.replaceChildren();
      this.plot = new uPlot(options, this.data(spec), this.body);
      this.plot.over.addEventListener("dblclick", () => this.link.onZoom(null));
    }
    data(spec) {
      return [spec.curves[0]?.x ?? [], ...spec.curves.map((curve) => curve.y)];
    }
    // The range over the part that is seen, of the curves that are seen.
    range(spec) {
      const zoom = this.link.zoom;
      const seen = function* () {
        for (const curve of spec.curves) {
          if (curve.hidden) continue;
          for (let place = 0; place < curve.y.length; place++) {
            if (!zoom || (curve.x[place] >= zoom[0] && curve.x[place] <= zoom[1])) yield curve.y[place];
          }
        }
      };
      return stickslip.fit(spec.y, seen());
    }
    // Takes over other data of the same curves.
    update() {
      if (!this.plot) return this.resize();
      const spec = this.spec();
      const shape = spec.curves.map((curve) => [curve.label, curve.hidden, curve.colour].join()).join("|");
      this.entitle(spec.title);
      if (shape !== this.shape || spec.y.label !== this.plot.axes[1].label) return this.build();
      this.plot.scales.y.range = () => this.range(spec);
      this.plot.setData(this.data(spec), true);
    }
    read(plot) {
      const { left, idx } = plot.cursor;
      if (left === null || left < 0 || idx === null || idx === undefined) { this.readout.textContent = ""; return; }
      const spec = this.spec();
      const values = spec.curves.filter((curve) => !curve.hidden && curve.label);
      const words = values.slice(0, 4).map((curve) => `${curve.label} ${stickslip.short(curve.y[idx] ?? NaN)}`);
      this.readout.textContent = words.join("  ") + (values.length > 4 ? " …" : "");
      // The plot remembers the last event of a mouse that rests on it, whoever moves the cursor.
      if (plot.cursor.event && !this.pointing) this.link.onTime(plot.posToVal(left, "x"));
    }
    // Puts the cursor at a time that comes from elsewhere.
    point(time) {
      if (!this.plot || !this.plot.over.clientWidth) return;
      this.pointing = true;
      this.plot.setCursor({ left: this.plot.valToPos(time, "x"), top: 10 }, true, false);
      this.pointing = false;
    }
    remove() {
      this.observer.disconnect();
      this.plot?.destroy();
      this.plot = null;
    }
  };

  // Curves in a plane, `spec` = {title, x, y, curves, lines, texts, equal}; `now()` gives dots at the time of the scene.
  stickslip.PlanePanel = class {
    constructor(file, spec, now = () => []) {
      this.file = file;
      this.spec = spec;
      this.now = now;
      Object.assign(this, framed(this, spec), { zoomed: null });
      this.canvas = element("canvas", { "aria-hidden": "true" });
      this.body.append(this.canvas);
      this.canvas.addEventListener("pointerdown", (event) => this.down(event));
      this.canvas.addEventListener("pointermove", (event) => this.move(event));
      this.canvas.addEventListener("pointerup", (event) => this.up(event));
      this.canvas.addEventListener("pointerleave", () => { this.readout.textContent = ""; });
      this.canvas.addEventListener("dblclick", () => { this.zoomed = null; this.update(); });
      this.observer = new ResizeObserver(() => this.update());
      this.observer.observe(this.body);
    }
    window() { return this.zoomed; }
    update() {
      const width = Math.floor(this.body.clientWidth);
      if (width < 50) return;
      const spec = this.spec(), theme = stickslip.theme();
      this.entitle(spec.title);
      const height = spec.height ?? Math.round(Math.min(420, Math.max(260, 0.62 * width)));
      const pen = new stickslip.CanvasPen(this.canvas, width, height, theme.paper);
      this.map = stickslip.drawChart(pen, spec, width, height, theme, { window: this.zoomed });
      const { left, right, top, bottom } = this.map.frame;
      pen.clip(left, top, right - left, bottom - top, () => {
        for (const { at, colour } of this.now()) {
          pen.circle([this.map.px(at[0]), this.map.py(at[1])], 5, { fill: colour ? theme.line(colour) : theme.ink, stroke: theme.paper, width: 1.5 });
        }
        if (this.start && this.end) {
          const [[x0, y0], [x1, y1]] = [this.start, this.end];
          pen.path([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], { stroke: theme.ink, fill: theme.soft, opacity: 0.25 }, true);
        }
      });
    }
    place(event) {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    }
    down(event) {
      this.start = this.place(event);
      this.canvas.setPointerCapture(event.pointerId);
    }
    move(event) {
      if (!this.map) return;
      const at = this.place(event);
      this.readout.textContent = `${stickslip.short(this.map.x(at[0]))}, ${stickslip.short(this.map.y(at[1]))}`;
      if (this.start) { this.end = at; this.update(); }
    }
    up() {
      const [start, end] = [this.start, this.end];
      [this.start, this.end] = [null, null];
      if (start && end && Math.abs(end[0] - start[0]) > 4 && Math.abs(end[1] - start[1]) > 4) {
        const sorted = (a, b) => (a < b ? [a, b] : [b, a]);
        this.zoomed = {
          x: sorted(this.map.x(start[0]), this.map.x(end[0])), y: sorted(this.map.y(start[1]), this.map.y(end[1])),
        };
      }
      this.update();
    }
    remove() { this.observer.disconnect(); }
  };
}
