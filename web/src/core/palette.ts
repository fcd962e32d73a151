// Colours of quantities: lightness grows evenly with the value, along a path through OKLab, so that
// equal steps look equal, also to the colour-blind.

export type Theme = "light" | "dark";

/** Lightness, chroma and hue (degrees) at even distances. */
const paths: Record<Theme, [number, number, number][]> = {
  dark: [
    [0.17, 0.02, 260],
    [0.3, 0.075, 265],
    [0.42, 0.1, 250],
    [0.55, 0.105, 215],
    [0.68, 0.11, 185],
    [0.81, 0.115, 150],
    [0.95, 0.12, 105],
  ],
  light: [
    [0.985, 0.003, 250],
    [0.91, 0.03, 220],
    [0.81, 0.065, 215],
    [0.7, 0.09, 225],
    [0.58, 0.11, 240],
    [0.45, 0.115, 258],
    [0.29, 0.09, 270],
  ],
};

function srgb(lightness: number, chroma: number, hue: number): number[] {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((value) => {
    const bounded = Math.min(1, Math.max(0, value));
    return bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055;
  });
}

/** 256 colours of four bytes. */
export function palette(theme: Theme): Uint8Array {
  const path = paths[theme];
  const bytes = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) {
    const place = (i / 255) * (path.length - 1);
    const from = Math.min(path.length - 2, Math.floor(place));
    const part = place - from;
    const [lightness, chroma, hue] = [0, 1, 2].map(
      (k) => path[from]![k]! * (1 - part) + path[from + 1]![k]! * part,
    );
    const colour = srgb(lightness!, chroma!, hue!);
    bytes.set([...colour.map((value) => Math.round(value * 255)), 255], i * 4);
  }
  return bytes;
}
