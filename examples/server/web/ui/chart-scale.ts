/** The steps of a vertical axis: round numbers from 0 to at least the largest value. */
export function axisSteps(largest: number, steps = 4): number[] {
  const rough = Math.max(largest, steps) / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 2.5, 5, 10]
      .map((factor) => factor * power)
      .find((size) => size >= rough && Number.isInteger(size)) ?? 10 * power;
  const count = Math.max(1, Math.ceil(largest / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** The number of bars for each label below the axis, so that labels do not overlap. */
export const labelEvery = (bars: number, width: number, labelWidth = 64): number =>
  Math.max(1, Math.ceil(bars / Math.max(1, Math.floor(width / labelWidth))));
