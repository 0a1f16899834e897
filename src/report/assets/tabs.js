// Tabs, as the keyboard and screen readers expect them.
{
  const element = stickslip.element;
  let count = 0;

  stickslip.Tabs = class {
    // `tabs` = [{title, show(panel), hide()}]
    constructor(label, tabs) {
      this.tabs = tabs;
      this.list = element("div", { role: "tablist", "aria-label": label });
      this.panel = element("div", { role: "tabpanel", tabindex: "0", id: `tabpanel-${++count}` });
      this.buttons = tabs.map((tab, place) => element("button", {
        type: "button", role: "tab", text: tab.title, id: `tab-${count}-${place}`, "aria-controls": this.panel.id,
        onclick: () => this.choose(place),
        onkeydown: (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (!step) return;
          event.preventDefault();
          this.choose((place + step + tabs.length) % tabs.length, true);
        },
      }));
      this.list.append(...this.buttons);
      this.root = element("div", { class: "tabs" }, this.list, this.panel);
    }
    choose(place, focus = false) {
      this.tabs[this.chosen]?.hide?.();
      this.chosen = place;
      this.buttons.forEach((button, other) => {
        button.setAttribute("aria-selected", String(other === place));
        button.tabIndex = other === place ? 0 : -1;
      });
      this.panel.setAttribute("aria-labelledby", this.buttons[place].id);
      this.panel.replaceChildren();
      this.tabs[place].show(this.panel);
      if (focus) this.buttons[place].focus();
    }
  };
}
