import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** One run of one target. */
export interface Run {
  /** When the run began, in RFC 3339. */
  at: string;
  /** The commit that was tested. */
  version: string;
  seed: number;
  executions: number;
  seconds: number;
  findings: number;
}

/** What the last run of a target ended with. */
export interface Reached {
  /** The code of Latchkey, SimpleWebAuthn and tiny-cbor that the inputs reached. */
  coverage: { functions: number; characters: number };
  /** The inputs in the corpus, besides the seeds. */
  inputs: number;
}

/** All runs of one target. The corpus stays, so each run continues where the run before it ended. */
interface TargetResult extends Reached {
  target: string;
  executions: number;
  seconds: number;
  findings: number;
  runs: Run[];
}

interface Results {
  campaign: 'fuzz';
  /** Fuzzes each target in one run for as long as all its runs took together. */
  command: string;
  /** When the last run began. */
  at: string;
  /** The commit that the last run tested. */
  version: string;
  executions: number;
  seconds: number;
  findings: number;
  targets: TargetResult[];
}

const path = 'tests/evidence/results/fuzz.json';

/** Adds a run of one target to the file of results. */
export function addRun(target: string, run: Run, reached: Reached): void {
  const before: TargetResult[] = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).targets : [];
  const runs = [...(before.find((one) => one.target === target)?.runs ?? []), run];
  const targets = [
    ...before.filter((one) => one.target !== target),
    { target, ...totals(runs), ...reached, runs },
  ].sort((a, b) => (a.target < b.target ? -1 : 1));
  const minutesPerTarget = totals(targets).seconds / 60 / targets.length;
  const results: Results = {
    campaign: 'fuzz',
    command: `npm run fuzz -- --minutes ${Math.round(minutesPerTarget)}`,
    at: run.at,
    version: run.version,
    ...totals(targets),
    targets,
  };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
}

function totals(parts: readonly Pick<Run, 'executions' | 'seconds' | 'findings'>[]) {
  const sum = (of: 'executions' | 'seconds' | 'findings') =>
    parts.reduce((total, part) => total + part[of], 0);
  return { executions: sum('executions'), seconds: sum('seconds'), findings: sum('findings') };
}
