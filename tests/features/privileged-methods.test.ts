import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { addPasskey, type Person, stepUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import type { TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { postInvitation, usersPath } from './support/authority.ts';
import { prepareQuietly } from './support/conditional-create.ts';
import { currentSession } from './support/current-session.ts';
import { addPassword, signUpWithOnlyPassword, stepUpByPassword } from './support/passwords.ts';

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService({ bcryptCost: 4, privilegedMethods: ['passkey'] });
});
afterAll(() => service.close());

async function superadminWithoutPasskey(): Promise<Person> {
  const person = await signUpWithOnlyPassword(service);
  await setRole(service, person, 'superadmin');
  return person;
}

describe('with `privilegedMethods: ["passkey"]`, a superadmin who has no passkey', () => {
  test('can use neither the role nor functions that need fresh authentication', async () => {
    const { browser } = await superadminWithoutPasskey();
    expectProblem(await browser.get(usersPath), 'passkey_required');
    expectProblem(await postInvitation(browser), 'passkey_required');
    expectProblem(await addPassword(browser), 'passkey_required');
    expectProblem(await browser.post('/auth/recovery/codes/generate'), 'passkey_required');
    expectProblem(await browser.delete('/auth/account'), 'passkey_required');
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  test('lists only organizations of which the superadmin is a member', async () => {
    const { browser } = await superadminWithoutPasskey();
    await service.auth.asOperator('ops').organizations.create({ name: 'Engines' });
    const list = async () => (await browser.get('/auth/organizations')).body.organizations;
    expect(await list()).toEqual([]);
    expect((await addPasskey(browser)).status).toBe(201);
    expect(await list()).toMatchObject([{ name: 'Engines', myRole: null }]);
  });

  test('can add the first passkey, and then list users and create an invitation', async () => {
    const { browser } = await superadminWithoutPasskey();
    expect((await addPasskey(browser)).status).toBe(201);
    expect((await currentSession(browser)).method).toBe('passkey');
    expect((await browser.get(usersPath)).status).toBe(200);
    expect((await postInvitation(browser)).status).toBe(201);
  });

  test('needs a recent sign-in or step-up with the password to add the first passkey', async () => {
    const { browser } = await superadminWithoutPasskey();
    await service.turnClock({ minutes: 11 });
    expectProblem(await browser.post('/auth/passkey/devices/add', {}), 'reauthentication_required');
    expect((await stepUpByPassword(browser)).status).toBe(200);
    expect((await addPasskey(browser)).status).toBe(201);
  });

  test('cannot list users with a passkey created without a prompt until a step-up with it', async () => {
    const { browser } = await superadminWithoutPasskey();
    const { authenticator, finish } = await prepareQuietly(browser);
    expect((await finish()).status).toBe(201);
    expectProblem(await browser.get(usersPath), 'passkey_required');
    expect((await stepUp(browser, authenticator)).status).toBe(200);
    expect((await browser.get(usersPath)).status).toBe(200);
  });
});
