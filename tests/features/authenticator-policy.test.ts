import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthenticatorQuestion, AuthServiceOptions } from 'latchkey';
import { createAttestationAuthority, type SoftwareAuthenticatorOptions } from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import {
  addPasskey,
  logIn,
  newAuthenticator,
  newUsername,
  type Person,
  preparePasskey,
  signUp,
  signUpStart,
  stepUp,
  userIdOf,
} from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { rounds } from '../support/rounds.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { accept, changeRole, invite, signUpAs } from './support/authority.ts';
import { holdingDatabase } from './support/held-database.ts';
import { startPair } from './support/paired-changes.ts';
import { completeRecovery, startRecovering } from './support/recovery.ts';

const authority = createAttestationAuthority();
const metadataFile = join(tmpdir(), `latchkey-policy-${process.pid}.jwt`);
const model = '2fc0579f-8113-47ea-b116-bb5a8db9202a';
const otherModel = '11111111-2222-4333-8444-555555555555';
const publish = (statuses: readonly string[], number = 1) =>
  writeFile(metadataFile, authority.signMetadata([{ aaguid: model, statuses }], { number }));

const withMetadata = {
  attestation: 'direct',
  authenticatorMetadata: metadataFile,
  authenticatorMetadataRoots: authority.certificate,
} as const satisfies AuthServiceOptions;

const withPolicyForAdmins = {
  ...withMetadata,
  authenticators: { roles: { admin: { deviceBound: true } } },
} as const satisfies AuthServiceOptions;

const securityKey = (options: Partial<SoftwareAuthenticatorOptions> = {}) =>
  newAuthenticator({
    aaguid: model,
    attestation: 'packed',
    attestationAuthority: authority,
    backupEligible: false,
    transports: ['usb'],
    ...options,
  });
const syncedPasskey = () => newAuthenticator();

const expectRefused = (answer: Answer, reason: string) =>
  expectProblem(answer, 'authenticator_not_allowed', { reason, detail: expect.any(String) });

const started: TestService[] = [];
async function start(options: AuthServiceOptions): Promise<TestService> {
  const service = await startTestService({ bcryptCost: 4, ...options });
  started.push(service);
  return service;
}

let service: TestService;
beforeAll(async () => {
  await publish(['FIDO_CERTIFIED_L2']);
  service = await start({
    ...withMetadata,
    authenticators: { roles: { admin: { deviceBound: true }, superadmin: { certified: 'L2' } } },
  });
});
afterEach(() => publish(['FIDO_CERTIFIED_L2']));
afterAll(async () => {
  for (const each of started) await each.close();
  await rm(metadataFile);
});

/** Signs up with a security key, which meets the requirements of every role. */
const signUpByKey = (on = service) => signUp(on, { authenticator: securityKey() });

const refusalsOf = async (on: TestService, event: string) =>
  (await on.auditRows())
    .filter((row) => row.event === event && row.outcome === 'failure')
    .map(({ details }) => details.reason);

describe('a role change', () => {
  test('is refused if a passkey of the user does not meet the requirements, and says what is missing', async () => {
    const superadmin = await signUpAs(service, 'superadmin');
    const person = await signUp(service);
    const answer = await changeRole(superadmin.browser, person, 'admin');
    expectProblem(answer, 'authenticator_not_allowed', {
      reason: 'not_device_bound',
      detail:
        'The passkey of this user cannot be used with the role admin: “Passkey” (can be synced). The user must add another passkey, and then remove this one.',
    });
    expect(await refusalsOf(service, 'user.change_role')).toContain('not_device_bound');
  });

  test('is possible if all passkeys of the user meet the requirements', async () => {
    const superadmin = await signUpAs(service, 'superadmin');
    const person = await signUpByKey();
    expect((await changeRole(superadmin.browser, person, 'superadmin')).status).toBe(200);
    const bound = await signUp(service, {
      authenticator: newAuthenticator({ backupEligible: false }),
    });
    expect((await changeRole(superadmin.browser, bound, 'admin')).status).toBe(200);
    expectRefused(await changeRole(superadmin.browser, bound, 'superadmin'), 'not_attested');
  });

  test('is refused if one of several passkeys does not meet the requirements', async () => {
    const superadmin = await signUpAs(service, 'superadmin');
    const person = await signUpByKey();
    expect((await addPasskey(person.browser, syncedPasskey())).status).toBe(201);
    expect((await addPasskey(person.browser, newAuthenticator({ backupEligible: false }))).status).toBe(201);
    const { sql } = service.database;
    await sql`
      update latchkey.passkeys set label = 'Phone' where user_id = ${userIdOf(person)} and backup_eligible`;
    await sql`
      update latchkey.passkeys set label = 'Key' where user_id = ${userIdOf(person)} and not attested
        and not backup_eligible`;
    expectProblem(await changeRole(superadmin.browser, person, 'superadmin'), 'authenticator_not_allowed', {
      reason: 'not_device_bound',
      detail:
        '2 of the 3 passkeys of this user cannot be used with the role superadmin: “Phone” (can be synced), “Key” (model not proven). The user must remove them first.',
    });
  });

  test('is refused if the user has no passkey', async () => {
    const superadmin = await signUpAs(service, 'superadmin');
    const { user } = await service.auth.asOperator('ops').users.create({ username: newUsername() });
    const answer = await superadmin.browser.put(`/auth/admin/users/${user.id}/role`, { role: 'admin' });
    expectRefused(answer, 'no_passkey');
  });

  test('to a lower role is possible, even if the passkey does not meet the requirements of that role', async () => {
    const superadmin = await signUpAs(service, 'superadmin');
    const person = await signUpAs(service, 'superadmin');
    expect((await changeRole(superadmin.browser, person, 'admin')).status).toBe(200);
    expect((await changeRole(superadmin.browser, person, 'user')).status).toBe(200);
  });

  test('by accepting an invitation is refused, and leaves the invitation usable', async () => {
    const superadmin = await signUpAs(service, 'superadmin');
    const token = await invite(superadmin.browser);
    const person = await signUp(service);
    expectRefused(await accept(person.browser, token), 'not_device_bound');
    expect((await accept((await signUpByKey()).browser, token)).status).toBe(200);
  });

  test('by an operator is refused, too', async () => {
    const person = await signUp(service);
    const changing = service.auth.asOperator('ops').users.changeRole(person.username, 'admin');
    await expect(changing).rejects.toMatchObject({ code: 'authenticator_not_allowed' });
  });
});

test('a user cannot get a role and a passkey that the role does not allow at the same time', async () => {
  const racing = await start(withPolicyForAdmins);
  const pair = await startPair(racing, withPolicyForAdmins);
  try {
    for (let round = 0; round < Math.max(rounds, 8); round += 1) {
      const superadmin = await signUpAs(racing, 'superadmin');
      const person = await signUpByKey(racing);
      const finish = await preparePasskey(person.browser, syncedPasskey());
      const [added, changed] = await pair.meet<[Answer, Answer]>(
        round % 2 === 0 ? 1 : 2,
        (instance) => finish(instance.browser(person.browser.cookies)),
        (instance) => changeRole(instance.browser(superadmin.browser.cookies), person, 'admin'),
      );
      expect([added.status, changed.status].toSorted()).not.toEqual([200, 201]);
      const [{ weak } = { weak: null }] = await racing.database.sql`
        select count(*)::int as weak from latchkey.users join latchkey.passkeys on passkeys.user_id = users.id
        where users.id = ${userIdOf(person)} and users.role = 'admin' and passkeys.backup_eligible`;
      expect(weak).toBe(0);
    }
  } finally {
    await pair.close();
  }
});

test('a new passkey must meet the requirements of a role that the user gets after the session was read', async () => {
  const other = await start(withPolicyForAdmins);
  const held = holdingDatabase(other.database.url);
  const reading = await startServiceOn(held.database, withPolicyForAdmins);
  try {
    const superadmin = await signUpAs(other, 'superadmin');
    const person = await signUpByKey(other);
    const finish = await preparePasskey(person.browser, syncedPasskey());
    const gate = held.hold();
    const before = held.reads();
    const adding = finish(reading.browser(person.browser.cookies));
    await eventually(() => held.reads() > before);
    expect((await changeRole(superadmin.browser, person, 'admin')).status).toBe(200);
    gate.open();
    expectRefused(await adding, 'not_device_bound');
  } finally {
    await reading.close();
    await held.end();
  }
});

describe('a new passkey', () => {
  test('must meet the requirements of the role that the invitation grants', async () => {
    const superadmin = await signUpAs(service, 'superadmin');
    const token = await invite(superadmin.browser);
    const signUpInvited = async (authenticator = syncedPasskey()) => {
      const browser = service.browser();
      const body = { username: newUsername(), invitation: token };
      const { options } = (await browser.post('/auth/passkey/register/start', body)).body;
      const credential = await authenticator.create(options);
      return browser.post('/auth/passkey/register/verify', { credential });
    };
    expectRefused(await signUpInvited(), 'not_device_bound');
    const answer = await signUpInvited(securityKey());
    expect([answer.status, answer.body.user?.role]).toEqual([201, 'admin']);
  });

  test('must meet the requirements of the role of the account', async () => {
    const person = await signUpByKey();
    await setRole(service, person, 'superadmin');
    expectRefused(await addPasskey(person.browser, syncedPasskey()), 'not_device_bound');
    expectRefused(
      await addPasskey(person.browser, newAuthenticator({ backupEligible: false })),
      'not_attested',
    );
    expect(await refusalsOf(service, 'passkey.add')).toEqual(
      expect.arrayContaining(['not_device_bound', 'not_attested']),
    );
    expect((await addPasskey(person.browser, securityKey())).status).toBe(201);
  });

  test('must meet the requirements in a recovery', async () => {
    const { person, browser } = await startRecovering(service, await signUpByKey());
    await setRole(service, person, 'admin');
    expectRefused(await completeRecovery(browser, {}, syncedPasskey()), 'not_device_bound');
    expect((await completeRecovery(browser, {}, securityKey())).status).toBe(201);
  });

  test('must be of an allowed model', async () => {
    const listing = await start({ ...withMetadata, authenticators: { allow: [model], deny: [otherModel] } });
    const attempt = async (authenticator: ReturnType<typeof securityKey>) => {
      const browser = listing.browser();
      const credential = await authenticator.create(await signUpStart(browser));
      return browser.post('/auth/passkey/register/verify', { credential });
    };
    expectRefused(await attempt(securityKey({ aaguid: otherModel })), 'model_denied');
    expectRefused(await attempt(syncedPasskey()), 'model_not_allowed');
    expect((await attempt(securityKey())).status).toBe(201);
  });
});

describe('authenticators.decide', () => {
  let asked: AuthenticatorQuestion[] = [];
  let answer: () => unknown = () => null;
  let deciding: TestService;
  beforeAll(async () => {
    deciding = await start({
      ...withMetadata,
      authenticators: {
        decide: (question) => {
          asked.push(question);
          return answer() as null;
        },
      },
    });
  });
  const attempt = async () => {
    asked = [];
    const browser = deciding.browser();
    const credential = await securityKey().create(await signUpStart(browser));
    return browser.post('/auth/passkey/register/verify', { credential });
  };

  test('gets what the service knows about the passkey', async () => {
    answer = () => undefined;
    expect((await attempt()).status).toBe(201);
    expect(asked).toEqual([
      {
        aaguid: model,
        name: 'Test authenticator',
        attested: true,
        format: 'packed',
        certification: 'L2',
        statuses: [],
        deviceBound: true,
        transports: ['usb'],
        role: 'user',
        occasion: 'registration',
      },
    ]);
  });

  test('refuses with a reason that the user sees', async () => {
    answer = () => ({ refuse: 'Use the key that you got from us.' });
    expectProblem(await attempt(), 'authenticator_not_allowed', {
      reason: 'refused_by_application',
      detail: 'Use the key that you got from us.',
    });
  });

  test.each<[string, () => unknown]>([
    ['throws an error', () => Promise.reject(new Error('no connection'))],
    ['returns false', () => false],
    ['returns an empty reason', () => ({ refuse: ' ' })],
    ['returns a reason that is too long', () => ({ refuse: 'x'.repeat(201) })],
  ])('refuses if it %s', async (_, given) => {
    answer = given;
    expectProblem(await attempt(), 'authenticator_not_allowed', { reason: 'refused_by_application' });
    expect(deciding.logged.at(-1)?.message).toMatch('authenticators.decide failed');
  });
});

describe('with checkSignIns', () => {
  const options = {
    ...withMetadata,
    authenticators: { checkSignIns: true, roles: { admin: { deviceBound: true } } },
  } as const satisfies AuthServiceOptions;

  /** Starts another process on the database of the service, which reads the metadata again. */
  async function withStatuses(statuses: readonly string[], act: (on: TestService) => Promise<void>) {
    await publish(statuses);
    await act(await start(options));
  }

  test('a revoked model can neither sign in nor step up, and the audit log says why', async () => {
    await withStatuses(['REVOKED'], async (on) => {
      const person = await signUp(on);
      await on.database.sql`
        update latchkey.passkeys set aaguid = ${model}, attested = true, attestation_format = 'packed'`;
      expectRefused(await logIn(on.browser(), person.authenticator), 'model_compromised');
      expectRefused(await stepUp(person.browser, person.authenticator), 'model_compromised');
      expect(await refusalsOf(on, 'passkey.login')).toEqual(['model_compromised']);
      expect(await refusalsOf(on, 'passkey.stepup')).toEqual(['model_compromised']);
    });
  });

  test('a passkey that the role excludes cannot sign in, unlike other passkeys', async () => {
    await withStatuses([], async (on) => {
      const person = await signUp(on);
      expect((await logIn(on.browser(), person.authenticator)).status).toBe(200);
      await setRole(on, person, 'admin');
      expectRefused(await logIn(on.browser(), person.authenticator), 'not_device_bound');
      const key = await signUpByKey(on);
      await setRole(on, key, 'admin');
      expect((await logIn(on.browser(), key.authenticator)).status).toBe(200);
    });
  });

  test('a caller without the passkey does not learn that it is excluded', async () => {
    await withStatuses([], async (on) => {
      const person = await signUp(on);
      await setRole(on, person, 'admin');
      const tamper = { clientData: { origin: 'https://evil.example' } };
      const answer = await logIn(on.browser(), person.authenticator, { tamper });
      expectProblem(answer, 'authentication_failed');
    });
  });
});

test('without checkSignIns, existing passkeys can sign in', async () => {
  const person: Person = await signUp(service);
  await setRole(service, person, 'superadmin');
  expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
});
