// Brings the page to life.
{
  const views = [];

  // A figure of curves, one panel under the other; time panels share their zoom.
  const startChart = (root, chart) => {
    const grid = stickslip.element("div", { class: chart.panels.length > 1 ? "grid" : "" });
    root.replaceChildren(grid);
    const hidden = new Set();
    const labels = new Map(chart.panels.flatMap((panel) => panel.curves).filter((curve) => curve.label).map((curve) => [curve.label, curve]));
    const panels = chart.panels.map((panel, place) => {
      const title = chart.panels.length > 1 ? `${chart.title}: ${panel.y.label}` : chart.title;
      const spec = () => ({ ...panel, title: title || panel.y.label || `figure ${place + 1}`, height: null, curves: panel.curves.map((curve) => ({ ...curve, hidden: hidden.has(curve.label) })) });
      const view = new stickslip.PlanePanel("stickslip", spec);
      grid.append(view.root);
      return view;
    });
    const update = () => panels.forEach((panel) => panel.update());
    if (labels.size > 1) {
      root.prepend(stickslip.element("div", { class: "legend", role: "group", "aria-label": "Curves" }, ...[...labels].map(([label, curve]) => {
        const swatch = stickslip.swatch(curve.colour, curve.colour === "#000000" ? "exact" : "");
        const button = stickslip.element("button", { type: "button", "aria-pressed": "true", onclick: () => {
          hidden.has(label) ? hidden.delete(label) : hidden.add(label);
          button.setAttribute("aria-pressed", String(!hidden.has(label)));
          update();
        } }, swatch, label);
        return button;
      })));
    }
    update();
    views.push({ restyle: update });
  };

  // What a file has compressed.
  const inflated = (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
  };

  // The data of a figure.
  const data = async (id) => {
    const element = document.getElementById(id);
    return element.dataset.encoding === "deflate" ? inflated(element.textContent).json() : JSON.parse(element.textContent);
  };

  // Pictures for print that are large.
  const showDeflated = async (image) => {
    image.src = `data:${image.dataset.type},${encodeURIComponent(await inflated(image.dataset.deflated).text())}`;
  };

  stickslip.begin = async () => {
    const costs = JSON.parse(document.getElementById("costs")?.dataset.seconds ?? "{}");
    for (const root of document.querySelectorAll("section.interactive")) {
      const shown = await data(`${root.id}-data`);
      document.documentElement.classList.add("alive");
      if (root.dataset.kind === "motion") views.push(new stickslip.MotionView(root, shown, costs));
      else if (root.dataset.kind === "live") views.push(new stickslip.LiveView(root, shown));
      else startChart(root, shown);
    }
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => views.forEach((view) => view.restyle()));
    stickslip.views = views;
    for (const start of stickslip.start) start();
    for (const image of document.querySelectorAll("img[data-deflated]")) await showDeflated(image);
  };
  document.addEventListener("DOMContentLoaded", stickslip.begin);
}
