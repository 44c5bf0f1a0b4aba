import { verifyServiceToken } from 'latchkey/service-token';
import { vi } from 'vitest';
import { runtimeOf } from '../../../src/service/auth-service.ts';
import { removeExpired } from '../../../src/service/housekeeping.ts';
import { deleteAccount, found, invite, inviteTo, signUpAs } from '../../features/support/authority.ts';
import { isFresh, isSignedIn } from '../../features/support/current-session.ts';
import {
  createImpersonationLink,
  superadminAs,
  useImpersonationLink,
} from '../../features/support/impersonation.ts';
import { preview } from '../../features/support/invitations.ts';
import { previewLink } from '../../features/support/organization-invitations.ts';
import {
  createLink,
  signUpWithCodes,
  startRecovering,
  useCode,
  useLink,
} from '../../features/support/recovery.ts';
import type { Answer } from '../../support/agent.ts';
import { logIn, newAuthenticator, newUsername, type Person, signUp } from '../../support/person.ts';
import { sequence } from '../../support/sequencing.ts';
import { serviceSigningKeyOf } from '../../support/service-signing-key.ts';
import { origin, secret, type TestService } from '../../support/test-service.ts';
import type { World } from './world.ts';

/** Something that the documentation promises to end. */
export interface Lifetime {
  name: string;
  seconds: number;
  /** Which clock decides. */
  clock: 'database' | 'process';
  /** Creates it. Returns a function that says whether it still works. */
  open(world: World): Promise<() => Promise<boolean>>;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const works = async (answer: Promise<Answer>): Promise<boolean> => (await answer).status < 300;
/** The helpers of the features need only the parts that a world has. */
const serviceOf = (world: World) => world as unknown as TestService;

/** The options of the service whose lifetimes these are. */
export const options = {
  bcryptCost: 4,
  impersonation: true,
  recoveryCodeExpiryDays: 30,
  deletedUsernameReleaseDays: 60,
  auditRetentionDays: 90,
  tokenAudiences: ['orders'],
  sessionLifetimes: { admin: { ttlSeconds: day, idleSeconds: day } },
};

async function enterAs(world: World, role: 'admin' | 'superadmin'): Promise<Person> {
  const person = await signUpAs(serviceOf(world), role);
  const browser = world.browser();
  await logIn(browser, person.authenticator);
  return { ...person, browser };
}

/** Deletes what has expired, as the background job of a service does it. */
async function clean(world: World): Promise<void> {
  await sequence(world.database.sql);
  await removeExpired(runtimeOf(world.auth));
}

/** Verifies a service token in a service whose clock is the clock of the process. */
async function isValidToken(world: World, token: string): Promise<boolean> {
  const { x, kid } = serviceSigningKeyOf(secret);
  const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid }] };
  vi.useFakeTimers({ toFake: ['Date'], now: world.now() });
  const code = await verifyServiceToken(token, {
    issuer: origin,
    audience: 'orders',
    jwks,
    clockToleranceSeconds: 0,
  }).then(
    () => null,
    (error) => error.code,
  );
  vi.useRealTimers();
  if (code !== null && code !== 'token_expired') throw new Error(`the token is refused: ${code}`);
  return code === null;
}

export const lifetimes: readonly Lifetime[] = [
  {
    name: 'a session without a request',
    seconds: 7 * day,
    clock: 'database',
    open: async (world) => {
      const { browser } = await signUp(world);
      return () => isSignedIn(browser);
    },
  },
  {
    name: 'a session of an admin',
    seconds: day,
    clock: 'database',
    open: async (world) => {
      const { browser } = await enterAs(world, 'admin');
      return () => isSignedIn(browser);
    },
  },
  {
    name: 'fresh authentication',
    seconds: 10 * minute,
    clock: 'database',
    open: async (world) => {
      const { browser } = await signUp(world);
      return () => isFresh(browser);
    },
  },
  {
    name: 'the challenge of a sign-in',
    seconds: 5 * minute,
    clock: 'process',
    open: async (world) => {
      const { authenticator } = await signUp(world);
      const browser = world.browser();
      const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
      const credential = await authenticator.get(options);
      return () => works(browser.post('/auth/passkey/login/verify', { credential }));
    },
  },
  {
    name: 'the challenge of a sign-up',
    seconds: 5 * minute,
    clock: 'process',
    open: async (world) => {
      const browser = world.browser();
      const { options } = (await browser.post('/auth/passkey/register/start', { username: newUsername() }))
        .body;
      const credential = await newAuthenticator().create(options);
      return () => works(browser.post('/auth/passkey/register/verify', { credential }));
    },
  },
  {
    name: 'a recovery link',
    seconds: hour,
    clock: 'database',
    open: async (world) => {
      const { token } = await createLink(world, await signUp(world));
      return () => works(useLink(world.browser(), token));
    },
  },
  {
    name: 'a recovery session',
    seconds: hour,
    clock: 'database',
    open: async (world) => {
      const { browser } = await startRecovering(world);
      return () => isSignedIn(browser);
    },
  },
  {
    name: 'recovery codes',
    seconds: 30 * day,
    clock: 'database',
    open: async (world) => {
      const { person, codes } = await signUpWithCodes(world);
      return () => works(useCode(world.browser(), person, codes[0]));
    },
  },
  {
    name: 'an admin invitation',
    seconds: 72 * hour,
    clock: 'database',
    open: async (world) => {
      const token = await invite((await enterAs(world, 'superadmin')).browser);
      return () => works(preview(world.browser(), token));
    },
  },
  {
    name: 'an organization invitation',
    seconds: 72 * hour,
    clock: 'database',
    open: async (world) => {
      const { browser } = await enterAs(world, 'superadmin');
      const { token } = (await inviteTo(browser, await found(browser), {})).body;
      return () => works(previewLink(world.browser(), token));
    },
  },
  {
    name: 'an impersonation link',
    seconds: 5 * minute,
    clock: 'database',
    open: async (world) => {
      const token = await createImpersonationLink(world, await signUp(world));
      return () => works(useImpersonationLink(world.browser(), token));
    },
  },
  {
    name: 'an impersonated session',
    seconds: hour,
    clock: 'database',
    open: async (world) => {
      const { browser } = await superadminAs(serviceOf(world), await signUp(world));
      return () => isSignedIn(browser);
    },
  },
  {
    name: 'the earlier secret of a webhook',
    seconds: day,
    clock: 'database',
    open: async (world) => {
      const { webhooks } = world.auth.asOperator('ops');
      const name = newUsername('hook').slice(0, 40);
      await webhooks.create({ name, url: 'https://example.com/hooks' });
      await webhooks.rotateSecret(name);
      return async () =>
        (await webhooks.list()).some((webhook) => webhook.name === name && webhook.rotatingUntil !== null);
    },
  },
  {
    name: 'a service token',
    seconds: 5 * minute,
    clock: 'process',
    open: async (world) => {
      const { browser } = await signUp(world);
      const { token } = (await browser.post('/auth/session/token')).body;
      return () => isValidToken(world, token);
    },
  },
  {
    name: 'the username of a deleted account',
    seconds: 60 * day,
    clock: 'database',
    open: async (world) => {
      const { username, browser } = await signUp(world);
      await deleteAccount(browser);
      return async () => {
        await clean(world);
        return !(await world.auth.users.checkAvailability(username)).available;
      };
    },
  },
  {
    name: 'an audit event',
    seconds: 90 * day,
    clock: 'database',
    open: async (world) => {
      const { username } = await signUp(world);
      return async () => {
        await clean(world);
        const rows = await world.database
          .sql`select from latchkey.audit_events where event = 'account.signup' and target_name = ${username}`;
        return rows.length === 1;
      };
    },
  },
];
