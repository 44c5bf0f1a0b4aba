import { failoverTables } from './evidence-failover.ts';
import {
  type AuditOrder,
  count,
  type Failover,
  type FuzzCampaign,
  type InterleavingMutants,
  type Interleavings,
  type Measured,
  type ReadResults,
  readResults,
  type Soak,
  type Webhooks,
} from './evidence-results.ts';
import { vectorTable } from './evidence-vectors.ts';
import { code, table } from './markdown.ts';

const secondsIn = { minute: 60, hour: 3600 };

function duration(seconds: number): string {
  if (seconds >= secondsIn.hour) return `${(seconds / secondsIn.hour).toFixed(1)} h`;
  return seconds >= secondsIn.minute ? `${Math.round(seconds / secondsIn.minute)} min` : `${seconds} s`;
}

/** One campaign: what it tries, the command to run it, and a description of its last results. */
interface Campaign<Results extends Measured> {
  name: string;
  title: string;
  /** The command, if no run is recorded. Otherwise, the file of results contains the command. */
  command: string;
  tried(results: Results): string;
  result(results: Results): string;
}

/** `5`, or `4 of 5` if the campaign has not tried all. */
const outOf = (tried: number, planned: number): string =>
  tried === planned ? count(tried) : `${count(tried)} of ${count(planned)}`;

const interleavings: Campaign<Interleavings> = {
  name: 'interleavings',
  title: 'Every order of the statements of two requests',
  command: 'npm run interleavings',
  tried: ({ operations, planned, tried, schedules, overlapped, faults }) => {
    const of = (kind: keyof typeof planned) => outOf(tried[kind], planned[kind]);
    return [
      `${count(operations)} operations, ${of('pairs')} pairs`,
      `${of('chains')} chains of two operations with a third one`,
      ...(planned.triples > 0 ? [`${of('triples')} groups of three operations`] : []),
      `${of('bootstraps')} pairs with a bootstrap`,
      `${of('caches')} operations with a second instance`,
      `${count(schedules)} schedules, of which ${count(overlapped)} with overlapping statements`,
      `${count(faults)} with a failed write`,
    ].join(', ');
  },
  result: ({ unexplained, acceptedByReason }) =>
    `${count(unexplained.length)} unexplained deviations, ` +
    `${count(Object.values(acceptedByReason).reduce((sum, one) => sum + one, 0))} accepted deviations`,
};

const planted: Campaign<InterleavingMutants> = {
  name: 'interleavings-mutants',
  title: 'Defects planted in the code, for the interleavings to notice',
  command: 'npm run interleavings -- --mutants',
  tried: ({ planned, tried }) => `${outOf(tried, planned)} defects`,
  result: ({ tried, caught, equivalent }) =>
    `${count(caught)} noticed, ${count(equivalent)} without effect, ${count(tried - caught - equivalent)} missed`,
};

const fuzzing: Campaign<FuzzCampaign> = {
  name: 'fuzz',
  title: 'Changed inputs for the code that reads untrusted bytes',
  command: 'npm run fuzz -- --minutes 8',
  tried: ({ targets, executions, seconds }) =>
    `${count(targets.length)} targets, ${count(executions)} inputs in ${duration(seconds)}, over all runs`,
  result: ({ findings }) => `${count(findings)} crashes, hangs or contradictions`,
};

const failover: Campaign<Failover> = {
  name: 'failover',
  title: 'Failures of PostgreSQL, Redis and the proxy under load',
  command: 'npm run campaign -- failover --rounds=20',
  tried: ({ steps, rounds, requests, acknowledged }) =>
    `${count(steps.length)} steps, ${count(rounds)} rounds, ${count(requests)} requests, ` +
    `${count(acknowledged)} acknowledged mutations`,
  result: ({ lost, recordedTwice, acceptedLateMs, violations }) =>
    `${count(lost)} mutations lost, ${count(recordedTwice)} recorded twice, ended sessions accepted for at most ` +
    `${count(acceptedLateMs)} ms, ${count(violations.length)} violations`,
};

const asynchronous: Campaign<Failover> = {
  ...failover,
  name: 'failover-asynchronous',
  title: 'The same with asynchronous replication, to show what it loses',
  command: 'npm run campaign -- failover --asynchronous',
};

const soak: Campaign<Soak> = {
  name: 'soak',
  title: 'Mixed load with faults, while memory, open files, connections and tables are measured',
  command: 'npm run campaign -- soak --minutes=60',
  tried: ({ seconds, requests, faults, findings }) =>
    `${duration(seconds)}, ${count(requests)} requests, ` +
    `${count(Object.values(faults).reduce((sum, one) => sum + one, 0))} faults, ${count(findings.length)} measures`,
  result: ({ findings }) => {
    const growing = findings.filter(({ isFlat }) => isFlat === false).map(({ measure }) => measure);
    const tooShort = findings.filter(({ isFlat }) => isFlat === null).length;
    const notJudged = tooShort === 0 ? '' : `; the run was too short to judge ${count(tooShort)} of them`;
    return `${growing.length === 0 ? 'no measure grows' : `grows: ${growing.join(', ')}`}${notJudged}`;
  },
};

const auditOrder: Campaign<AuditOrder> = {
  name: 'audit-order',
  title: 'Killed sequencers of the audit log, a failover and a restored dump',
  command: 'npm run campaign -- audit-order',
  tried: ({ kills, checks }) => `${count(kills)} kills, ${count(checks.at(-1)?.events ?? 0)} events`,
  result: ({ checks }) => `${count(checks.flatMap(({ faults }) => faults).length)} faults in the order`,
};

const webhooks: Campaign<Webhooks> = {
  name: 'webhooks',
  title: 'A killed sender of webhooks',
  command: 'npm run campaign -- webhooks --kills=100',
  tried: ({ kills, events, requests }) =>
    `${count(kills)} kills, ${count(events)} events, ${count(requests)} requests`,
  result: ({ missing, outOfOrder, invalidSignatures }) =>
    `${count(missing)} events missing, ${count(outOfOrder)} out of order, ` +
    `${count(invalidSignatures)} invalid signatures`,
};

function rowOf<Results extends Measured>(campaign: Campaign<Results>, read: ReadResults): string[] {
  const { name, title, command, tried, result } = campaign;
  const results = read<Results>(name);
  if (results === null) return [title, 'not run', '', '', code(command)];
  return [title, tried(results), result(results), results.at.slice(0, 10), code(results.command)];
}

const campaignTable = (read: ReadResults): string =>
  table(
    ['What', 'How often', 'Result', 'Last run', 'Command'],
    [
      rowOf(interleavings, read),
      rowOf(planted, read),
      rowOf(fuzzing, read),
      rowOf(failover, read),
      rowOf(asynchronous, read),
      rowOf(soak, read),
      rowOf(auditOrder, read),
      rowOf(webhooks, read),
    ],
  );

function acceptedTable(read: ReadResults): string {
  const results = read<Interleavings>('interleavings');
  if (results === null) return 'The campaign of the interleavings has not run.';
  return table(
    ['Accepted deviation', 'Groups of operations'],
    Object.entries(results.acceptedByReason).map(([reason, groups]) => [reason, count(groups)]),
  );
}

function fuzzTable(read: ReadResults): string {
  const results = read<FuzzCampaign>('fuzz');
  if (results === null) return 'The fuzzer has not run.';
  return table(
    ['Target', 'Runs', 'Time', 'Inputs', 'Functions reached', 'Findings'],
    results.targets.map(({ target, runs, seconds, executions, coverage, findings }) => [
      code(target),
      count(runs.length),
      duration(seconds),
      count(executions),
      count(coverage.functions),
      count(findings),
    ]),
  );
}

/** The generated parts of docs/evidence.md. */
export const evidenceParts = (read = readResults): Record<string, string> => ({
  campaigns: campaignTable(read),
  'accepted-deviations': acceptedTable(read),
  fuzzing: fuzzTable(read),
  ...failoverTables(read),
  vectors: vectorTable(),
});
