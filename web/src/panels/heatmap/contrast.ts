// How fast colours reach their brightest: steps that keys, and a choice for touch, go through.

export const contrasts = [0.25, 0.5, 1, 2, 4, 8] as const;
export type Contrast = (typeof contrasts)[number];

/** The step `by` places away, within the steps. */
export function stepContrast(from: Contrast, by: number): Contrast {
  const at = contrasts.indexOf(from) + by;
  return contrasts[Math.min(contrasts.length - 1, Math.max(0, at))]!;
}
