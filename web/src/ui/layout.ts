// The panels: side by side on a wide screen, one at a time with tabs at the bottom on a phone. On a
// wide screen a dashboard takes the place of the others; the heatmap stays beside those of the market.
import { panels, type PanelName } from "../core/url_state.js";
import type { App, Panel } from "./app.js";
import { h } from "./dom.js";

/** Those that a wide screen shows as views of their own. */
const dashboards: readonly PanelName[] = ["flow", "quality", "latency"];
const isDashboard = (name: PanelName) => dashboards.includes(name);

export class Layout {
  readonly element = h("main", { class: "panels" });
  readonly tabs = h("nav", { class: "tabs", "aria-label": "Panels" });
  readonly views = h("nav", { class: "views", "aria-label": "Views" });
  private readonly sections = new Map<PanelName, HTMLElement>();
  private readonly buttons: { name: PanelName; of: HTMLElement; isView: boolean }[] = [];

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
      this.sections.set(name, section);
      this.element.append(section);
      this.tabs.append(this.button(name, title, false));
    }
    for (const name of ["heatmap", ...dashboards] as PanelName[])
      this.views.append(
        this.button(name, isDashboard(name) ? content[name].title : "Market", true),
      );
    this.mark(app.state.panel ?? "heatmap");
  }

  private button(name: PanelName, text: string, isView: boolean): HTMLElement {
    const of = h("button", {
      type: "button",
      "data-panel": name,
      text,
      onclick: () => this.show(name),
    });
    this.buttons.push({ name, of, isView });
    return of;
  }

  /** Where there are tabs, shows the panel; everywhere, moves the focus to it. */
  show(name: PanelName): void {
    this.mark(name);
    this.app.state.panel = name;
    this.app.remember();
    this.sections.get(name)!.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  }

  private mark(shown: PanelName): void {
    const view = isDashboard(shown) ? shown : "market";
    this.element.dataset["view"] = view;
    for (const name of panels) this.sections.get(name)!.classList.toggle("shown", name === shown);
    for (const { name, of, isView } of this.buttons) {
      const isMarket = isView && name === "heatmap" && view === "market";
      of.setAttribute("aria-current", String(isMarket || name === shown));
    }
  }
}
