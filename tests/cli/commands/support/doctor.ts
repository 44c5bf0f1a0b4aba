import type { Check } from '../../../../cli/doctor/check.ts';
import { type Ended, runCommand, type Surroundings } from './command.ts';

/** The output of `latchkey doctor --json`. */
export interface Diagnosis extends Ended {
  errors: number;
  warnings: number;
  checks: Check[];
  /** The check with this name. */
  check(name: string): Check | undefined;
}

/** A database URL whose port refuses connections. */
export const nowhere = 'postgresql://ada:open-sesame@127.0.0.1:9/shop';

/** Runs the doctor with these settings. */
export async function examineWith(
  env: Record<string, string | undefined>,
  surroundings: Surroundings = {},
  flags = '',
): Promise<Diagnosis> {
  const ended = await runCommand(`doctor --json ${flags}`.trim(), {
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
