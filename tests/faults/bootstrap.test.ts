import { AuthError } from 'latchkey';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { usersPath } from '../features/support/authority.ts';
import { bootstrap, enroll, forgetEverybody, superadminRows } from '../features/support/bootstrapping.ts';
import { logInByPassword, password } from '../features/support/passwords.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  type BrokenServices,
  describeBroken,
  type Facts,
  type Outcome,
  type Prepare,
  startBrokenServices,
} from './support/broken-statements.ts';

let service: TestService;
let broken: BrokenServices;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  broken = await startBrokenServices(service);
});
afterAll(async () => {
  await broken.close();
  await service.close();
});

type Made = Awaited<ReturnType<typeof bootstrap>>;

/** Converts the operator's result or error to an HTTP status. */
const outcomeOf = async (making: Promise<Made>): Promise<Outcome> => {
  try {
    await making;
    return { status: 201, code: null, retryAfter: null };
  } catch (error) {
    if (!(error instanceof AuthError)) return { status: 500, code: null, retryAfter: null };
    return { status: error.status, code: error.code, retryAfter: error.headers['Retry-After'] ?? null };
  }
};

async function facts(): Promise<Facts> {
  const [counts] = await service.database.sql<Facts[]>`
    select (select count(*)::int from latchkey.users) as users,
      (select count(*)::int from latchkey.bootstrap) as bootstraps,
      (select count(*)::int from latchkey.recovery_links) as links,
      (select count(*)::int from latchkey.sessions) as sessions,
      (select string_agg(username, ',') from latchkey.users where role = 'superadmin') as superadmins,
      (select string_agg(token_hash, ',') from latchkey.recovery_links) as tokens,
      (select count(*)::int from latchkey.users where password_hash is not null) as passwords,
      (select count(*)::int from latchkey.audit_events
        where event = 'superadmin.bootstrap' and outcome = 'success') as written`;
  return counts ?? {};
}

const anyToken = { asymmetricMatch: (token: unknown) => typeof token === 'string' };
const written = (before: Facts) => ({ written: (before.written as number) + 1 });
const username = 'first-one';

const acts: Record<string, Prepare> = {
  async 'a bootstrap with a password'() {
    await forgetEverybody(service);
    return {
      act: (instance) => outcomeOf(bootstrap(instance, { username, password })),
      facts,
      change: (before) => ({
        ...{ users: 1, bootstraps: 1, superadmins: username, passwords: 1 },
        ...written(before),
      }),
      ...{ done: 201, again: 409 },
    };
  },
  async 'a bootstrap with a link'() {
    await forgetEverybody(service);
    return {
      act: (instance) => outcomeOf(bootstrap(instance, { username })),
      facts,
      change: (before) => ({
        ...{ users: 1, bootstraps: 1, superadmins: username, links: 1, tokens: anyToken },
        ...written(before),
      }),
      // The lost link is unused, so the bootstrap can be repeated.
      ...{ done: 201, again: 201 },
    };
  },
  async 'a repeated bootstrap'() {
    await forgetEverybody(service);
    await bootstrap(service, { username: 'zeroth-one' });
    return {
      act: (instance) => outcomeOf(bootstrap(instance, { username })),
      facts,
      change: (before) => ({ superadmins: username, tokens: anyToken, ...written(before) }),
      ...{ done: 201, again: 201 },
    };
  },
  async 'a bootstrap with the option `again`'() {
    await forgetEverybody(service);
    await bootstrap(service, { username: 'zeroth-one', password });
    await service.database.sql`delete from latchkey.users`;
    return {
      act: (instance) => outcomeOf(bootstrap(instance, { username, password, again: true })),
      facts,
      change: (before) => ({ users: 1, superadmins: username, passwords: 1, ...written(before) }),
      ...{ done: 201, again: 409 },
    };
  },
};

/**
 * After every fault, exactly one superadmin can sign in. If the superadmin has no password, this repeats the bootstrap
 * to get a link.
 */
afterEach(async () => {
  const [row, ...others] = await superadminRows(service);
  expect(others).toEqual([]);
  const browser = service.browser();
  if (row?.password) await logInByPassword(browser, { username });
  else await enroll(browser, (await bootstrap(service, { username })).link?.token);
  expect((await browser.get(usersPath)).status).toBe(200);
});

describeBroken(acts, () => ({ service, broken }));
