// What is seen, as files.
import { h } from "./dom.js";

export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: name }).click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function downloadCsv(name: string, head: string[], rows: (string | number)[][]): void {
  const lines = [head, ...rows].map((row) => row.join(","));
  download(name, new Blob([`${lines.join("\n")}\n`], { type: "text/csv" }));
}

/** Canvases on top of each other, as one picture. */
export function downloadPng(name: string, background: string, layers: HTMLCanvasElement[]): void {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(...layers.map((layer) => layer.width));
  canvas.height = Math.max(...layers.map((layer) => layer.height));
  const context = canvas.getContext("2d")!;
  context.fillStyle = background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const layer of layers) context.drawImage(layer, 0, 0);
  canvas.toBlob((blob) => blob && download(name, blob), "image/png");
}
