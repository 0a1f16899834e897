// Files out of figures: SVG and PNG as they are drawn on paper, CSV with the numbers.
{
  const save = (name, blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const saveText = (name, type, text) => save(name, new Blob([text], { type }));

  const savePng = (name, svg, [width, height]) => {
    const image = new Image();
    const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    image.onload = () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [3 * width, 3 * height];
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => save(name, blob), "image/png");
      URL.revokeObjectURL(url);
    };
    image.src = url;
  };

  const cell = (value) => {
    if (value === null || value === undefined || Number.isNaN(value)) return "";
    const text = String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };

  // The curves of a chart: with one column for x where they share it, with one for each where not.
  stickslip.csv = (spec) => {
    const curves = spec.curves.filter((curve) => !curve.hidden && curve.label);
    const shared = curves.every((curve) => curve.x === curves[0].x);
    const columns = shared && curves.length ? [[spec.x.label, curves[0].x]] : [];
    for (const curve of curves) {
      if (!shared) columns.push([`${spec.x.label} ${curve.label}`, curve.x]);
      columns.push([`${spec.y.label} ${curve.label}`, curve.y]);
    }
    const rows = Math.max(0, ...columns.map(([, values]) => values.length));
    const lines = [columns.map(([name]) => cell(name)).join(",")];
    for (let row = 0; row < rows; row++) lines.push(columns.map(([, values]) => cell(values[row])).join(","));
    return lines.join("\n") + "\n";
  };

  // The SVG of a chart as it stands in a paper.
  stickslip.chartSvg = (spec, size = [640, 360], window = null) => {
    const pen = new stickslip.SvgPen(...size, stickslip.printTheme.paper);
    stickslip.drawChart(pen, spec, ...size, stickslip.printTheme, { legend: true, window });
    return pen.finish();
  };

  // Buttons that save a figure; `what` = {name, svg(), size, csv()}.
  stickslip.exportButtons = (what) => {
    const group = document.createElement("span");
    group.className = "export";
    const size = what.size ?? [640, 360];
    const actions = {
      SVG: () => saveText(`${what.name()}.svg`, "image/svg+xml", what.svg()),
      PNG: () => savePng(`${what.name()}.png`, what.svg(), size),
      CSV: () => saveText(`${what.name()}.csv`, "text/csv", what.csv()),
    };
    for (const [label, action] of Object.entries(actions)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.setAttribute("aria-label", `Save ${what.label()} as ${label}`);
      button.addEventListener("click", action);
      group.append(button);
    }
    return group;
  };

  stickslip.element = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "text") element.textContent = value;
      else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children);
    return element;
  };
}
