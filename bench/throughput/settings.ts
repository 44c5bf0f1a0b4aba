import { parseArgs } from 'node:util';
import { type Scenario, scenarios } from './scenarios.ts';

export interface Settings {
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
  people: number;
  /** The number of recovery codes that are created before each measurement that uses them. */
  codes: number;
  revocations: number;
  starts: number;
  countedOperations: number;
  /** The numbers of requests after which memory is measured. */
  memoryAfter: [few: number, many: number];
  installs: boolean;
  quick: boolean;
  /** The only scenario to measure. Null for all. */
  only: Scenario | null;
  /** Whether servers write CPU profiles. */
  profile: boolean;
}

export function readSettings(): Settings {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'no-installs': { type: 'boolean', default: false },
      only: { type: 'string' },
      profile: { type: 'boolean', default: false },
    },
  });
  const byDefault = values.quick ? quick : full;
  return {
    ...byDefault,
    rounds: Number(values.rounds ?? byDefault.rounds),
    seconds: Number(values.seconds ?? byDefault.seconds),
    installs: byDefault.installs && !values['no-installs'],
    only: values.only === undefined ? null : scenarioOf(values.only),
    profile: values.profile,
  };
}

function scenarioOf(name: string): Scenario {
  const scenario = scenarios.find((each) => each === name);
  if (scenario) return scenario;
  throw new Error(`Unknown scenario --only=${name}. Use one of: ${scenarios.join(', ')}`);
}

const full: Settings = {
  rounds: 3,
  seconds: 3,
  warmUpSeconds: 1,
  people: 1000,
  codes: 10_000,
  revocations: 1000,
  starts: 5,
  countedOperations: 20,
  memoryAfter: [100_000, 1_000_000],
  installs: true,
  quick: false,
  only: null,
  profile: false,
};

/** Only checks that the benchmark works. The figures mean nothing. */
const quick: Settings = {
  rounds: 1,
  seconds: 0.3,
  warmUpSeconds: 0.1,
  people: 40,
  codes: 400,
  revocations: 200,
  starts: 1,
  countedOperations: 3,
  memoryAfter: [2000, 6000],
  installs: false,
  quick: true,
  only: null,
  profile: false,
};
