import { randomBytes } from 'node:crypto';
import type { ProfileName } from '../driver/jobs.ts';
import { origin, rpId } from './identity.ts';
import type { Scenario } from './scenarios.ts';

export interface Contender {
  name: string;
  /** The program in servers/ and its arguments. */
  server: string;
  args: string[];
  profile: ProfileName;
  /** Contenders with the same value share a database and its users. */
  database: string;
  scenarios: readonly Scenario[];
  env: Record<string, string>;
}

const everything: readonly Scenario[] = [
  'session check',
  'role-guarded check',
  'login',
  'signup',
  'mixed',
  'password login',
];
const secret = () => randomBytes(32).toString('base64url');

const betterAuthEnv = { BETTER_AUTH_SECRET: secret() };
const betterAuth = (configuration: string, scenarios: readonly Scenario[]): Contender => ({
  name: configuration === 'default' ? 'Better Auth' : `Better Auth, ${configuration.replace('-', ' ')}`,
  server: 'better-auth',
  args: [configuration],
  profile: 'betterAuth',
  database: 'better_auth',
  scenarios,
  env: betterAuthEnv,
});

export const latchkey: Contender = {
  name: 'Latchkey',
  server: 'latchkey',
  args: [],
  profile: 'latchkey',
  database: 'latchkey',
  scenarios: [...everything, 'recovery use'],
  env: {
    WEBAUTHN_RP_ID: rpId,
    WEBAUTHN_RP_ORIGIN: origin,
    JWT_SECRET: secret(),
    RATE_LIMIT: 'off',
    TRUST_PROXY: '1',
    // Creating recovery codes needs fresh authentication. Users sign up before the first round and still create codes
    // in the last round.
    REAUTHENTICATION_WINDOW: '86400',
  },
};
const express: Contender = {
  name: 'Express stack',
  server: 'express',
  args: [],
  profile: 'express',
  database: 'express',
  scenarios: everything,
  env: { SESSION_SECRET: secret() },
};
export const koaAlone: Contender = {
  name: 'Koa alone',
  server: 'koa',
  args: ['alone'],
  profile: 'koa',
  database: 'koa',
  scenarios: ['session check'],
  env: {},
};
const koaSelect: Contender = {
  ...koaAlone,
  name: 'Koa + one SELECT',
  args: ['select'],
  scenarios: ['role-guarded check'],
};

/** The contenders with accounts, in the order of the tables in the report. */
export const contenders: readonly Contender[] = [
  latchkey,
  betterAuth('default', everything),
  betterAuth('cookie-cache', ['session check']),
  betterAuth('joins', ['session check', 'role-guarded check', 'login', 'signup']),
  express,
];
export const limits: readonly Contender[] = [koaAlone, koaSelect];

/** Only verifies assertions. This is an upper bound for logins. */
export const verificationAlone = 'Verification alone';
export const isBetterAuth = (name: string): boolean => name.startsWith('Better Auth');
