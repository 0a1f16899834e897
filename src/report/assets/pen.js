"use strict";
// Two pens of one kind: the scene and the charts are drawn the same on a canvas and into an SVG file.
const stickslip = { start: [] };

stickslip.theme = () => {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  return { ink: value("--ink"), soft: value("--soft"), rule: value("--rule"), paper: value("--paper"), ground: value("--ground") };
};

// The theme of exported files, whatever the page looks like.
stickslip.printTheme = { ink: "#1b1b1b", soft: "#5c5c5c", rule: "#d9d9d4", paper: "#ffffff", ground: "#d6d1ca" };

// A colour between two, given as #rgb or #rrggbb: `share` of the second.
stickslip.mix = (first, second, share) => {
  const parts = (colour) => (colour.length === 4 ? [1, 2, 3].map((k) => parseInt(colour[k] + colour[k], 16)) : [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16)));
  const [a, b] = [parts(first), parts(second)];
  return "#" + a.map((part, k) => Math.round(part + share * (b[k] - part)).toString(16).padStart(2, "0")).join("");
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
