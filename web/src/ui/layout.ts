// The panels: side by side on a wide screen, one at a time with tabs at the bottom on a phone.
import { panels, type PanelName } from "../core/url_state.js";
import type { App, Panel } from "./app.js";
import { h } from "./dom.js";

export class Layout {
  readonly element = h("main", { class: "panels" });
  readonly tabs = h("nav", { class: "tabs", "aria-label": "Panels" });
  private readonly sections = new Map<PanelName, HTMLElement>();
  private readonly buttons = new Map<PanelName, HTMLElement>();

  constructor(
    private readonly app: App,
    content: Record<PanelName, Panel>,
  ) {
    for (const name of panels) {
      const { title, tools, body } = content[name];
      const heading = h("h2", { id: `title-${name}`, text: title });
      const section = h(
        "section",
        { class: `panel ${name}`, "aria-labelledby": heading.id },
        h("header", {}, heading, h("div", { class: "tools" }, ...tools)),
        body,
      );
      const tab = h("button", {
        type: "button",
        "data-panel": name,
        text: title,
        onclick: () => this.show(name),
      });
      this.sections.set(name, section);
      this.buttons.set(name, tab);
      this.element.append(section);
      this.tabs.append(tab);
    }
    this.mark(app.state.panel ?? "heatmap");
  }

  /** Where there are tabs, shows the panel; everywhere, moves the focus to it. */
  show(name: PanelName): void {
    this.mark(name);
    this.app.state.panel = name;
    this.app.remember();
    this.sections.get(name)!.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  }

  private mark(shown: PanelName): void {
    for (const name of panels) {
      this.sections.get(name)!.classList.toggle("shown", name === shown);
      this.buttons.get(name)!.setAttribute("aria-current", String(name === shown));
    }
  }
}
