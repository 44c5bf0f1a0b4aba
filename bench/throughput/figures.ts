import { median } from 'simple-statistics';
import type { Sample } from './rounds.ts';
import type { Scenario } from './scenarios.ts';

/** The rounds of one contender in one scenario with this many connections. */
export interface Figure {
  scenario: Scenario;
  contender: string;
  connections: number;
  perSecond: Spread;
  p50: Spread;
  p99: Spread;
  /** Medians. Null if the system does not report the value. */
  driverBusy: number | null;
  serverBusy: number | null;
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function figuresOf(samples: Sample[]): Figure[] {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const name = JSON.stringify([sample.scenario, sample.connections, sample.contender]);
    groups.set(name, [...(groups.get(name) ?? []), sample]);
  }
  return [...groups.values()].map((group) => {
    const { scenario, contender, connections } = group[0] as Sample;
    return {
      scenario,
      contender,
      connections,
      perSecond: spreadOf(group.map(({ perSecond }) => perSecond)),
      p50: spreadOf(group.map(({ p50 }) => p50)),
      p99: spreadOf(group.map(({ p99 }) => p99)),
      driverBusy: medianOrNull(group.map(({ driverBusy }) => driverBusy)),
      serverBusy: medianOrNull(group.map(({ serverBusy }) => serverBusy)),
    };
  });
}

const spreadOf = (values: number[]): Spread => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});

function medianOrNull(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median(known);
}
