import type { SoftwareAuthenticator } from 'latchkey/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logInByPassword, signUpWithPassword } from '../features/support/passwords.ts';
import { generateCodes, useCode } from '../features/support/recovery.ts';
import type { Person } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret as oldSecret } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { runShell } from './support/shell-blocks.ts';

const guide = readGuide('docs/guides/key-rotation.md');
const newSecret = 'wB4xN8qLr2Vd6TzKc9Yp3HsMf7Gj1EaUoIuRtQwXvZk';

let database: TestDatabase;
const running: ServiceOn[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const service of running) await service.close();
  await database.drop();
});

async function start(JWT_SECRET: string): Promise<ServiceOn> {
  const env = { JWT_SECRET };
  const service = await startServiceOn(database.url, { env, secret: undefined as never, bcryptCost: 4 });
  running.push(service);
  return service;
}

/** Runs a block of the guide, and returns the variable that it sets. */
async function variableOf(text: string): Promise<string> {
  const env = { OLD_SECRET: oldSecret, NEW_SECRET: newSecret };
  return (await runShell(`${guide.block(text)}printf %s "$JWT_SECRET"`, { env })).stdout;
}

/** Starts a sign-in in one process and finishes it in another. Returns the status. */
async function signInAcross(
  from: ServiceOn,
  to: ServiceOn,
  authenticator: SoftwareAuthenticator,
): Promise<number> {
  const browser = from.browser();
  const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
  const credential = await authenticator.get(options);
  return (await to.browser(browser.cookies).post('/auth/passkey/login/verify', { credential })).status;
}

test('a ceremony can start before a step of the guide and finish after it, and users stay signed in', async () => {
  const [first, second, third] = [
    await variableOf('$OLD_SECRET,$NEW_SECRET'),
    await variableOf('$NEW_SECRET,$OLD_SECRET'),
    await variableOf('JWT_SECRET=$NEW_SECRET\n'),
  ];
  const [before, appended, moved, removed] = [
    await start(oldSecret),
    await start(`${first}`),
    await start(`${second}`),
    await start(`${third}`),
  ];
  const active = await signUpWithPassword(before);
  const absent = await signUpWithPassword(before);
  const [code = ''] = await generateCodes(active.browser);

  for (const [from, to, status] of [
    [before, appended, 200],
    [appended, before, 200],
    [appended, moved, 200],
    [moved, appended, 200],
    [moved, removed, 200],
    // Without the first step.
    [removed, before, 401],
  ] as const)
    expect(await signInAcross(from, to, active.authenticator)).toBe(status);

  // A sign-in with the password replaces the hash.
  const signIn = async (service: ServiceOn, { username }: Person) =>
    (await logInByPassword(service.browser(), { username })).status;
  expect(await signIn(moved, active)).toBe(200);
  const doctor = async (JWT_SECRET: string) =>
    (await runShell(guide.block('latchkey doctor'), { env: { DATABASE_URL: database.url, JWT_SECRET } }))
      .stdout;
  expect(await doctor(`${second}`)).toContain(
    'Secrets  keep secret 2 of 2, which is needed for 1 password, each until its user signs in with the password; 10 recovery codes, until the users create new ones\n',
  );
  expect(await doctor(`${third}`)).toContain(
    'Secrets  a secret that is not in JWT_SECRET is needed for 1 password and 10 recovery codes\n',
  );
  expect([await signIn(removed, active), await signIn(removed, absent)]).toEqual([200, 401]);
  expect((await removed.browser(active.browser.cookies).get('/auth/session')).status).toBe(200);
  expect((await useCode(removed.browser(), active, code)).status).toBe(401);
  expect((await useCode(moved.browser(), active, code)).status).toBe(200);
});
