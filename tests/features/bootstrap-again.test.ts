import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { preparePasskey, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { deleteUser, disable, signUpAs, usersPath } from './support/authority.ts';
import {
  bootstrap,
  bootstrapEvents,
  enroll,
  forgetEverybody,
  refusalOf,
  superadminRows,
} from './support/bootstrapping.ts';
import { isSignedIn } from './support/current-session.ts';
import { logInByPassword, otherPassword, password } from './support/passwords.ts';
import { useLink } from './support/recovery.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
beforeEach(() => forgetEverybody(service));
afterAll(() => service.close());

const first = { username: 'first-one' };
const redos: [name: string, redo: Parameters<typeof bootstrap>[1]][] = [
  ['with the same username', first],
  ['with another username', { username: 'second-one' }],
  ['with a password', { ...first, password }],
  ['with another username and a password', { username: 'second-one', password }],
];

/** Expects that the last bootstrap created the only superadmin, and that its link or password works. */
async function expectUsable(made: Awaited<ReturnType<typeof bootstrap>>, { username }: { username: string }) {
  expect(await superadminRows(service)).toMatchObject([{ id: made.user.id, username, status: 'active' }]);
  const browser = service.browser();
  const entered = made.link
    ? await enroll(browser, made.link.token)
    : await logInByPassword(browser, { username });
  expect([200, 201]).toContain(entered.status);
  expect((await browser.get(usersPath)).status).toBe(200);
}

describe('bootstrapping again while the link is unused', () => {
  test.each(redos)('%s invalidates the earlier link', async (_, redo) => {
    const { link, user } = await bootstrap(service, first);
    const made = await bootstrap(service, redo);
    expect(made.user).toMatchObject({ id: user.id, username: redo.username });
    expect(await reasonOfRefusal(service, await useLink(service.browser(), `${link?.token}`))).toBe(
      'link_unknown_or_used',
    );
    await expectUsable(made, redo);
  });

  test.each(redos)('%s ends the session that the earlier link opened', async (_, redo) => {
    const { link } = await bootstrap(service, first);
    const browser = service.browser();
    await useLink(browser, `${link?.token}`);
    const add = await preparePasskey(browser);
    const made = await bootstrap(service, redo);
    expect(await isSignedIn(browser.copy())).toBe(false);
    expectProblem(await add(), 'not_authenticated');
    await expectUsable(made, redo);
  });

  test('is offered for the superadmin who has no passkey yet, even if another superadmin is listed first', async () => {
    const last = { username: 'zz-unfinished' };
    await bootstrap(service, last);
    await signUpAs(service, 'superadmin');
    expect(await service.auth.asOperator('ops').overview()).toMatchObject({
      bootstrap: 'unfinished',
      unfinishedSuperadmin: last.username,
      superadmins: [{}, last],
    });
    await enroll(service.browser(), `${(await bootstrap(service, last)).link?.token}`);
    expect(await service.auth.asOperator('ops').overview()).toMatchObject({ unfinishedSuperadmin: null });
  });

  test('works after the link has expired', async () => {
    const { link } = await bootstrap(service, first);
    await service.database.sql`update latchkey.recovery_links set expires_at = latchkey.clock()`;
    expect((await useLink(service.browser(), `${link?.token}`)).status).toBe(401);
    await expectUsable(await bootstrap(service, first), first);
  });

  test('works any number of times, and writes an event each time', async () => {
    const before = (await bootstrapEvents(service, 'success')).length;
    for (const [, redo] of redos.slice(0, 2)) await bootstrap(service, redo);
    await expectUsable(await bootstrap(service, first), first);
    expect((await bootstrapEvents(service, 'success')).slice(before)).toMatchObject(
      ['first-one', 'second-one', 'first-one'].map((target_name) => ({ target_name })),
    );
  });

  test('frees the earlier username', async () => {
    await bootstrap(service, first);
    await bootstrap(service, { username: 'second-one' });
    expect((await signUp(service, first)).signedUp.body.user).toMatchObject({ ...first, role: 'user' });
  });

  test('is rejected after another superadmin disabled the account', async () => {
    const { user } = await bootstrap(service, first);
    const other = await signUpAs(service, 'superadmin');
    await disable(other.browser, { signedUp: { body: { user } } } as never);
    expect(await refusalOf(bootstrap(service, { ...first, password }))).toBe('already_bootstrapped');
  });

  test('is rejected with a taken username or a short password, and the first link still works', async () => {
    const { link } = await bootstrap(service, first);
    const { username } = await signUp(service);
    for (const way of [{}, { password }]) {
      expect(await refusalOf(bootstrap(service, { username, ...way }))).toBe('username_taken');
    }
    expect(await refusalOf(bootstrap(service, { ...first, password: 'short' }))).toBe(
      'password_unacceptable',
    );
    expect((await enroll(service.browser(), link?.token)).status).toBe(201);
  });
});

/** Expects that every kind of bootstrap is rejected, changes nothing, and writes an event. */
async function expectBootstrapRejected(): Promise<void> {
  const before = await superadminRows(service);
  const count = (await bootstrapEvents(service, 'failure')).length;
  for (const [, redo] of redos) {
    expect(
      await refusalOf(bootstrap(service, { ...redo, ...(redo.password && { password: otherPassword }) })),
    ).toBe('already_bootstrapped');
  }
  expect(await refusalOf(bootstrap(service, { ...first, password: 'short' }))).toBe('already_bootstrapped');
  expect(await superadminRows(service)).toEqual(before);
  const rows = (await bootstrapEvents(service, 'failure')).slice(count);
  expect(rows).toHaveLength(5);
  for (const { actor_type, actor_name, details } of rows) {
    expect([actor_type, actor_name, details]).toEqual([
      'operator',
      'ops',
      { reason: 'already_bootstrapped' },
    ]);
  }
}

/** Bootstraps a superadmin, who then creates a passkey. Returns the superadmin and their browser. */
async function enrolled() {
  const { user, link } = await bootstrap(service, first);
  const browser = service.browser();
  await enroll(browser, link?.token);
  return { browser, person: { username: user.username, signedUp: { body: { user } } } };
}

describe('bootstrapping is rejected', () => {
  test('after a bootstrap with a password', async () => {
    await bootstrap(service, { ...first, password });
    await expectBootstrapRejected();
    expect((await logInByPassword(service.browser(), first)).status).toBe(200);
  });

  test('after the superadmin created a passkey', async () => {
    const { browser } = await enrolled();
    await expectBootstrapRejected();
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('after another superadmin disabled or deleted the first superadmin', async () => {
    const { browser, person } = await enrolled();
    const other = await signUpAs(service, 'superadmin');
    await disable(other.browser, person as never);
    await expectBootstrapRejected();
    expect((await deleteUser(other.browser, person as never)).status).toBe(204);
    await expectBootstrapRejected();
    expect(await isSignedIn(browser)).toBe(false);
  });

  test.each([
    ['the row of the superadmin was deleted', `delete from latchkey.users`],
    ['the superadmin’s role was changed', `update latchkey.users set role = 'user'`],
    ['the superadmin was disabled', `update latchkey.users set status = 'disabled'`],
  ])('even after %s with SQL', async (_, change) => {
    await enrolled();
    await service.database.sql.unsafe(change);
    await expectBootstrapRejected();
  });

  test('even after the row of a superadmin without a passkey was deleted with SQL', async () => {
    await bootstrap(service, first);
    await service.database.sql`delete from latchkey.users`;
    await expectBootstrapRejected();
  });

  test.each(['active', 'disabled'])('after a superadmin (%s) was created with SQL', async (status) => {
    const person = await signUpAs(service, 'superadmin');
    await service.database
      .sql`update latchkey.users set status = ${status} where username = ${person.username}`;
    await expectBootstrapRejected();
    const claimed = await service.database.sql`select from latchkey.bootstrap`;
    expect(claimed).toHaveLength(0);
  });
});

describe('bootstrapping with `again`', () => {
  const again = { username: 'second-one', again: true };

  test.each([
    ['the row of the superadmin is deleted', `delete from latchkey.users where username = 'first-one'`],
    ['the superadmin’s role is changed', `update latchkey.users set role = 'user'`],
    [
      'the superadmin is disabled',
      `update latchkey.users set status = 'disabled' where username = 'first-one'`,
    ],
  ])('works when %s and no active superadmin is left', async (_, change) => {
    await enrolled();
    await signUp(service);
    await service.database.sql.unsafe(change);
    const made = await bootstrap(service, { ...again, password });
    expect(made.user).toMatchObject({ username: 'second-one', role: 'superadmin' });
    expect((await logInByPassword(service.browser(), again)).status).toBe(200);
    expect((await bootstrapEvents(service, 'success')).at(-1)?.details).toMatchObject({ again: true });
    expect(await refusalOf(bootstrap(service, { username: 'third-one', again: true }))).toBe(
      'already_bootstrapped',
    );
  });

  test('is rejected while any superadmin is active', async () => {
    await enrolled();
    expect(await refusalOf(bootstrap(service, again))).toBe('already_bootstrapped');
    const other = await signUpAs(service, 'superadmin');
    await service.database.sql`delete from latchkey.users where username = 'first-one'`;
    expect(await refusalOf(bootstrap(service, again))).toBe('already_bootstrapped');
    await service.database.sql`
      update latchkey.users set role = 'admin' where username = ${other.username}`;
    expect(await refusalOf(bootstrap(service, again))).toBeNull();
  });
});
