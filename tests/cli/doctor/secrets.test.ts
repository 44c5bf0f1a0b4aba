import type { SecretUse, SecretUses } from 'latchkey';
import { expect, test } from 'vitest';
import { examineSecretUses } from '../../../cli/doctor/secrets.ts';

const none: SecretUse = { passwords: 0, recoveryCodes: 0, recoveryCodesExpireAt: null, webhooks: [] };
const uses = (given: Partial<SecretUses>): SecretUses => ({
  secrets: [none],
  removed: none,
  auditLogSigned: true,
  ...given,
});
const messages = (given: Partial<SecretUses>, timeoutMs = 60_000) =>
  examineSecretUses(uses(given), timeoutMs).map(({ level, message }) => `${level}: ${message}`);

test('the doctor says nothing about a single secret', () => {
  expect(messages({ secrets: [{ ...none, passwords: 3, recoveryCodes: 10, webhooks: ['siem'] }] })).toEqual(
    [],
  );
});

test('the doctor names everything that needs an earlier secret, and until when', () => {
  const earlier = { passwords: 2, recoveryCodes: 11, recoveryCodesExpireAt: null, webhooks: ['siem', 'crm'] };
  expect(messages({ secrets: [none, earlier] })).toEqual([
    'ok: keep secret 2 of 2, which is needed for 2 passwords, each until its user signs in with the password; ' +
      '11 recovery codes, until the users create new ones; ' +
      'the webhook siem, until `latchkey webhooks rotate-secret siem`; ' +
      'the webhook crm, until `latchkey webhooks rotate-secret crm`',
  ]);
  const expiring = { ...none, recoveryCodes: 1, recoveryCodesExpireAt: '2026-07-01T12:00:00.000Z' };
  expect(messages({ secrets: [none, expiring] })).toEqual([
    'ok: keep secret 2 of 2, which is needed for 1 recovery code, until 2026-07-01, or until the users create new ones',
  ]);
});

test('the doctor says after how many seconds an unused earlier secret can be removed', () => {
  const secrets = [none, none, none];
  expect(messages({ secrets })).toEqual([
    expect.stringMatching(/^ok: nothing in the database needs secret 2 of 3\. .* for 300 seconds$/),
    expect.stringMatching(/^ok: nothing in the database needs secret 3 of 3\. .* for 300 seconds$/),
  ]);
  expect(messages({ secrets: [none, none] }, 600_001)).toEqual([expect.stringMatching(/for 601 seconds$/)]);
});

test('the doctor warns until the first secret has signed the audit log', () => {
  expect(messages({ secrets: [none, none], auditLogSigned: false })).toEqual([
    expect.stringContaining('nothing in the database'),
    'warning: the first secret has not signed the audit log yet',
  ]);
});

test('the doctor warns about passwords and recovery codes of a removed secret', () => {
  expect(messages({ removed: { ...none, passwords: 1, recoveryCodes: 10, webhooks: ['siem'] } })).toEqual([
    'warning: a secret that is not in JWT_SECRET is needed for 1 password and 10 recovery codes',
  ]);
  expect(messages({ removed: { ...none, webhooks: ['siem'] } })).toEqual([]);
});
