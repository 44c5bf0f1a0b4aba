import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { addPasskey, logIn, newAuthenticator, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { logInByPassword, signUpWithPassword } from './support/passwords.ts';
import {
  completeRecovery,
  type Kept,
  prepareCompletion,
  startRecovering,
  useCode,
} from './support/recovery.ts';

const devices = '/auth/passkey/devices';
const unknownId = '00000000-0000-7000-8000-000000000000';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(async () => {
  expectNoLoggedErrors(service);
  await service.close();
});

/** Signs up a user with three passkeys and a password, and starts a recovery. */
async function setUp() {
  const person = await signUpWithPassword(service);
  const authenticators = [person.authenticator, newAuthenticator(), newAuthenticator()];
  for (const authenticator of authenticators.slice(1)) await addPasskey(person.browser, authenticator);
  const { devices: listed } = (await person.browser.get(devices)).body;
  const ids: string[] = listed.map(({ id }: { id: string }) => id);
  return { ...(await startRecovering(service, person)), authenticators, ids };
}

const subsets = [[], [0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]];
const combinations = subsets.flatMap((kept) =>
  [undefined, false, true].map((keepPassword) => ({ kept, keepPassword })),
);

describe('completing a recovery', () => {
  test.each(combinations)(
    'with the passkeys $kept in `keepPasskeys` and `keepPassword: $keepPassword` removes all other credentials',
    async ({ kept, keepPassword }) => {
      const { person, codes, browser, authenticators, ids } = await setUp();
      const keepPasskeys = kept.map((n) => `${ids[n]}`);
      const given: Kept = {
        ...(kept.length > 0 && { keepPasskeys }),
        ...(keepPassword !== undefined && { keepPassword }),
      };
      const fresh = newAuthenticator();
      const answer = await completeRecovery(browser, { ...given, label: 'New phone' }, fresh);
      expect([answer.status, answer.body.device?.label]).toEqual([201, 'New phone']);

      const { user } = (await browser.get('/auth/session')).body;
      const hasPassword = keepPassword === true;
      expect(user).toMatchObject({
        hasPassword,
        passkeyCount: kept.length + 1,
        recoveryCodesRemaining: 10,
      });
      expect((await browser.get(devices)).body.devices.map(({ id }: { id: string }) => id)).toEqual([
        ...keepPasskeys,
        answer.body.device.id,
      ]);
      const accepted = [...kept.map((n) => authenticators[n]), fresh].map(
        (authenticator) => authenticator?.credentials[0]?.id,
      );
      expect((await browser.get('/auth/passkey/signals')).body.allAcceptedCredentialIds).toEqual(accepted);

      for (const [n, authenticator] of authenticators.entries())
        expect((await logIn(service.browser(), authenticator)).status).toBe(kept.includes(n) ? 200 : 401);
      expect((await logIn(service.browser(), fresh)).status).toBe(200);
      expect((await logInByPassword(service.browser(), person)).status).toBe(hasPassword ? 200 : 401);
      for (const code of codes) expect((await useCode(service.browser(), person, code)).status).toBe(401);

      const rows = await wholeAuditRowsOf(service, answer);
      const events = rows.map(({ event }) => event);
      expect(events).toEqual([
        'passkey.add',
        ...Array(3 - kept.length).fill('passkey.remove'),
        ...(hasPassword ? [] : ['password.remove']),
        'recovery_code.generate',
        'recovery.complete',
      ]);
      expect(rows.filter(({ event }) => event === 'passkey.remove').map((row) => row.target_id)).toEqual(
        ids.filter((_, n) => !kept.includes(n)),
      );
      expect(rows.at(-1)).toMatchObject({
        outcome: 'success',
        actor_id: userIdOf(person),
        target_id: userIdOf(person),
        details: {
          method: 'recovery_code',
          keptPasskeys: kept.length,
          removedPasskeys: 3 - kept.length,
          removedPassword: !hasPassword,
        },
      });
    },
  );

  test('accepts the same id twice in `keepPasskeys`, and accepts `keepPassword` for an account without a password', async () => {
    const { person, browser } = await startRecovering(service);
    const id = person.signedUp.body.passkey.id;
    const answer = await completeRecovery(browser, { keepPasskeys: [id, id], keepPassword: true });
    expect(answer.status).toBe(201);
    expect((await wholeAuditRowsOf(service, answer)).at(-1)?.details).toEqual({
      method: 'recovery_code',
      keptPasskeys: 1,
      removedPasskeys: 0,
      removedPassword: false,
    });
    expect((await browser.get('/auth/session')).body.user).toMatchObject({
      passkeyCount: 2,
      hasPassword: false,
    });
  });

  test.each([
    ['an unknown id', () => unknownId],
    ['a malformed id', () => 'x'],
    ['an empty id', () => ''],
    [
      'the id of another user’s passkey',
      async () => (await signUpWithPassword(service)).signedUp.body.passkey.id,
    ],
  ])('rejects %s in keepPasskeys, returns its index, and does not use up the challenge', async (_, wrong) => {
    const { browser, ids, person } = await setUp();
    const finish = await prepareCompletion(browser);
    const body = JSON.parse(JSON.stringify({ keepPasskeys: [ids[1], await wrong()] }));
    let sent: object = {};
    const altering = {
      ...browser,
      post: (path: string, given?: unknown) => {
        sent = given as object;
        return browser.post(path, { ...(given as object), ...body });
      },
    };
    const answer = await finish(altering);
    expectProblem(answer, 'invalid_request', {
      errors: [{ path: 'keepPasskeys.1', message: 'expected the id of one of your passkeys' }],
    });
    expect(await wholeAuditRowsOf(service, answer)).toEqual([]);
    expect((await person.browser.get(devices)).body.devices).toHaveLength(3);
    // The challenge can still be used.
    expect((await browser.post(`${devices}/add`, { ...sent, keepPasskeys: [ids[1]] })).status).toBe(201);
    expect((await browser.get(devices)).body.devices).toHaveLength(2);
  });

  test.each<[what: string, body: object, path: string]>([
    ['numbers as keepPasskeys', { keepPasskeys: [1] }, 'keepPasskeys.0'],
    ['a single id as keepPasskeys', { keepPasskeys: unknownId }, 'keepPasskeys'],
    ['101 ids as keepPasskeys', { keepPasskeys: Array(101).fill(unknownId) }, 'keepPasskeys'],
    ['"yes" as keepPassword', { keepPassword: 'yes' }, 'keepPassword'],
  ])('rejects %s', async (_, body, path) => {
    const { browser } = await startRecovering(service);
    expectProblem(await browser.post(`${devices}/add`, body), 'invalid_request', {
      errors: [{ path, message: expect.any(String) }],
    });
  });
});

test('in a full session, keepPasskeys and keepPassword are rejected, with or without a credential', async () => {
  const { browser, signedUp } = await signUpWithPassword(service);
  const { options } = (await browser.post(`${devices}/add`, {})).body;
  const credential = await newAuthenticator().create(options);
  for (const body of [
    { keepPasskeys: [signedUp.body.passkey.id] },
    { keepPassword: true },
    { keepPassword: false },
  ])
    for (const given of [body, { ...body, credential }]) {
      const { status, body: answer } = await browser.post(`${devices}/add`, given);
      expect([status, answer.code]).toEqual([400, 'invalid_request']);
    }
  expect((await browser.get(devices)).body.devices).toHaveLength(1);
  expect((await browser.post(`${devices}/add`, { credential })).body.recoveryCodes).toBeNull();
});

test('the options for completing a recovery exclude only the passkeys in keepPasskeys', async () => {
  const { browser, authenticators, ids } = await setUp();
  const excluded = async (keepPasskeys?: string[]) => {
    const { options } = (await browser.post(`${devices}/add`, { ...(keepPasskeys && { keepPasskeys }) }))
      .body;
    return options.excludeCredentials.map(({ id }: { id: string }) => id);
  };
  const credentialIds = authenticators.map(({ credentials }) => credentials[0]?.id);
  expect(await excluded()).toEqual([]);
  expect(await excluded([`${ids[1]}`])).toEqual([credentialIds[1]]);
  expect(await excluded(ids)).toEqual(credentialIds);
  // So the authenticator of a removed passkey can create the new passkey.
  const [lost] = authenticators;
  expect((await completeRecovery(browser, { keepPasskeys: ids.slice(1) }, lost)).status).toBe(201);
});
