import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomBytesOf } from '../support/random.ts';
import { sequence } from '../support/sequencing.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret as testSecret } from '../support/test-service.ts';
import { logInByPassword, signUpWithPassword } from './support/passwords.ts';
import { generateCodes, useCode } from './support/recovery.ts';

const randomBytes = randomBytesOf('features/secret-uses');
const newSecret = () => randomBytes(32).toString('base64url');
const [oldest, old, current] = [newSecret(), newSecret(), newSecret()] as [string, string, string];
const nothing = { passwords: 0, recoveryCodes: 0, recoveryCodesExpireAt: null, webhooks: [] };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function withSecrets<T>(
  secret: string[],
  act: (service: ServiceOn) => Promise<T>,
  options: Parameters<typeof startServiceOn>[1] = {},
): Promise<T> {
  const webhooks = { allowedNetworks: ['127.0.0.0/8'] };
  const service = await startServiceOn(database.url, { secret, bcryptCost: 4, webhooks, ...options });
  try {
    return await act(service);
  } finally {
    await service.close();
  }
}
const usesOf = (secret: string[], options = {}) =>
  withSecrets(secret, ({ auth }) => auth.asOperator('ops').secretUses(), options);

test('a new database needs no secret', async () => {
  expect(await usesOf([current])).toEqual({ secrets: [nothing], removed: nothing, auditLogSigned: true });
});

test('passwords, recovery codes and webhooks are counted under the secret that they need', async () => {
  const [ada, ben] = await withSecrets([old], async (service) => {
    const people = [await signUpWithPassword(service), await signUpWithPassword(service)] as const;
    for (const { browser } of people) await generateCodes(browser);
    await service.auth
      .asOperator('ops')
      .webhooks.create({ name: 'siem', url: 'https://127.0.0.1:1/', events: ['user.'] });
    return people;
  });
  const everything = { passwords: 2, recoveryCodes: 20, recoveryCodesExpireAt: null, webhooks: ['siem'] };
  expect(await usesOf([old])).toMatchObject({ secrets: [everything], removed: nothing });
  expect(await usesOf([current, oldest, old])).toMatchObject({
    secrets: [nothing, nothing, everything],
    removed: nothing,
  });
  expect(await usesOf([current])).toMatchObject({ secrets: [nothing], removed: everything });

  // What the guide names for each value moves it to the first secret.
  await withSecrets([current, old], async (service) => {
    expect((await logInByPassword(service.browser(), ada)).status).toBe(200);
    expect((await generateCodes(service.browser(ada.browser.cookies))).length).toBe(10);
    await service.auth.asOperator('ops').webhooks.rotateSecret('siem');
  });
  const half = { passwords: 1, recoveryCodes: 10 };
  expect(await usesOf([current, old])).toMatchObject({
    secrets: [
      { ...half, webhooks: ['siem'] },
      { ...half, webhooks: [] },
    ],
  });

  // Used codes and deleted users need no secret.
  await withSecrets([current, old], async (service) => {
    const [code] = await generateCodes(service.browser(ada.browser.cookies));
    expect((await useCode(service.browser(), ada, code)).status).toBe(200);
    await service.auth.asOperator('ops').users.delete(ben.username);
  });
  expect(await usesOf([current, old])).toMatchObject({
    secrets: [{ passwords: 1, recoveryCodes: 9 }, nothing],
  });
});

test('the expiry of recovery codes is that of the last code, if all codes expire', async () => {
  const secret = [newSecret()];
  const expiring = { recoveryCodeExpiryDays: 30 };
  const person = await withSecrets(
    secret,
    async (service) => {
      const one = await signUpWithPassword(service);
      await generateCodes(one.browser);
      return one;
    },
    expiring,
  );
  const [row] = await database.sql<{ at: Date }[]>`
    select max(expires_at) as at from latchkey.recovery_codes
    where user_id = ${person.signedUp.body.user.id}`;
  const [uses] = (await usesOf(secret, expiring)).secrets;
  expect(Date.parse(`${uses?.recoveryCodesExpireAt}`)).toBe(row?.at.getTime());
});

test('the audit log needs the other secrets until the first one has signed it, unless it has a key of its own', async () => {
  // Signs with the secret of the test services.
  await sequence(database.sql);
  expect((await usesOf([testSecret, current])).auditLogSigned).toBe(true);
  expect((await usesOf([current, testSecret])).auditLogSigned).toBe(false);
  const auditSigningKey = newSecret();
  expect((await usesOf([current, testSecret], { auditSigningKey })).auditLogSigned).toBe(true);
});
