import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The last run of one target. */
export interface TargetResult {
  target: string;
  /** When the run began, in RFC 3339. */
  at: string;
  seed: number;
  executions: number;
  seconds: number;
  /** The code of Latchkey, SimpleWebAuthn and tiny-cbor that the inputs reached. */
  coverage: { functions: number; characters: number };
  /** The inputs in the corpus, besides the seeds. */
  inputs: number;
  findings: number;
}

interface Results {
  campaign: 'fuzz';
  command: string;
  at: string;
  /** The commit that was tested. */
  version: string;
  executions: number;
  seconds: number;
  findings: number;
  targets: TargetResult[];
}

const path = 'tests/evidence/results/fuzz.json';

/** Replaces the result of one target in the file of results. */
export function writeResults(result: TargetResult, version: string): void {
  const before: TargetResult[] = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).targets : [];
  const targets = [...before.filter(({ target }) => target !== result.target), result].sort((a, b) =>
    a.target < b.target ? -1 : 1,
  );
  const sum = (of: (one: TargetResult) => number) => targets.reduce((total, one) => total + of(one), 0);
  const results: Results = {
    campaign: 'fuzz',
    command: 'npm run fuzz -- --minutes 5',
    at: result.at,
    version,
    executions: sum(({ executions }) => executions),
    seconds: sum(({ seconds }) => seconds),
    findings: sum(({ findings }) => findings),
    targets,
  };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
}
