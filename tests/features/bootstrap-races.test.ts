import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { times, together } from '../support/many-requests.ts';
import { newAuthenticator, newUsername, preparePasskey, signUpStart } from '../support/person.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { signUpAs } from './support/authority.ts';
import {
  bootstrap,
  bootstrapEvents,
  enroll,
  forgetEverybody,
  refusalOf,
  superadminRows,
} from './support/bootstrapping.ts';
import { isSignedIn } from './support/current-session.ts';
import { logInByPassword, password } from './support/passwords.ts';
import { useLink } from './support/recovery.ts';

const options = { bcryptCost: 4 };
let service: TestService;
let second: ServiceOn;
beforeAll(async () => {
  service = await startTestService(options);
  second = await startSecondInstance(service, options);
});
beforeEach(() => forgetEverybody(service));
afterEach(() => expectNoLoggedErrors(service, second));
afterAll(async () => {
  await second.close();
  await service.close();
});

/** Runs ten concurrent bootstraps on two instances, and returns their results. */
const tenAtOnce = (superadmin: (n: number) => Parameters<typeof bootstrap>[1]) =>
  together(
    times(10, null).map((_, n) => async () => {
      try {
        return { n, made: await bootstrap(n % 2 ? second : service, superadmin(n)), code: null };
      } catch (error) {
        return { n, made: null, code: (error as { code: string }).code };
      }
    }),
  );

const countEvents = async () => ({
  made: (await bootstrapEvents(service, 'success')).length,
  refused: (await bootstrapEvents(service, 'failure')).length,
});

describe('ten concurrent bootstraps', () => {
  test.each([
    ['the same username', () => 'first-one'],
    ['different usernames', (n: number) => `first-${n}`],
  ])('with a password and %s create one superadmin, and nine are rejected', async (_, nameOf) => {
    for (let round = 0; round < 6; round += 1) {
      await forgetEverybody(service);
      const before = await countEvents();
      const results = await tenAtOnce((n) => ({ username: nameOf(n), password: `${password} ${n}` }));
      const [won] = results.filter(({ made }) => made !== null);
      expect(results.map(({ code }) => code).sort()).toEqual([...times(9, 'already_bootstrapped'), null]);
      expect(await superadminRows(service)).toMatchObject([
        { id: won?.made?.user.id, username: nameOf(won?.n ?? 0) },
      ]);
      expect(await countEvents()).toEqual({ made: before.made + 1, refused: before.refused + 9 });
      const users = await service.database.sql`select from latchkey.users`;
      expect(users).toHaveLength(1);
      const entered = await logInByPassword(
        service.browser(),
        { username: nameOf(won?.n ?? 0) },
        `${password} ${won?.n}`,
      );
      expect(entered.status).toBe(200);
    }
  });

  test.each([
    ['the same username', () => 'first-one'],
    ['different usernames', (n: number) => `first-${n}`],
  ])('with a link and %s create one superadmin, and one of the links works', async (_, nameOf) => {
    for (let round = 0; round < 6; round += 1) {
      await forgetEverybody(service);
      const before = await countEvents();
      const results = await tenAtOnce((n) => ({ username: nameOf(n) }));
      const [row] = await superadminRows(service);
      expect(await superadminRows(service)).toHaveLength(1);
      expect(row).toMatchObject({ status: 'active', password: false, passkeys: 0, links: 1 });
      const made = results.filter(({ code }) => code === null);
      // Several bootstraps can succeed, because a bootstrap can be repeated while its link is unused.
      for (const { made: by, code } of results) {
        if (code !== null) expect(code).toBe('already_bootstrapped');
        else expect(by?.user.id).toBe(row?.id);
      }
      expect(await countEvents()).toEqual({
        made: before.made + made.length,
        refused: before.refused + 10 - made.length,
      });
      const entered = await together(
        made.map((one) => () => enroll(service.browser(), one.made?.link?.token)),
      );
      expect(entered.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(await superadminRows(service)).toMatchObject([{ passkeys: 1, links: 0, sessions: 1 }]);
    }
  });

  test('of which some use passwords and some use links create one superadmin with one way to sign in', async () => {
    for (let round = 0; round < 6; round += 1) {
      await forgetEverybody(service);
      const results = await tenAtOnce((n) => ({ username: `first-${n}`, ...(n % 3 === 0 && { password }) }));
      const rows = await superadminRows(service);
      expect(rows).toHaveLength(1);
      const links = results.flatMap(({ made }) => made?.link?.token ?? []);
      const entered = await together(links.map((token) => () => enroll(service.browser(), token)));
      // A bootstrap with a password cannot be repeated, so no bootstrap can succeed after it.
      const byPassword = rows[0]?.password === true;
      expect(entered.filter(({ status }) => status === 201)).toHaveLength(byPassword ? 0 : 1);
      const login = await logInByPassword(service.browser(), { username: rows[0]?.username });
      expect(login.status).toBe(byPassword ? 200 : 401);
    }
  });

  test('with `again`, when no superadmin is left, create one superadmin, and nine are rejected', async () => {
    for (let round = 0; round < 5; round += 1) {
      await forgetEverybody(service);
      await bootstrap(service, { username: 'lost-one', password });
      await service.database.sql`delete from latchkey.users`;
      const results = await tenAtOnce((n) => ({ username: `again-${n}`, password, again: true }));
      expect(results.map(({ code }) => code).sort()).toEqual([...times(9, 'already_bootstrapped'), null]);
      expect(await superadminRows(service)).toHaveLength(1);
    }
  });
});

test('when a bootstrap and a sign-up use the same username concurrently, one succeeds and one is rejected', async () => {
  for (let round = 0; round < 6; round += 1) {
    await forgetEverybody(service);
    const username = newUsername('both');
    const browser = second.browser();
    const credential = await newAuthenticator().create(await signUpStart(browser, username));
    const [code, signedUp] = await Promise.all([
      refusalOf(bootstrap(service, { username })),
      browser.post('/auth/passkey/register/verify', { credential }),
    ]);
    expect([code, signedUp.status]).toEqual(signedUp.status === 201 ? ['username_taken', 201] : [null, 409]);
    expect(await superadminRows(service)).toHaveLength(code === null ? 1 : 0);
    // The rejected bootstrap left nothing behind, so a bootstrap with another username works.
    if (code !== null)
      expect(await refusalOf(bootstrap(service, { username: newUsername('other') }))).toBeNull();
  }
});

describe('repeating a bootstrap', () => {
  test('concurrently with the creation of a passkey: exactly one of the two succeeds', async () => {
    for (let round = 0; round < 12; round += 1) {
      await forgetEverybody(service);
      const { link } = await bootstrap(service, { username: 'first-one' });
      const browser = service.browser();
      await useLink(browser, `${link?.token}`);
      const add = await preparePasskey(browser);
      const redo = () => bootstrap(second, { username: 'first-one', ...(round % 2 && { password }) });
      const [added, redone] = await Promise.all([add(), redo().catch(() => null)]);
      const rows = await superadminRows(service);
      expect(rows).toHaveLength(1);
      if (added.status === 201) {
        expect(redone).toBeNull();
        expect(rows).toMatchObject([{ passkeys: 1, password: false, links: 0 }]);
        expect(await isSignedIn(browser)).toBe(true);
      } else {
        expect([added.status, redone === null]).toEqual([401, false]);
        expect(rows).toMatchObject([{ passkeys: 0, password: round % 2 === 1, links: round % 2 ? 0 : 1 }]);
        expect(await isSignedIn(browser)).toBe(false);
      }
    }
  });

  test('ends the session that the earlier link opens, even if the link is used concurrently', async () => {
    for (let round = 0; round < 12; round += 1) {
      await forgetEverybody(service);
      const { link } = await bootstrap(service, { username: 'first-one' });
      const browser = second.browser();
      const [, redone] = await Promise.all([
        useLink(browser, `${link?.token}`),
        bootstrap(service, { username: 'first-one' }),
      ]);
      expect(await isSignedIn(browser)).toBe(false);
      expect((await enroll(service.browser(), redone.link?.token)).status).toBe(201);
    }
  });
});

test('a bootstrap is rejected when a user becomes superadmin after the check and before the insert', async () => {
  const person = await signUpAs(service, 'user');
  const { answer, changed } = await meet(service, {
    options,
    before: /insert into latchkey\.bootstrap/,
    change: () => setRole(service, person, 'superadmin'),
    act: (instance) => refusalOf(bootstrap(instance, { username: 'first-one', password })),
  });
  expect([answer, changed]).toEqual(['already_bootstrapped', 1]);
  expect(await superadminRows(service)).toMatchObject([{ username: person.username }]);
});
