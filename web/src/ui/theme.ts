// Light and dark: as the system says, unless the viewer chooses.
import type { App } from "./app.js";
import { forgetColours } from "./dom.js";

export class Theme {
  private readonly system = matchMedia("(prefers-color-scheme: light)");

  constructor(private readonly app: App) {
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  private get current(): "light" | "dark" {
    return this.app.state.theme ?? (this.system.matches ? "light" : "dark");
  }

  toggle(): void {
    this.app.state.theme = this.current === "light" ? "dark" : "light";
    this.app.remember();
    this.apply();
  }

  private apply(): void {
    document.documentElement.dataset["theme"] = this.current;
    forgetColours();
    this.app.onTheme.emit();
  }
}
