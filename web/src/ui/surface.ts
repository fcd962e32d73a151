// What a chart is drawn on: a canvas, or an SVG document of the same picture.
import { fitCanvas, type Size } from "./dom.js";

export type Align = "left" | "center" | "right";

export interface Surface {
  width: number;
  height: number;
  rect(x: number, y: number, width: number, height: number, fill: string, opacity?: number): void;
  line(points: [number, number][], stroke: string, isDashed?: boolean): void;
  text(x: number, y: number, text: string, fill: string, align?: Align): void;
}

/** What only charts with axes need. */
export interface PlotSurface extends Surface {
  /** Between a line and a level. */
  area(points: [number, number][], base: number, fill: string, opacity: number): void;
  circle(x: number, y: number, radius: number, fill: string, opacity?: number): void;
}

const dashes = [5, 3];

export const chartFont = "11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";

export function canvasSurface(canvas: HTMLCanvasElement, size: Size): PlotSurface {
  const { width, height } = size;
  fitCanvas(canvas, size);
  const context = canvas.getContext("2d")!;
  const scale = window.devicePixelRatio;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = chartFont;
  context.textBaseline = "middle";
  return {
    width,
    height,
    rect(x, y, w, h, fill, opacity = 1) {
      context.globalAlpha = opacity;
      context.fillStyle = fill;
      context.fillRect(x, y, w, h);
      context.globalAlpha = 1;
    },
    line(points, stroke, isDashed = false) {
      context.strokeStyle = stroke;
      context.lineWidth = 1.5;
      context.lineJoin = "round";
      context.setLineDash(isDashed ? dashes : []);
      context.beginPath();
      for (const [x, y] of points) context.lineTo(x, y);
      context.stroke();
    },
    area(points, base, fill, opacity) {
      context.globalAlpha = opacity;
      context.fillStyle = fill;
      context.beginPath();
      context.moveTo(points[0]![0], base);
      for (const [x, y] of points) context.lineTo(x, y);
      context.lineTo(points.at(-1)![0], base);
      context.fill();
      context.globalAlpha = 1;
    },
    circle(x, y, radius, fill, opacity = 1) {
      context.globalAlpha = opacity;
      context.fillStyle = fill;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
      context.globalAlpha = 1;
    },
    text(x, y, text, fill, align = "left") {
      context.fillStyle = fill;
      context.textAlign = align;
      context.fillText(text, x, y);
    },
  };
}

export interface SvgSurface extends Surface {
  document(): string;
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const round = (value: number) => String(Math.round(value * 100) / 100);

export function svgSurface(width: number, height: number): SvgSurface {
  const parts: string[] = [];
  const anchors = { left: "start", center: "middle", right: "end" };
  return {
    width,
    height,
    rect(x, y, w, h, fill, opacity = 1) {
      parts.push(
        `<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" ` +
          `fill="${fill}"${opacity < 1 ? ` opacity="${opacity}"` : ""}/>`,
      );
    },
    line(points, stroke) {
      const path = points.map(([x, y]) => `${round(x)},${round(y)}`).join(" ");
      parts.push(`<polyline points="${path}" fill="none" stroke="${stroke}" stroke-width="1.5"/>`);
    },
    text(x, y, text, fill, align = "left") {
      parts.push(
        `<text x="${round(x)}" y="${round(y)}" fill="${fill}" ` +
          `text-anchor="${anchors[align]}" dominant-baseline="central">${escaped(text)}</text>`,
      );
    },
    document: () =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
      `font-family="monospace" font-size="11">\n${parts.join("\n")}\n</svg>\n`,
  };
}
