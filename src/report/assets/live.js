// The live page: sliders for every number of the scenario, and the motion that follows them.
{
  const element = stickslip.element;

  // From where to where a slider goes: about its value, within what is admitted, which the number beside it may
  // use in full. Where only positive values count it goes by ratios.
  const slide = ({ value, example, least, most, above }) => {
    const at = value ?? example;
    const ratios = least !== null && least >= 0 && (above || (least > 0 && most > 1000 * least));
    if (!ratios && least !== null && most !== null && most - least <= 1000) return { low: least, high: most };
    if (ratios) {
      const middle = at > 0 ? at : 1;
      return { low: Math.max(least || middle / 1000, middle / 100), high: Math.min(most, middle * 100), log: true };
    }
    if (least === 0) return { low: 0, high: Math.min(most, Math.max(1, 3 * at)) };
    const reach = Math.max(5, 3 * Math.abs(at));
    return { low: Math.max(least ?? -Infinity, -reach), high: Math.min(most ?? Infinity, reach) };
  };
  const tidy = (value, whole) => (whole ? Math.round(value) : Number(value.toPrecision(4)));
  const written = (value, whole) => (whole ? String(value) : Number.isInteger(value) && Math.abs(value) < 1e15 ? `${value}.0` : String(value));
  const admitted = ({ least, most, above }) =>
    least === null ? "" : `${above ? "greater than" : "at least"} ${stickslip.short(least)}, at most ${stickslip.short(most)}`;

  stickslip.LiveView = class {
    constructor(root, start) {
      this.root = root;
      this.start = start;
      this.changes = new Map();
      this.chosen = new Set(start.steppers.filter((stepper) => stepper.chosen).map((stepper) => stepper.name));
      this.readAddress();
      this.message = element("pre", { class: "message", role: "status", "aria-live": "polite" });
      this.stage = element("div", { class: "live-stage" });
      this.side = element("form", { class: "side", "aria-label": "Numbers of the scenario" });
      this.side.addEventListener("submit", (event) => event.preventDefault());
      // Beside the scene where there is room; else under it, folded.
      this.fold = element("details", { class: "fold" }, element("summary", { text: "Numbers of the scenario" }), this.side);
      this.narrow = matchMedia("(max-width: 50rem)");
      this.narrow.addEventListener("change", () => this.build());
      root.classList.add("live");
      root.replaceChildren(this.fold, element("div", { class: "live-main" }, this.message, this.stage));
      this.build();
      this.ask();
    }
    readAddress() {
      for (const [key, value] of new URLSearchParams(location.search)) {
        if (key === "steppers") this.chosen = new Set(value.split(",").filter(Boolean));
        else if (key !== "points") this.changes.set(key, value);
      }
    }
    // The changes as they go into an address.
    query(more = {}) {
      const query = new URLSearchParams();
      for (const [key, value] of this.changes) query.set(key, value);
      query.set("steppers", [...this.chosen].join(","));
      for (const [key, value] of Object.entries(more)) query.set(key, value);
      return query.toString();
    }
    build() {
      this.side.replaceChildren();
      this.fold.open = !this.narrow.matches;
      this.save = element("a", { class: "button", download: "", text: "Save as TOML" });
      const reset = element("button", { type: "button", text: "As in the file", onclick: () => { this.changes.clear(); this.build(); this.ask(); } });
      this.side.append(element("div", { class: "options" }, this.save, reset));
      const steppers = element("fieldset", {}, element("legend", { text: "Steppers" }));
      for (const { name } of this.start.steppers) {
        const box = element("input", { type: "checkbox", onchange: () => {
          box.checked ? this.chosen.add(name) : this.chosen.delete(name);
          this.ask();
        } });
        box.checked = this.chosen.has(name);
        steppers.append(element("label", { class: "check" }, box, ` ${name}`));
      }
      this.side.append(steppers);
      const tables = new Map();
      for (const control of this.start.controls) {
        if (!tables.has(control.table)) tables.set(control.table, []);
        tables.get(control.table).push(control);
      }
      for (const [table, controls] of tables) {
        const open = !table.startsWith("stepper") && tables.size < 12 && !this.narrow.matches;
        const details = element("details", { open }, element("summary", { text: table || "time and gravity" }));
        details.append(...controls.map((control) => this.control(control)));
        this.side.append(details);
      }
    }
    set(key, value) {
      if (value === null) this.changes.delete(key); else this.changes.set(key, value);
      this.ask();
    }
    control(control) {
      const name = control.key.startsWith(control.table) && control.table ? control.key.slice(control.table.length + 1) : control.key;
      const label = element("span", { class: "name", text: name + (control.unit ? ` (${control.unit})` : "") });
      const [kind, setting] = Object.entries(control.setting)[0];
      const given = this.changes.get(control.key);
      if (kind === "truth") {
        const box = element("input", { type: "checkbox", title: control.meaning, onchange: () => this.set(control.key, String(box.checked)) });
        box.checked = given === undefined ? setting.value : given === "true";
        return element("label", { class: "control check", title: control.meaning }, box, " ", label);
      }
      if (kind === "word") {
        const select = element("select", { title: control.meaning, "aria-label": control.key, onchange: () => this.set(control.key, select.value || null) });
        if (setting.value === null) select.append(element("option", { value: "", text: "by the program" }));
        for (const word of setting.words) select.append(element("option", { value: word, text: word, selected: word === (given ?? setting.value) }));
        return element("label", { class: "control", title: control.meaning }, label, select);
      }
      const now = given === undefined ? setting.value : Number(given);
      const { low, high, log } = slide({ ...setting, value: now });
      const to = (value) => (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
      const from = (share) => (log ? low * (high / low) ** share : low + share * (high - low));
      const range = element("input", { type: "range", min: "0", max: "1", step: setting.whole ? String(1 / Math.max(1, high - low)) : "0.002", "aria-label": `${control.key}: ${control.meaning}` });
      const number = element("input", { type: "number", step: "any", min: setting.least, max: setting.most, "aria-label": `${control.key} as a number`, placeholder: "by the program" });
      const show = (value) => {
        number.value = value === null ? "" : String(value);
        range.value = String(Math.min(1, Math.max(0, to(value ?? setting.example))));
        range.setAttribute("aria-valuetext", value === null ? "by the program" : `${value} ${control.unit}`);
      };
      show(now);
      range.addEventListener("input", () => {
        const value = tidy(from(Number(range.value)), setting.whole);
        const least = setting.least ?? -Infinity, most = setting.most ?? Infinity;
        const kept = Math.min(most, Math.max(least, value));
        number.value = String(kept);
        range.setAttribute("aria-valuetext", `${kept} ${control.unit}`);
        this.set(control.key, written(kept, setting.whole));
      });
      number.addEventListener("change", () => {
        const value = number.value === "" ? null : Number(number.value);
        this.set(control.key, value === null ? null : written(value, setting.whole));
        show(value ?? setting.value);
      });
      const words = [control.meaning, admitted(setting)].filter(Boolean).join("; ");
      return element("div", { class: "control", title: words }, label, range, number);
    }
    // One question at a time, and always the newest.
    ask() {
      const state = this.query();
      history.replaceState(null, "", `?${state}`);
      this.save.href = `/scenario.toml?${this.query().replace(/&?steppers=[^&]*/, "")}`;
      this.wanted = this.query({ points: Math.max(200, Math.min(800, Math.round(this.stage.clientWidth / 1.5) || 400)) });
      if (!this.asking) this.answer();
    }
    async answer() {
      this.asking = true;
      while (this.wanted !== null) {
        const query = this.wanted;
        this.wanted = null;
        if (this.chosen.size === 0) { this.tell("Choose a stepper."); break; }
        try {
          const response = await fetch(`/curves?${query}`);
          if (response.ok) this.show(await response.json());
          else this.tell(await response.text());
        } catch {
          this.tell("The program does not answer; it may have ended.");
          break;
        }
        // Leaves the browser time to draw.
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      this.asking = false;
    }
    show({ motion, refused }) {
      this.tell(refused.map(({ stepper, reason, remedy }) => `${stepper} is left out: ${reason}; ${remedy}`).join("\n"));
      this.stage.classList.remove("stale");
      if (this.view) this.view.update(motion);
      else this.view = new stickslip.MotionView(this.stage, motion);
      this.answers = (this.answers ?? 0) + 1;
    }
    tell(text) {
      this.message.textContent = text;
      if (text && !text.includes("is left out")) this.stage.classList.add("stale");
    }
    restyle() { this.view?.restyle(); }
  };
}
