import type { Check } from '../../../../cli/doctor/check.ts';
import { type Ended, runCommand, type Surroundings } from './command.ts';

/** What the doctor found. */
export interface Diagnosis extends Ended {
  faults: number;
  warnings: number;
  checks: Check[];
  /** The one check of that name. */
  check(name: string): Check | undefined;
}

/** An address where nothing listens. */
export const nowhere = 'postgresql://ada:open-sesame@127.0.0.1:9/shop';

/** Lets the doctor look at a database, or at none, in these settings. */
export async function examineWith(
  env: Record<string, string | undefined>,
  surroundings: Surroundings = {},
): Promise<Diagnosis> {
  const ended = await runCommand('doctor --json', {
    ...surroundings,
    env: { DATABASE_URL: nowhere, ...env },
  });
  const document = JSON.parse(ended.stdout);
  return {
    ...ended,
    ...document,
    check: (name) => document.checks.find((check: Check) => check.name === name),
  };
}

export const production = {
  NODE_ENV: 'production',
  WEBAUTHN_RP_ID: 'example.com',
  WEBAUTHN_RP_ORIGIN: 'https://example.com',
  BCRYPT_COST: '10',
};
