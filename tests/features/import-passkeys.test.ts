import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, newAuthenticator, type Person, signUp, stepUp } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  type ForeignPasskey,
  foreignPasskey,
  importAll,
  importedUser,
  importOne,
  newHandle,
  refusalOf,
} from './support/imports.ts';

let service: TestService;
let someone: Person;
beforeAll(async () => {
  service = await startTestService();
  someone = await signUp(service);
});
afterAll(() => service.close());

const lastReason = async (): Promise<unknown> => (await service.auditRows()).at(-1)?.details.reason;
const row = async ({ record }: ForeignPasskey) => {
  const [found] = await service.database.sql`
    select passkeys.* from latchkey.passkeys where credential_id = ${record.credentialId}`;
  return found;
};
const userHandle = (given: string | null) => ({ userHandle: given as string });

describe('an imported passkey', () => {
  test('signs in with the user handle of the user, with and without a username', async () => {
    const passkey = await foreignPasskey();
    const user = importedUser({ userHandle: passkey.userHandle, passkeys: [passkey.record] });
    await importOne(service, user);
    expect((await logIn(service.browser(), passkey.authenticator)).status).toBe(200);
    const { username } = user;
    const named = await logIn(service.browser(), passkey.authenticator, { username });
    expect([named.status, named.body.user.username]).toEqual([200, username]);
  });

  test('authenticates the user again, and new passkeys get the imported user handle', async () => {
    const passkey = await foreignPasskey();
    await importOne(service, importedUser({ userHandle: passkey.userHandle, passkeys: [passkey.record] }));
    const browser = service.browser();
    await logIn(browser, passkey.authenticator);
    expect((await stepUp(browser, passkey.authenticator)).status).toBe(200);
    const { options } = (await browser.post('/auth/passkey/devices/add', {})).body;
    expect(options.user.id).toBe(passkey.userHandle);
  });

  test('signs in with its own user handle, and with no other one', async () => {
    const [first, second] = [await foreignPasskey(), await foreignPasskey()];
    const passkeys = [first, second].map((one) => ({ ...one.record, userHandle: one.userHandle }));
    await importOne(service, importedUser({ passkeys }));
    for (const one of [first, second])
      expect((await logIn(service.browser(), one.authenticator)).status).toBe(200);
    for (const other of [second.userHandle, newHandle(), '']) {
      const { status } = await logIn(service.browser(), first.authenticator, {
        tamper: userHandle(other),
      });
      expect([status, await lastReason()]).toEqual([401, 'user_handle_mismatch']);
    }
  });

  test('with an unknown user handle learns it at the first sign-in, and then accepts only this one', async () => {
    const passkey = await foreignPasskey();
    await importOne(service, importedUser({ passkeys: [passkey.record] }));
    expect(await row(passkey)).toMatchObject({ user_handle: null, learns_user_handle: true });
    expect((await logIn(service.browser(), passkey.authenticator)).status).toBe(200);
    expect(await row(passkey)).toMatchObject({
      user_handle: passkey.userHandle,
      learns_user_handle: false,
    });
    const other = await logIn(service.browser(), passkey.authenticator, {
      tamper: userHandle(newHandle()),
    });
    expect([other.status, await lastReason()]).toEqual([401, 'user_handle_mismatch']);
    expect((await logIn(service.browser(), passkey.authenticator)).status).toBe(200);
  });

  test.each<[what: string, handle: () => string]>([
    ['of another account', () => someone.authenticator.credentials[0]?.userHandle ?? ''],
    ['of 65 bytes', () => newHandle(65)],
    ['without bytes', () => ''],
    ['that is not base64url', () => 'AA=='],
  ])('with an unknown user handle does not learn one %s', async (_, handle) => {
    const passkey = await foreignPasskey();
    await importOne(service, importedUser({ passkeys: [passkey.record] }));
    const { status } = await logIn(service.browser(), passkey.authenticator, {
      tamper: userHandle(handle()),
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(await row(passkey)).toMatchObject({ user_handle: null, learns_user_handle: true });
  });

  test('with an unknown user handle learns nothing from a failed verification', async () => {
    const passkey = await foreignPasskey();
    await importOne(service, importedUser({ passkeys: [passkey.record] }));
    const forged = await logIn(service.browser(), passkey.authenticator, {
      tamper: { ...userHandle(newHandle()), afterSigning: { signature: (given) => given.fill(0, 8, 12) } },
    });
    expect(forged.status).toBe(401);
    expect(await row(passkey)).toMatchObject({ user_handle: null, learns_user_handle: true });
  });

  test('with an unknown user handle can sign in without a user handle for a username, and learns it later', async () => {
    const passkey = await foreignPasskey();
    const user = importedUser({ passkeys: [passkey.record] });
    await importOne(service, user);
    const without = await logIn(service.browser(), passkey.authenticator, {
      username: user.username,
      tamper: userHandle(null),
    });
    expect(without.status).toBe(200);
    expect(await row(passkey)).toMatchObject({ user_handle: null, learns_user_handle: true });
    await logIn(service.browser(), passkey.authenticator);
    expect(await row(passkey)).toMatchObject({ user_handle: passkey.userHandle });
  });

  test.each([true, false])(
    'with an unknown BE flag learns the flag %s at the first sign-in, and then accepts only this value',
    async (backupEligible) => {
      const passkey = await foreignPasskey({ authenticator: newAuthenticator({ backupEligible }) });
      const { backupEligible: _, backedUp: __, ...record } = passkey.record;
      await importOne(service, importedUser({ userHandle: passkey.userHandle, passkeys: [record] }));
      const { status, body } = await logIn(service.browser(), passkey.authenticator);
      expect([status, body.code]).toEqual([200, undefined]);
      expect(await row(passkey)).toMatchObject({ backup_eligible: backupEligible });
      const other = await logIn(service.browser(), passkey.authenticator, {
        tamper: { flags: { be: !backupEligible, bs: false } },
      });
      expect([other.status, await lastReason()]).toEqual([401, 'backup_eligibility_changed']);
    },
  );

  test('is listed with its label, its times and the name of its provider', async () => {
    const passkey = await foreignPasskey();
    const record = {
      ...passkey.record,
      aaguid: 'FBFC3007-154E-4ECC-8C0B-6E020557D7BD',
      backupEligible: null,
      backedUp: null,
      createdAt: '2024-01-02T03:04:05+01:00',
      lastUsedAt: '2025-01-02T03:04:05Z',
    };
    const second = { ...(await foreignPasskey()).record, label: ' My key ' };
    const createdAt = '2023-05-06T07:08:09.123Z';
    await importOne(
      service,
      importedUser({ createdAt, userHandle: passkey.userHandle, passkeys: [record, second] }),
    );
    const [stored] = await service.database.sql`
      select passkeys.* from latchkey.passkeys where credential_id = ${record.credentialId}`;
    expect(stored).toMatchObject({
      label: 'iCloud Keychain',
      created_at: new Date('2024-01-02T02:04:05Z'),
      last_used_at: new Date(record.lastUsedAt),
      backup_eligible: null,
      backed_up: false,
      user_handle: null,
      learns_user_handle: false,
    });
    const [other] = await service.database.sql`
      select passkeys.* from latchkey.passkeys where credential_id = ${second.credentialId}`;
    expect(other).toMatchObject({ label: 'My key', created_at: new Date(createdAt) });
  });

  test('whose counter does not increase is refused as a clone', async () => {
    const authenticator = newAuthenticator({ counter: 5, counterStep: 1 });
    const passkey = await foreignPasskey({ authenticator });
    const record = { ...passkey.record, counter: 2 ** 32 - 1 };
    await importOne(service, importedUser({ userHandle: passkey.userHandle, passkeys: [record] }));
    const { status } = await logIn(service.browser(), authenticator);
    expect([status, await lastReason()]).toEqual([401, 'counter_not_increased']);
  });

  test('that was removed is reported as unknown only for a user handle of 64 bytes', async () => {
    for (const [bytes, reason] of [
      [16, undefined],
      [64, 'unknown_credential'],
    ] as const) {
      const passkey = await foreignPasskey({ userHandle: newHandle(bytes) });
      const other = await foreignPasskey();
      await importOne(
        service,
        importedUser({
          userHandle: passkey.userHandle,
          passkeys: [passkey.record, { ...other.record, userHandle: other.userHandle }],
        }),
      );
      await service.database
        .sql`delete from latchkey.passkeys where credential_id = ${passkey.record.credentialId}`;
      const { status, body } = await logIn(service.browser(), passkey.authenticator);
      expect([status, body.reason]).toEqual([401, reason]);
    }
  });
});

describe('an import refuses a passkey', () => {
  test.each<[what: string, change: (key: Buffer) => Buffer]>([
    ['with a point that is not on the curve', (key) => key.fill((key.at(-1) ?? 0) ^ 1, key.length - 1)],
    ['with a truncated key', (key) => key.subarray(0, -3)],
    ['with bytes after the key', (key) => Buffer.concat([key, Buffer.from([0])])],
    ['with a key that is not CBOR', () => Buffer.from('AAAA')],
    ['with a key of another algorithm', (key) => key.fill(0x27, 4, 5)],
    [
      'with an Ed25519 key of small order',
      () => Buffer.from(`a4010103272006215820${'00'.repeat(32)}`, 'hex'),
    ],
    ['with a key of more than 2048 bytes', (key) => Buffer.concat([key, Buffer.alloc(2048)])],
  ])('%s', async (_, change) => {
    const { record, userHandle } = await foreignPasskey();
    const publicKey = change(Buffer.from(record.publicKey, 'base64url')).toString('base64url');
    const user = importedUser({ userHandle, passkeys: [{ ...record, publicKey }] });
    expect(await refusalOf(service, user)).toEqual({
      reason: 'passkey_unsupported',
      message: expect.stringMatching(/^passkeys\.0\.publicKey: expected a COSE key/),
    });
  });

  test('that another user has, in the same batch or in the service', async () => {
    const [passkey, other] = [await foreignPasskey(), await foreignPasskey()];
    const existing = someone.authenticator.credentials[0];
    const record = { ...passkey.record, userHandle: passkey.userHandle };
    const { all } = await importAll(service, [
      importedUser({ passkeys: [record] }),
      importedUser({ passkeys: [{ ...other.record }, { ...record, userHandle: newHandle() }] }),
      importedUser({ passkeys: [{ ...other.record, credentialId: existing?.id ?? '' }] }),
    ]);
    expect(all.map(({ line, reason, message }) => [line, reason, message])).toEqual([
      [2, 'passkey_taken', 'passkeys.1.credentialId: another user has this passkey'],
      [3, 'passkey_taken', 'passkeys.0.credentialId: another user has this passkey'],
    ]);
  });

  test('with the user handle of another user or of a passkey of another user', async () => {
    const passkey = await foreignPasskey();
    const own = { ...passkey.record, userHandle: passkey.userHandle };
    await importOne(service, importedUser({ passkeys: [own] }));
    const ofSomeone = someone.authenticator.credentials[0]?.userHandle ?? '';
    for (const [handle, path] of [
      [passkey.userHandle, 'userHandle'],
      [ofSomeone, 'userHandle'],
    ] as const) {
      const expected = { reason: 'user_handle_taken', message: `${path}: another user has this user handle` };
      expect(await refusalOf(service, importedUser({ userHandle: handle }))).toEqual(expected);
      const { record } = await foreignPasskey();
      expect(
        await refusalOf(service, importedUser({ passkeys: [{ ...record, userHandle: handle }] })),
      ).toEqual(expected);
    }
  });
});
