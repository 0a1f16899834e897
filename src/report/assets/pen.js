"use strict";
// Two pens of one kind: the scene and the charts are drawn the same on a canvas and into an SVG file.
const stickslip = { start: [] };

// What drawings on white paper do with the colour of a series: `line` for what stands out, `face` for the side of a solid in
// full light, `tint` for the share of it in the fill of a body in the plane; `floor` lies under shadows of some `shadow`.
const ON_LIGHT = { line: (colour) => colour, face: (colour, share) => stickslip.mix(colour, "#ffffff", share), tint: 0.12, floor: null, shadow: 0.15 };
// The same on dark paper: shadows need a floor that is lighter than the paper, and lines are lighter than on white.
stickslip.onDark = ({ paper, ground }) => ({
  line: stickslip.lightened, face: (colour, share) => stickslip.mix(colour, paper, share), tint: 0.4, floor: stickslip.mix(paper, ground, 0.7), shadow: 0.5,
});

stickslip.theme = () => {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const surface = { paper: value("--paper"), ground: value("--ground") };
  return { ink: value("--ink"), soft: value("--soft"), rule: value("--rule"), ...surface, ...(dark ? stickslip.onDark(surface) : ON_LIGHT) };
};

// The theme of exported files, whatever the page looks like.
stickslip.printTheme = { ink: "#1b1b1b", soft: "#5c5c5c", rule: "#d9d9d4", paper: "#ffffff", ground: "#d6d1ca", ...ON_LIGHT };

// A colour between two, given as #rgb or #rrggbb: `share` of the second.
stickslip.mix = (first, second, share) => {
  const parts = (colour) => (colour.length === 4 ? [1, 2, 3].map((k) => parseInt(colour[k] + colour[k], 16)) : [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16)));
  const [a, b] = [parts(first), parts(second)];
  return "#" + a.map((part, k) => Math.round(part + share * (b[k] - part)).toString(16).padStart(2, "0")).join("");
};

// A colour that is seen through, of some opacity.
stickslip.faint = (colour, opacity) => colour + Math.round(255 * opacity).toString(16).padStart(2, "0");

// A colour of the same hue that is read on dark paper: the ratio of contrast of WCAG 2 is 5 at least, and no more where that
// takes white, so that what differs by its lightness alone still does.
{
  const DARK_PAPER = "#161615", LEAST_CONTRAST = 5;
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const luminance = (colour) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, k) => sum + weight * linear(parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16) / 255), 0);
  const known = new Map();
  stickslip.lightened = (colour) => {
    if (!known.has(colour)) {
      let share = 0;
      const lighter = () => stickslip.mix(colour, "#ffffff", share);
      while (share < 1 && luminance(lighter()) + 0.05 < LEAST_CONTRAST * (luminance(DARK_PAPER) + 0.05)) share += 0.02;
      known.set(colour, lighter());
    }
    return known.get(colour);
  };
}

// The colour of a series beside its name, as its curves have it on light and on dark paper; the exact one has that of the ink.
stickslip.swatch = (colour, kind = "") => {
  const swatch = document.createElement("span");
  swatch.className = `swatch ${kind}`.trim();
  swatch.setAttribute("aria-hidden", "true");
  swatch.style.setProperty("--colour", colour);
  swatch.style.setProperty("--colour-on-dark", stickslip.lightened(colour));
  return swatch;
};

stickslip.CanvasPen = class {
  constructor(canvas, width, height, paper) {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
    this.context = canvas.getContext("2d");
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.fillStyle = paper;
    this.context.fillRect(0, 0, width, height);
    this.context.lineJoin = "round";
  }
  finish_(style) {
    const c = this.context;
    c.globalAlpha = style.opacity ?? 1;
    if (style.fill) { c.fillStyle = style.fill; c.fill(); }
    if (style.stroke) {
      c.strokeStyle = style.stroke;
      c.lineWidth = style.width ?? 1;
      c.setLineDash(style.dash ?? []);
      c.stroke();
    }
    c.globalAlpha = 1;
  }
  path(points, style, closed = false) {
    const c = this.context;
    c.beginPath();
    let open = false;
    for (const [x, y] of points) {
      if (!Number.isFinite(x) || !Number.isFinite(y)) { open = false; continue; }
      if (open) c.lineTo(x, y); else c.moveTo(x, y);
      open = true;
    }
    if (closed) c.closePath();
    this.finish_(style);
  }
  circle([x, y], radius, style) {
    this.context.beginPath();
    this.context.arc(x, y, Math.max(0, radius), 0, 2 * Math.PI);
    this.finish_(style);
  }
  text(words, [x, y], { size = 12, fill, align = "start", rotate = 0 }) {
    const c = this.context;
    c.save();
    c.translate(x, y);
    c.rotate(rotate);
    c.font = `${size}px system-ui, "Liberation Sans", sans-serif`;
    c.textAlign = align === "middle" ? "center" : align;
    c.fillStyle = fill;
    c.fillText(words, 0, 0);
    c.restore();
  }
  clip(left, top, width, height, draw) {
    const c = this.context;
    c.save();
    c.beginPath();
    c.rect(left, top, width, height);
    c.clip();
    draw();
    c.restore();
  }
};

stickslip.SvgPen = class {
  constructor(width, height, paper) {
    this.parts = [];
    this.clips = 0;
    this.size = [width, height];
    this.parts.push(`<rect width="${width}" height="${height}" fill="${paper}"/>`);
  }
  style_(style) {
    const parts = [`fill="${style.fill ?? "none"}"`];
    if (style.stroke) {
      parts.push(`stroke="${style.stroke}" stroke-width="${style.width ?? 1}" stroke-linejoin="round"`);
      if (style.dash?.length) parts.push(`stroke-dasharray="${style.dash.join(" ")}"`);
    }
    if (style.opacity !== undefined) parts.push(`opacity="${style.opacity}"`);
    return parts.join(" ");
  }
  path(points, style, closed = false) {
    const number = (value) => String(Math.round(value * 100) / 100);
    let data = "", open = false;
    for (const [x, y] of points) {
      if (!Number.isFinite(x) || !Number.isFinite(y)) { open = false; continue; }
      data += (open ? "L" : "M") + number(x) + " " + number(y);
      open = true;
    }
    if (data) this.parts.push(`<path d="${data}${closed ? "Z" : ""}" ${this.style_(style)}/>`);
  }
  circle([x, y], radius, style) {
    if (Number.isFinite(x) && Number.isFinite(y)) {
      this.parts.push(`<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="${radius.toFixed(2)}" ${this.style_(style)}/>`);
    }
  }
  text(words, [x, y], { size = 12, fill, align = "start", rotate = 0 }) {
    const safe = String(words).replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
    const turn = rotate ? ` transform="rotate(${(rotate * 180) / Math.PI} ${x} ${y})"` : "";
    this.parts.push(`<text x="${x.toFixed(2)}" y="${y.toFixed(2)}" font-size="${size}" fill="${fill}" text-anchor="${align}" font-family="sans-serif"${turn}>${safe}</text>`);
  }
  clip(left, top, width, height, draw) {
    const id = `clip-${++this.clips}`;
    this.parts.push(`<clipPath id="${id}"><rect x="${left}" y="${top}" width="${width}" height="${height}"/></clipPath><g clip-path="url(#${id})">`);
    draw();
    this.parts.push("</g>");
  }
  finish() {
    const [width, height] = this.size;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${this.parts.join("\n")}</svg>\n`;
  }
};
