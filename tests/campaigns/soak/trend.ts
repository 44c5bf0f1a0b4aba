/** A measured value at a time in seconds. */
export interface Sample {
  readonly at: number;
  readonly value: number;
}

export interface Trend {
  readonly mean: number;
  /** The growth between the first and the last sample, on the line that fits the samples best (least squares). */
  readonly growth: number;
  /** The growth is larger than this with a probability of about 97.5 %. */
  readonly leastGrowth: number;
}

/** Fits a line to the samples. */
export function trendOf(samples: readonly Sample[]): Trend {
  const count = samples.length;
  if (count < 3) throw new Error('a trend needs at least three samples');
  const mean = average(samples.map(({ value }) => value));
  const middle = average(samples.map(({ at }) => at));
  const spread = sum(samples.map(({ at }) => (at - middle) ** 2));
  const slope = sum(samples.map(({ at, value }) => (at - middle) * (value - mean))) / spread;
  const residuals = samples.map(({ at, value }) => value - mean - slope * (at - middle));
  const error = Math.sqrt(sum(residuals.map((residual) => residual ** 2)) / (count - 2) / spread);
  const times = samples.map(({ at }) => at);
  const seconds = Math.max(...times) - Math.min(...times);
  return { mean, growth: slope * seconds, leastGrowth: (slope - 2 * error) * seconds };
}

/** Whether the samples do not grow by more than the allowed part of their mean, and not by more than the allowance. */
export function isFlat({ mean, leastGrowth }: Trend, allowedPart: number, allowance: number): boolean {
  return leastGrowth <= mean * allowedPart + allowance;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const average = (values: readonly number[]): number => sum(values) / values.length;
