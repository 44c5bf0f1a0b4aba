/** The summary of a series of operations. */
export interface Summary {
  operations: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export function summaryOf(latencies: number[], elapsedMs: number): Summary {
  const sorted = Float64Array.from(latencies).sort();
  return {
    operations: sorted.length,
    perSecond: (sorted.length / elapsedMs) * 1000,
    p50: quantileOf(sorted, 0.5),
    p99: quantileOf(sorted, 0.99),
  };
}

/** Returns a percentile by the nearest-rank method. */
export const quantileOf = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
