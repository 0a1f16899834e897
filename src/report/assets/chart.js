// A chart of curves in a plane, drawn by any pen: axes, ticks, curves, a legend where it is to stand alone.
{
  const decades = (low, high) => {
    const ticks = [];
    const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
    const stride = Math.max(1, Math.ceil((last - first + 1) / 7));
    for (let power = first; power <= last; power += stride) ticks.push(10 ** power);
    if (ticks.length > 2) return ticks;
    // Within two decades, two and five times the powers as well.
    const fine = [];
    for (let power = first - 1; power <= last + 1; power++) fine.push(...[1, 2, 5].map((one) => one * 10 ** power));
    return fine.filter((tick) => tick >= low && tick <= high);
  };
  const round = (low, high, count) => {
    const rough = (high - low) / Math.max(1, count);
    const power = 10 ** Math.floor(Math.log10(rough));
    const stride = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough * 0.999) ?? 10 * power;
    const ticks = [];
    for (let k = Math.ceil(low / stride - 1e-9); k <= high / stride + 1e-9 && ticks.length < 50; k++) ticks.push(k * stride);
    return ticks;
  };
  const short = (value, digits = 6) => {
    if (value === 0) return "0";
    const size = Math.abs(value);
    return size >= 1e5 || size < 1e-3 ? value.toExponential().replace("e+", "e") : String(Number(value.toPrecision(digits)));
  };
  // Black is the colour of the ink, whatever the paper.
  const inked = (curve) => curve.reference || curve.colour === "#000000";
  const colourOf = (curve, theme) => (inked(curve) ? theme.ink : curve.faint ? theme.rule : theme.line(curve.colour));
  stickslip.short = (value) => (Number.isFinite(value) ? short(Number(value.toPrecision(6))) : "–");
  // Ticks in as many digits as tell them apart.
  stickslip.tickWords = (ticks) => {
    const size = Math.max(...ticks.map(Math.abs)), stride = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : size;
    const digits = Math.min(12, Math.max(6, Math.ceil(Math.log10(size / stride)) + 1)) || 6;
    return ticks.map((tick) => (Math.abs(tick) < 1e-6 * stride ? "0" : short(Number(tick.toPrecision(digits)), digits)));
  };

  // The range of an axis that shows the values, or that was asked for.
  stickslip.fit = (axis, values) => {
    if (axis.range) return axis.range;
    let low = Infinity, high = -Infinity;
    for (const value of values) {
      if (value === null || !Number.isFinite(value) || (axis.log && value <= 0)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (!(low <= high)) return axis.log ? [0.1, 1] : [0, 1];
    if (axis.log) return [low / 1.5, high * 1.5];
    // What varies by no more than its ticks can tell is a constant.
    const size = Math.max(Math.abs(low), Math.abs(high), axis.magnitude ?? 0);
    if (high - low <= 1e-6 * size || high === low) {
      const half = size > 0 ? Math.max(0.1 * size, 1e-12) : 1;
      return [(low + high) / 2 - half, (low + high) / 2 + half];
    }
    const rim = 0.06 * (high - low);
    return [low - rim, high + rim];
  };

  // Draws `spec` = {title, x, y, curves, equal, lines, texts} into width x height; gives the mapping that was used.
  stickslip.drawChart = (pen, spec, width, height, theme, { window = null, legend = false } = {}) => {
    const curves = spec.curves.filter((curve) => !curve.hidden);
    const named = legend ? curves.filter((curve) => curve.label) : [];
    const columns = Math.max(1, Math.floor((width - 60) / 150));
    const legendHeight = named.length ? 16 * Math.ceil(named.length / columns) + 6 : 0;
    const values = function* (part) {
      for (const curve of curves) if (!curve.aside) yield* curve[part];
    };
    let [x0, x1] = window?.x ?? stickslip.fit(spec.x, values("x"));
    let [y0, y1] = window?.y ?? stickslip.fit(spec.y, values("y"));
    // The ticks of an axis, each with its word.
    const ticks = (axis, low, high, count) => {
      if (axis.names?.length) return axis.names.map((name, place) => [place, name]).filter(([place]) => place >= low && place <= high);
      const places = axis.log ? decades(low, high) : round(low, high, count);
      const words = axis.log ? places.map((tick) => short(Number(tick.toPrecision(10)))) : stickslip.tickWords(places);
      return places.map((tick, k) => [tick, words[k]]);
    };
    const right = width - 14, top = (legend ? 26 : 10) + legendHeight, bottom = height - 40, rows = (bottom - top) / 40;
    const longest = Math.max(0, ...ticks(spec.y, y0, y1, rows).map(([, word]) => word.length));
    const left = Math.min(0.45 * width, Math.max(62, 26 + 6.4 * longest));
    if (spec.equal) {
      const scale = Math.max((x1 - x0) / (right - left), (y1 - y0) / (bottom - top));
      const [dx, dy] = [scale * (right - left) - (x1 - x0), scale * (bottom - top) - (y1 - y0)];
      [x0, x1, y0, y1] = [x0 - dx / 2, x1 + dx / 2, y0 - dy / 2, y1 + dy / 2];
    }
    const along = (axis, low, high, from, to) => {
      if (!axis.log) return (value) => from + ((value - low) / (high - low)) * (to - from);
      const [a, b] = [Math.log10(low), Math.log10(high)];
      return (value) => (value > 0 ? from + ((Math.log10(value) - a) / (b - a)) * (to - from) : NaN);
    };
    const px = along(spec.x, x0, x1, left, right), py = along(spec.y, y0, y1, bottom, top);
    for (const [tick, word] of ticks(spec.x, x0, x1, (right - left) / 90)) {
      pen.path([[px(tick), top], [px(tick), bottom]], { stroke: theme.rule });
      pen.text(word, [px(tick), bottom + 15], { size: 11, fill: theme.soft, align: "middle" });
    }
    for (const [tick, word] of ticks(spec.y, y0, y1, rows)) {
      pen.path([[left, py(tick)], [right, py(tick)]], { stroke: theme.rule });
      pen.text(word, [left - 6, py(tick) + 4], { size: 11, fill: theme.soft, align: "end" });
    }
    pen.clip(left, top, right - left, bottom - top, () => {
      for (const line of spec.lines ?? []) {
        pen.path(line.points.map(([x, y]) => [px(x), py(y)]), { stroke: theme.soft, width: 1, dash: line.dash ?? [] });
      }
      for (const curve of curves) {
        const points = curve.x.map((x, place) => [x === null ? NaN : px(x), curve.y[place] === null ? NaN : py(curve.y[place])]);
        const colour = colourOf(curve, theme);
        if (curve.width > 0) pen.path(points, { stroke: colour, width: curve.width, dash: curve.dash });
        if (curve.markers) {
          for (const point of points) {
            if (Number.isFinite(point[0]) && Number.isFinite(point[1])) pen.circle(point, curve.radius ?? 2.6, { fill: colour });
          }
        }
      }
    });
    pen.path([[left, top], [right, top], [right, bottom], [left, bottom]], { stroke: theme.ink, width: 0.8 }, true);
    for (const { words, at, align } of spec.texts ?? []) {
      pen.text(words, [px(at[0]) + 6, py(at[1]) - 5], { size: 11, fill: theme.ink, align });
    }
    pen.text(spec.x.label, [(left + right) / 2, height - 8], { size: 12, fill: theme.ink, align: "middle" });
    if (spec.y.label) pen.text(spec.y.label, [15, (top + bottom) / 2], { size: 12, fill: theme.ink, align: "middle", rotate: -Math.PI / 2 });
    if (legend) pen.text(spec.title ?? "", [left, 17], { size: 13, fill: theme.ink });
    named.forEach((curve, place) => {
      const [x, y] = [left + (place % columns) * 150, 34 + 16 * Math.floor(place / columns)];
      const colour = colourOf(curve, theme);
      if (curve.width > 0) pen.path([[x, y - 4], [x + 22, y - 4]], { stroke: colour, width: curve.width, dash: curve.dash });
      if (curve.markers) pen.circle([x + 11, y - 4], 3, { fill: colour });
      pen.text(curve.label, [x + 27, y], { size: 11, fill: theme.ink });
    });
    const back = (axis, low, high, from, to) => (pixel) => {
      const share = (pixel - from) / (to - from);
      return axis.log ? low * (high / low) ** share : low + share * (high - low);
    };
    return {
      px, py, frame: { left, right, top, bottom },
      x: back(spec.x, x0, x1, left, right), y: back(spec.y, y0, y1, bottom, top),
    };
  };
}
