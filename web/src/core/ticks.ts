// Where the ticks of an axis are: round numbers, times of a clock, or powers of ten.

/** At most `most` round numbers from `from` to `until`; steps are 1, 2 or 5 times a power of 10. */
export function ticks(from: number, until: number, most: number, least = 1): number[] {
  const wanted = Math.max((until - from) / Math.max(1, most), least);
  const decade = 10 ** Math.floor(Math.log10(wanted));
  const step = decade * [1, 2, 5, 10].find((factor) => decade * factor >= wanted * 0.999)!;
  const first = Math.ceil(from / step) * step;
  return Array.from(
    { length: Math.max(0, Math.floor((until - first) / step) + 1) },
    (_, i) => first + i * step,
  );
}

const timeSteps = [
  0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400,
].map((seconds) => seconds * 1e9);

/** The same for times of day: steps are those of a clock. */
export function timeTicks(
  from: number,
  until: number,
  most: number,
): { step: number; at: number[] } {
  const step = timeSteps.find((ns) => (until - from) / ns <= most) ?? timeSteps.at(-1)!;
  const first = Math.ceil(from / step) * step;
  const count = Math.max(0, Math.floor((until - first) / step) + 1);
  return { step, at: Array.from({ length: count }, (_, i) => first + i * step) };
}

/** 1, 2 and 5 times the powers of 10 between two numbers above zero; only the powers if there are more than `most`. */
export function logTicks(from: number, until: number, most: number): number[] {
  const all: number[] = [];
  for (let decade = 10 ** Math.floor(Math.log10(from)); decade <= until; decade *= 10)
    for (const factor of [1, 2, 5]) all.push(decade * factor);
  const seen = all.filter((one) => one >= from && one <= until);
  if (seen.length <= most) return seen;
  const powers = seen.filter((one) => Number.isInteger(Math.round(Math.log10(one) * 1e6) / 1e6));
  const each = Math.ceil(powers.length / Math.max(1, most));
  return powers.filter((_, i) => i % each === 0);
}
