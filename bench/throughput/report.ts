import type { Figure, Spread } from './figures.ts';
import type { Installed } from './installed.ts';
import type { Machine } from './machine.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import type { Settings } from './settings.ts';
import type { StartUp } from './start-up.ts';
import type { Measured, Target } from './targets.ts';

export interface Results extends Measured {
  machine: Machine;
  settings: Settings;
  targets: Target[];
  driver: { answersPerSecond: number; signaturesPerSecond: number };
  startUp: StartUp[];
  installed: Installed[];
}

/** Above this share, the driver is the bottleneck. */
const nearlyAll = 0.9;

/** Ratios come first, because they can be compared between machines. Absolute figures cannot. */
export function markdownOf(results: Results): string {
  return [
    '# Throughput',
    ...(results.settings.quick
      ? ['**A quick run, which only shows that the benchmark works. The figures mean nothing.**']
      : []),
    aboutMachine(results),
    '## Targets',
    table(
      ['', 'wanted', 'measured', ''],
      results.targets.map(({ what, wanted, measured, met }) => [
        what,
        wanted,
        measured.toFixed(2),
        met ? 'met' : '**short**',
      ]),
    ),
    ...scenarios.map((scenario) => figuresAlone(scenario, results.figures)),
    ...driverBound(results.figures),
    '## SQL round trips of one operation',
    table(
      ['', 'operation', 'median', 'most'],
      results.roundTrips.map((each) => [each.contender, each.scenario, `${each.median}`, `${each.most}`]),
    ),
    '## Revocation, memory, start',
    aboutRest(results),
    table(
      ['', 'ms to the first response', 'slowest'],
      results.startUp.map((each) => [each.contender, each.medianMs.toFixed(0), each.slowestMs.toFixed(0)]),
    ),
    ...(results.installed.length === 0
      ? []
      : [
          '## Installed',
          table(
            ['', 'packages', 'MB'],
            results.installed.map((each) => [each.contender, `${each.packages}`, each.megabytes.toFixed(1)]),
          ),
        ]),
  ].join('\n\n');
}

export const figuresAlone = (scenario: Scenario, figures: Figure[]): string =>
  [
    `## ${scenario[0]?.toUpperCase()}${scenario.slice(1)}`,
    tableOf(figures.filter((figure) => figure.scenario === scenario)),
  ].join('\n\n');

function aboutMachine({ machine, settings, driver }: Results): string {
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`);
  return [
    `${machine.date}. ${machine.processor}, ${machine.cores} cores, ${machine.memoryGigabytes} GB,`,
    `${machine.system}; Node ${machine.node}, ${machine.postgresql}; ${machine.pinned}.`,
    `${settings.rounds} rounds of ${settings.seconds} s each, ${settings.people} users, keep-alive.`,
    `The driver reaches ${count(driver.answersPerSecond)} answers and`,
    `${count(driver.signaturesPerSecond)} signatures per second.\n${versions.join(', ')}.`,
  ].join('\n');
}

function aboutRest({ revocation, memory }: Results): string {
  const held = memory.after.map(
    ({ requests, megabytes }) => `${megabytes.toFixed(0)} MB after ${count(requests)}`,
  );
  return [
    `After a session ends on one process, another process rejects it after ${revocation.p50.toFixed(2)} ms (p50),`,
    `${revocation.p99.toFixed(2)} ms (p99), ${revocation.slowest.toFixed(1)} ms at most of ${revocation.samples}.`,
    `Latchkey holds ${held.join(', ')} requests.`,
  ].join('\n');
}

function tableOf(figures: Figure[]): string {
  const ours = (connections: number) =>
    figures.find((each) => each.contender === 'Latchkey' && each.connections === connections);
  return table(
    [
      '',
      'connections',
      'Latchkey is',
      'per second',
      'min–max',
      'p50 ms',
      'p99 ms',
      'server busy',
      'server ms each',
      'driver busy',
    ],
    figures
      .toSorted((one, other) => one.connections - other.connections)
      .map((figure) => [
        figure.contender,
        `${figure.connections}`,
        `${((ours(figure.connections)?.perSecond.median ?? Number.NaN) / figure.perSecond.median).toFixed(2)} ×`,
        count(figure.perSecond.median),
        range(figure.perSecond),
        figure.p50.median.toFixed(2),
        figure.p99.median.toFixed(2),
        share(figure.serverBusy),
        eachOf(figure),
        share(figure.driverBusy),
      ]),
  );
}

function driverBound(figures: Figure[]): string[] {
  const bound = figures.filter(
    ({ driverBusy, serverBusy }) => (driverBusy ?? 0) > nearlyAll && (serverBusy ?? 0) < nearlyAll,
  );
  if (bound.length === 0) return [];
  const names = bound.map((each) => `${each.contender} (${each.scenario}, ${each.connections})`);
  return [`The driver limits these contenders, so they are faster than shown: ${names.join(', ')}.`];
}

const eachOf = ({ serverBusy, perSecond }: Figure) =>
  serverBusy === null ? '' : ((serverBusy * 1000) / perSecond.median).toFixed(3);
const count = (value: number) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1));
const range = ({ min, max }: Spread) => `${count(min)}–${count(max)}`;
const share = (value: number | null) => (value === null ? '' : `${Math.round(value * 100)} %`);

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
