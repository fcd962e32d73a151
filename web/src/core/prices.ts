// Prices are integers of 1/10,000, as in the feed: equal prices compare equal.

export const unitsPerPrice = 10_000;

export function toUnits(price: number): number {
  return Math.round(price * unitsPerPrice);
}

/** Two decimals, or four where the price or the step between prices needs them. */
export function formatPrice(units: number, step = 0): string {
  const digits = units % 100 === 0 && step % 100 === 0 ? 2 : 4;
  return (units / unitsPerPrice).toFixed(digits);
}

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export function formatQuantity(quantity: number): string {
  return grouped.format(quantity);
}

/** At most four characters of digits: 950, 12.3k, 4.56M. */
export function formatShort(value: number): string {
  const size = Math.abs(value);
  if (size < 1_000) return String(Math.round(value * 10) / 10);
  for (const [unit, suffix] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ] as const)
    if (size >= unit) return `${(value / unit).toPrecision(3)}${suffix}`;
  return String(value);
}

/** The largest step of which all differences between the prices are multiples; at least `least`. */
export function commonStep(prices: Iterable<number>, least: number): number {
  let step = 0;
  let first: number | undefined;
  for (const price of prices) {
    first ??= price;
    let [a, b] = [step, Math.abs(price - first)];
    while (b > 0) [a, b] = [b, a % b];
    step = a;
  }
  return Math.max(step, least);
}
