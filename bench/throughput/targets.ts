import type { Revocation } from '../driver/revocation.ts';
import { isBetterAuth, latchkey, verificationAlone } from './contenders.ts';
import type { Figure } from './figures.ts';
import type { Memory } from './memory.ts';
import type { RoundTrips } from './round-trips.ts';
import { connectionsFor, type Scenario, scenarios } from './scenarios.ts';

/** A target of the benchmark. Ratios compare medians at sixteen connections. */
export interface Target {
  what: string;
  wanted: string;
  measured: number;
  met: boolean;
}

export interface Measured {
  figures: Figure[];
  roundTrips: RoundTrips[];
  revocation: Revocation;
  memory: Memory;
}

const connections = 16;

export function targetsOf(measured: Measured): Target[] {
  const { figures, roundTrips, revocation, memory } = measured;
  const rate = (scenario: Scenario, isIt: (contender: string) => boolean) =>
    Math.max(
      ...figures
        .filter((figure) => figure.scenario === scenario && figure.connections === connections)
        .filter(({ contender }) => isIt(contender))
        .map(({ perSecond }) => perSecond.median),
    );
  const named = (name: string) => (contender: string) => contender === name;
  const ratio = (scenario: Scenario, against: (contender: string) => boolean) =>
    rate(scenario, named(latchkey.name)) / rate(scenario, against);
  const loginTrips = roundTrips.find(
    ({ contender, scenario }) => contender === latchkey.name && scenario === 'login',
  );
  return [
    atLeast('session check, relative to Koa alone', ratio('session check', named('Koa alone')), 0.6),
    atLeast('session check, relative to the fastest Better Auth', ratio('session check', isBetterAuth), 15),
    atLeast(
      'role-guarded check, relative to Koa + one SELECT',
      ratio('role-guarded check', named('Koa + one SELECT')),
      0.8,
    ),
    atLeast('login, relative to the fastest Better Auth', ratio('login', isBetterAuth), 5),
    atLeast('login, relative to the Express stack', ratio('login', named('Express stack')), 1.8),
    atLeast('login, relative to verification alone', ratio('login', named(verificationAlone)), 0.55),
    atMost('login, SQL round trips', loginTrips?.median ?? Number.NaN, 2),
    atLeast('signup, relative to the fastest Better Auth', ratio('signup', isBetterAuth), 4),
    ...tailTargets(figures),
    below('revocation on another process, p99 ms', revocation.p99, 50),
    atMost('resident memory after many requests, relative to a tenth of them', memory.ratio, 1.2),
  ];
}

/** Excludes the mixed load, because its slowest operations are of another kind than its median. */
function tailTargets(figures: Figure[]): Target[] {
  return scenarios
    .filter((scenario) => scenario !== 'mixed' && connectionsFor(scenario).includes(connections))
    .map((scenario) => {
      const figure = figures.find(
        (each) =>
          each.scenario === scenario && each.contender === latchkey.name && each.connections === connections,
      );
      return atMost(
        `${scenario}, p99 relative to p50`,
        figure ? figure.p99.median / figure.p50.median : Number.NaN,
        4,
      );
    });
}

const atLeast = (what: string, measured: number, least: number): Target => ({
  what,
  wanted: `≥ ${least}`,
  measured,
  met: measured >= least,
});
const atMost = (what: string, measured: number, most: number): Target => ({
  what,
  wanted: `≤ ${most}`,
  measured,
  met: measured <= most,
});
const below = (what: string, measured: number, bound: number): Target => ({
  what,
  wanted: `< ${bound}`,
  measured,
  met: measured < bound,
});
