// What the market file of a kept run plans, over the heatmap: a line where it begins, a bar on top
// while it lasts, and its name.
import type { TimelineEntry } from "../../core/api.js";
import { colour } from "../../ui/dom.js";
import { chartFont } from "../../ui/surface.js";
import type { HeatmapView } from "./window.js";

export function drawTimeline(
  context: CanvasRenderingContext2D,
  view: HeatmapView,
  entries: TimelineEntry[],
): void {
  context.font = chartFont;
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const entry of entries) {
    const begin = Math.round(view.xOf(entry.time_ns));
    const end = Math.min(view.width, view.xOf(entry.end_ns ?? entry.time_ns));
    if (end < 0 || begin >= view.width) continue;
    context.fillStyle = colour("accent");
    if (begin >= 0) context.fillRect(begin, 0, 1, view.height);
    context.fillRect(Math.max(0, begin), 0, Math.max(2, end - Math.max(0, begin)), 3);
    const text = entry.event.replaceAll("_", " ");
    const width = context.measureText(text).width + 10;
    const x = Math.max(0, Math.min(begin, view.width - width));
    context.fillRect(x, 0, width, 17);
    context.fillStyle = colour("panel");
    context.fillText(text, x + 5, 9);
  }
}
