// The events of a kept run's timeline, to go to.
import type { TimelineEntry } from "../../core/api.js";
import { formatTime } from "../../core/time.js";
import { h } from "../../ui/dom.js";

export class EventList {
  readonly element = h("select", { "aria-label": "Go to an event", hidden: true });
  private entries: TimelineEntry[] = [];

  constructor(chosen: (timeNs: number) => void) {
    this.element.addEventListener("change", () => {
      const entry = this.entries[this.element.selectedIndex - 1];
      this.element.selectedIndex = 0;
      if (entry) chosen(entry.time_ns);
    });
  }

  show(entries: TimelineEntry[]): void {
    this.entries = entries;
    this.element.hidden = entries.length === 0;
    this.element.replaceChildren(
      h("option", { text: "Events" }),
      ...entries.map(({ time_ns, event }) =>
        h("option", { text: `${formatTime(time_ns)} ${event.replaceAll("_", " ")}` }),
      ),
    );
  }
}
