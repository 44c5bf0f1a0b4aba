import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { sortedStatuses, times, together } from '../support/many-requests.ts';
import { addPasskey, logIn, newAuthenticator, type Person, signUp, stepUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { randomBytesOf } from '../support/random.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';

const randomBytes = randomBytesOf('features/devices');

const devices = '/auth/passkey/devices';
const iCloud = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd';
const onePassword = 'bada5566-a7aa-401f-bd96-45619a55120d';
const unknownId = '00000000-0000-7000-8000-000000000000';
const malformedIds = [
  '1',
  'null',
  '%00',
  '../session',
  `${unknownId}0`,
  unknownId.replaceAll('-', ''),
  '%E0%A4%A',
];

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService();
});
afterAll(() => service.close());

const list = async (browser: TestAgent) => (await browser.get(devices)).body.devices;
const idOf = ({ signedUp }: Person): string => signedUp.body.passkey.id;

/** Adds passkeys to an account with SQL. */
const addRows = async (person: Person, count: number): Promise<string[]> => {
  const rows = await service.database.sql<{ id: string }[]>`
    insert into latchkey.passkeys
      (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up, label,
       created_at)
    select gen_random_uuid(), ${person.signedUp.body.user.id}, ${randomBytes(9).toString('hex')} || n, 'none', 0,
      '[]', ${iCloud}, true, true, 'spare', latchkey.clock()
    from generate_series(1, ${count}) as n
    returning id`;
  return rows.map(({ id }) => id);
};

const rowsOf = (person: Person) =>
  service.database.sql`select id from latchkey.passkeys where user_id = ${person.signedUp.body.user.id}`;

describe('the list of passkeys', () => {
  test('contains exactly the passkeys of the account, oldest first', async () => {
    const authenticator = newAuthenticator({ aaguid: iCloud, transports: ['internal'] });
    const person = await signUp(service, { authenticator });
    const createdAt = await timeOf(service);
    await service.turnClock({ seconds: 90 });
    const second = newAuthenticator({ transports: ['usb'], backupEligible: false });
    await addPasskey(person.browser, second, { label: 'Blue key' });
    const answer = await person.browser.get(devices);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      devices: [
        {
          id: idOf(person),
          label: 'iCloud Keychain',
          provider: 'iCloud Keychain',
          aaguid: iCloud,
          transports: ['internal'],
          attested: false,
          backupEligible: true,
          backedUp: true,
          createdAt,
          lastUsedAt: null,
          lastUsedIp: null,
          lastUsedUserAgent: null,
          current: true,
        },
        {
          id: expect.stringMatching(/^[\da-f-]{36}$/),
          label: 'Blue key',
          provider: null,
          aaguid: '00000000-0000-0000-0000-000000000000',
          transports: ['usb'],
          attested: false,
          backupEligible: false,
          backedUp: false,
          createdAt: await timeOf(service),
          lastUsedAt: null,
          lastUsedIp: null,
          lastUsedUserAgent: null,
          current: false,
        },
      ],
    });
  });

  test('shows when a passkey was last used', async () => {
    const { browser, authenticator } = await signUp(service);
    await service.turnClock({ seconds: 5 });
    await logIn(browser, authenticator);
    expect(await list(browser)).toMatchObject([{ lastUsedAt: await timeOf(service) }]);
  });

  test('does not contain passkeys of other users', async () => {
    const [one, other] = [await signUp(service), await signUp(service)];
    expect((await list(one.browser)).map(({ id }: { id: string }) => id)).toEqual([idOf(one)]);
    expect((await list(other.browser)).map(({ id }: { id: string }) => id)).toEqual([idOf(other)]);
  });
});

describe('adding a passkey', () => {
  test('starts with options that contain the user handle and exclude the existing passkeys', async () => {
    const { browser, authenticator } = await signUp(service);
    const [credential] = authenticator.credentials;
    const answer = await browser.post(`${devices}/add`, {});
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['options']);
    expect(answer.body.options).toMatchObject({
      rp: { id: 'localhost' },
      user: { id: credential?.userHandle },
      excludeCredentials: [{ id: credential?.id, type: 'public-key', transports: ['internal', 'hybrid'] }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await expect(authenticator.create(answer.body.options)).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidStateError' }),
    );
  });

  test('can start with a request without a body', async () => {
    const { browser } = await signUp(service);
    expect((await browser.post(`${devices}/add`)).body.options.challenge).toEqual(expect.any(String));
  });

  test.each([
    [onePassword, '1Password'],
    ['00000000-0000-0000-0000-000000000000', 'Passkey'],
  ])('with the AAGUID %s and without a label sets the label “%s”', async (aaguid, label) => {
    const { browser } = await signUp(service);
    const authenticator = newAuthenticator({ aaguid });
    const { status, body } = await addPasskey(browser, authenticator);
    expect(status).toBe(201);
    const [, device] = await list(browser);
    expect(body).toEqual({ device: { ...device, hasDefaultLabel: true }, recoveryCodes: null });
    expect(body.device.label).toBe(label);
  });

  test('lets the new passkey sign in', async () => {
    const { browser, username } = await signUp(service);
    const authenticator = newAuthenticator();
    await addPasskey(browser, authenticator);
    const answer = await logIn(service.browser(), authenticator, { username });
    expect(answer.body.user.username).toBe(username);
  });

  test('rejects a passkey that the account already has', async () => {
    const { browser, authenticator } = await signUp(service);
    const taken = Buffer.from(authenticator.credentials[0]?.id ?? '', 'base64url');
    const answer = await addPasskey(browser, newAuthenticator(), { tamper: { credentialId: taken } });
    expectProblem(answer, 'passkey_already_registered');
    expect(await list(browser)).toHaveLength(1);
  });

  test('rejects a challenge that was issued to another user, even in the same browser', async () => {
    const [owner, thief] = [await signUp(service), await signUp(service)];
    const { options } = (await owner.browser.post(`${devices}/add`, {})).body;
    const binding = owner.browser.cookies.get('latchkey-binding');
    thief.browser.cookies.set('latchkey-binding', `${binding}`);
    const credential = await newAuthenticator().create(options);
    expectProblem(await thief.browser.post(`${devices}/add`, { credential }), 'registration_failed');
    expect([await list(owner.browser), await list(thief.browser)]).toMatchObject([[{}], [{}]]);
  });

  test('rejects a challenge that was issued to the same user in another browser', async () => {
    const { browser, authenticator } = await signUp(service);
    const elsewhere = service.browser();
    await logIn(elsewhere, authenticator);
    const { options } = (await browser.post(`${devices}/add`, {})).body;
    const credential = await newAuthenticator().create(options);
    expectProblem(await elsewhere.post(`${devices}/add`, { credential }), 'registration_failed');
    expect(await list(browser)).toHaveLength(1);
  });

  test('is rejected after the session ended', async () => {
    const person = await signUp(service);
    const { options } = (await person.browser.post(`${devices}/add`, {})).body;
    const credential = await newAuthenticator().create(options);
    await person.browser.copy().delete('/auth/session');
    expectProblem(await person.browser.post(`${devices}/add`, { credential }), 'not_authenticated');
    expect(await rowsOf(person)).toHaveLength(1);
  });

  test('is rejected when the session ends just before the passkey is inserted', async () => {
    const person = await signUp(service);
    const { database } = service;
    let ended = 0;
    const instance = await startSecondInstance(service, {}, async (statement) => {
      if (!statement.includes('insert into latchkey.passkeys')) return;
      ended += (
        await database.sql`delete from latchkey.sessions where user_id = ${person.signedUp.body.user.id}`
      ).count;
    });
    const answer = await addPasskey(instance.browser(person.browser.cookies));
    await instance.close();
    expect(ended).toBe(1);
    expectProblem(answer, 'not_authenticated');
    expect(await rowsOf(person)).toHaveLength(1);
  });
});

const accepted = [
  ['text with spaces around it, and the spaces are removed', '  My phone\t', 'My phone'],
  ['one character', 'x', 'x'],
  ['64 characters', 'x'.repeat(64), 'x'.repeat(64)],
  ['64 emoji', '🔑'.repeat(64), '🔑'.repeat(64)],
  ['text with a combining accent, which is normalized', 'cafe\u0301', 'café'],
  ['text in any script', 'مفتاح 钥匙 ключ', 'مفتاح 钥匙 ключ'],
  ['markup, which is stored unchanged', `<b>"Ann's"</b>`, `<b>"Ann's"</b>`],
] as const;

const rejected = [
  ['empty', ''],
  ['blank', ' \u3000\t'],
  ['65 characters', 'x'.repeat(65)],
  ['65 emoji', '🔑'.repeat(65)],
  ['text with a line break', 'a\r\nb'],
  ['text with a bell character', 'a\u0007b'],
  ['text with NUL', 'a\u0000b'],
  ['text with DEL', 'a\u007fb'],
  ['text with a C1 control character', 'a\u0085b'],
  ['a lone surrogate', 'a\ud800b'],
  ['a number', 5],
  ['null', null],
  ['a list', ['a']],
  ['an object', { a: 'b' }],
] as const;

describe('a label', () => {
  let person: Person;
  beforeAll(async () => {
    person = await signUp(service);
  });

  test.each(accepted)('can be %s', async (_, label, stored) => {
    const { status, body } = await person.browser.patch(`${devices}/${idOf(person)}`, { label });
    expect(status).toBe(200);
    expect(body).toEqual({ device: (await list(person.browser))[0] });
    expect(body.device.label).toBe(stored);
  });

  test.each(rejected)('cannot be %s', async (_, label) => {
    const before = await list(person.browser);
    const answer = await person.browser.patch(`${devices}/${idOf(person)}`, { label });
    expectProblem(answer, 'invalid_request', { errors: [{ path: 'label', message: expect.any(String) }] });
    expect(await list(person.browser)).toEqual(before);
  });

  test('is required when a passkey is renamed', async () => {
    const answer = await person.browser.patch(`${devices}/${idOf(person)}`, {});
    expectProblem(answer, 'invalid_request', {
      errors: [{ path: 'label', message: 'this property is required' }],
    });
  });

  test.each(['provider', 'aaguid', 'id', 'userId', 'backedUp', 'lastUsedAt'])(
    'is the only property that a rename accepts: %s is rejected',
    async (property) => {
      const before = await list(person.browser);
      const answer = await person.browser.patch(`${devices}/${idOf(person)}`, {
        label: 'x',
        [property]: 'y',
      });
      expectProblem(answer, 'invalid_request', {
        errors: [{ path: property, message: 'this property is unknown' }],
      });
      expect(await list(person.browser)).toEqual(before);
    },
  );

  test('that is rejected does not use up the challenge, so the passkey can be added with another label', async () => {
    const { browser } = await signUp(service);
    const { options } = (await browser.post(`${devices}/add`, {})).body;
    const credential = await newAuthenticator().create(options);
    for (const [, label] of rejected) {
      const answer = await browser.post(`${devices}/add`, { credential, label });
      expectProblem(answer, 'invalid_request', { errors: [{ path: 'label', message: expect.any(String) }] });
    }
    const answer = await browser.post(`${devices}/add`, { credential, label: ' Desk ' });
    expect(answer.body.device.label).toBe('Desk');
  });
});

describe('renaming a passkey', () => {
  test('changes only the label', async () => {
    const person = await signUp(service);
    await logIn(person.browser, person.authenticator);
    const [before] = await list(person.browser);
    expect(before.lastUsedAt).not.toBeNull();
    await service.turnClock({ seconds: 7 });
    const { body } = await person.browser.patch(`${devices}/${idOf(person)}`, { label: 'Renamed' });
    expect(body.device).toEqual({ ...before, label: 'Renamed' });
  });

  test('returns the same error for another user’s passkey as for an unknown id', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    const label = 'mine now';
    for (const id of [idOf(other), unknownId, ...malformedIds]) {
      expectProblem(await person.browser.patch(`${devices}/${id}`, { label }), 'not_found');
    }
    expect(await list(other.browser)).toMatchObject([{ label: 'Passkey' }]);
  });
});

describe('removing passkeys', () => {
  test('prevents further sign-ins with the removed passkey', async () => {
    const person = await signUp(service);
    const authenticator = newAuthenticator();
    const { device } = (await addPasskey(person.browser, authenticator)).body;
    const answer = await person.browser.delete(`${devices}/${device.id}`);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(await list(person.browser)).toMatchObject([{ id: idOf(person) }]);
    expectProblem(await logIn(service.browser(), authenticator), 'authentication_failed', {
      reason: 'unknown_credential',
    });
    expectProblem(await person.browser.delete(`${devices}/${device.id}`), 'not_found');
  });

  test('lets the user add the same passkey again', async () => {
    const person = await signUp(service);
    const credentialId = randomBytes(16);
    const { device } = (await addPasskey(person.browser, newAuthenticator(), { tamper: { credentialId } }))
      .body;
    await person.browser.delete(`${devices}/${device.id}`);
    const answer = await addPasskey(person.browser, newAuthenticator(), { tamper: { credentialId } });
    expect(answer.status).toBe(201);
  });

  test('returns the same error for another user’s passkey as for an unknown id', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    await addRows(person, 1);
    for (const id of [idOf(other), unknownId, ...malformedIds]) {
      expectProblem(await person.browser.delete(`${devices}/${id}`), 'not_found');
    }
    expect(await list(other.browser)).toHaveLength(1);
  });

  test('is rejected for the last passkey, which can still sign in', async () => {
    const person = await signUp(service);
    expectProblem(await person.browser.delete(`${devices}/${idOf(person)}`), 'last_credential');
    expect(await list(person.browser)).toHaveLength(1);
    expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
  });

  test('keeps one of the last two if both are removed concurrently (20 rounds)', async () => {
    const person = await signUp(service);
    const instance = await startSecondInstance(service);
    const browsers = [person.browser, instance.browser(person.browser.cookies)];
    for (let round = 0; round < 20; round += 1) {
      await addRows(person, 1);
      const targets = await rowsOf(person);
      const answers = await together(
        targets.map(
          ({ id }, index) =>
            () =>
              (browsers[(index + round) % 2] as TestAgent).delete(`${devices}/${id}`),
        ),
      );
      expect(sortedStatuses(answers)).toEqual([204, 409]);
      expect(await rowsOf(person)).toHaveLength(1);
    }
    await instance.close();
  });

  test('keeps one of fifty if all are removed concurrently', async () => {
    for (let round = 0; round < 2; round += 1) {
      const person = await signUp(service);
      const targets = [idOf(person), ...(await addRows(person, 49))];
      const answers = await together(targets.map((id) => () => person.browser.delete(`${devices}/${id}`)));
      expect(sortedStatuses(answers)).toEqual([...times(49, 204), 409]);
      expect(await rowsOf(person)).toHaveLength(1);
    }
  });

  test('succeeds only once if ten concurrent requests remove the same passkey', async () => {
    const person = await signUp(service);
    for (let round = 0; round < 10; round += 1) {
      const [target] = await addRows(person, 1);
      const answers = await together(times(10, () => person.browser.delete(`${devices}/${target}`)));
      expect(sortedStatuses(answers)).toEqual([204, ...times(9, 404)]);
    }
    expect(await rowsOf(person)).toHaveLength(1);
  });

  test('always leaves a passkey, even if another passkey is added concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await signUp(service);
      const { options } = (await person.browser.post(`${devices}/add`, {})).body;
      const authenticator = newAuthenticator();
      const credential = await authenticator.create(options);
      const [added, removed] = await together([
        () => person.browser.post(`${devices}/add`, { credential }),
        () => person.browser.delete(`${devices}/${idOf(person)}`),
      ]);
      expect(added?.status).toBe(201);
      expect([204, 409]).toContain(removed?.status);
      expect(await rowsOf(person)).toHaveLength(removed?.status === 204 ? 1 : 2);
      expect((await logIn(service.browser(), authenticator)).status).toBe(200);
    }
  });
});

describe('fresh authentication', () => {
  const needsFresh = [
    ['starting to add a passkey', (browser: TestAgent) => browser.post(`${devices}/add`, {}), 200],
    ['removing a passkey', (browser: TestAgent, spare: string) => browser.delete(`${devices}/${spare}`), 204],
  ] as const;
  const needsNoFresh = [
    ['listing passkeys', (browser: TestAgent) => browser.get(devices), 200],
    [
      'renaming a passkey',
      (browser: TestAgent, spare: string) => browser.patch(`${devices}/${spare}`, { label: 'x' }),
      200,
    ],
  ] as const;

  test.each(needsFresh)('allows %s for ten minutes, and no longer', async (_, act, ok) => {
    const person = await signUp(service);
    const spares = await addRows(person, 2);
    await service.turnClock({ minutes: 10 });
    expect((await act(person.browser, `${spares[0]}`)).status).toBe(ok);
    await service.turnClock({ seconds: 0.001 });
    const before = await list(person.browser);
    expectProblem(await act(person.browser, `${spares[1]}`), 'reauthentication_required');
    expect(await list(person.browser)).toEqual(before);
  });

  test('is checked again when the new passkey is sent', async () => {
    const { browser, authenticator } = await signUp(service);
    await service.turnClock({ minutes: 9 });
    const { options } = (await browser.post(`${devices}/add`, {})).body;
    const credential = await newAuthenticator().create(options);
    await service.turnClock({ minutes: 1, seconds: 1 });
    expectProblem(await browser.post(`${devices}/add`, { credential }), 'reauthentication_required');
    // The service checks the authentication before it reads the body. So the rejected request did not use up the
    // challenge, and the passkey can be added after a step-up.
    await stepUp(browser, authenticator);
    expect((await browser.post(`${devices}/add`, { credential })).status).toBe(201);
  });

  test.each(needsNoFresh)('is not needed for %s', async (_, act, ok) => {
    const person = await signUp(service);
    const [spare] = await addRows(person, 1);
    await service.turnClock({ minutes: 11 });
    expect((await act(person.browser, `${spare}`)).status).toBe(ok);
  });

  test('is renewed by a step-up', async () => {
    const person = await signUp(service);
    const [spare] = await addRows(person, 1);
    await service.turnClock({ minutes: 10, seconds: 1 });
    expectProblem(await person.browser.delete(`${devices}/${spare}`), 'reauthentication_required');
    await stepUp(person.browser, person.authenticator);
    expect((await person.browser.delete(`${devices}/${spare}`)).status).toBe(204);
  });

  test('lasts as long as REAUTHENTICATION_WINDOW', async () => {
    const instance = await startSecondInstance(service, { env: { REAUTHENTICATION_WINDOW: '30' } });
    const person = await signUp(service);
    const browser = instance.browser(person.browser.cookies);
    await service.turnClock({ seconds: 30 });
    expect((await browser.post(`${devices}/add`, {})).status).toBe(200);
    await service.turnClock({ seconds: 0.001 });
    expectProblem(await browser.post(`${devices}/add`, {}), 'reauthentication_required');
    await instance.close();
  });
});

test.each([
  ['GET', devices],
  ['POST', `${devices}/add`],
  ['PATCH', `${devices}/${unknownId}`],
  ['DELETE', `${devices}/${unknownId}`],
])('%s %s requires a session', async (method, path) => {
  expectProblem(await service.browser().request(method, path), 'not_authenticated');
});
