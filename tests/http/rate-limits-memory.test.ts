import { LRUCache } from 'lru-cache';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';

const day = 86_400;

let service: TestService;
beforeAll(async () => {
  const account = { max: 1, seconds: day };
  service = await startTestService({
    rateLimit: true,
    rateLimits: { read: { address: { max: 1, seconds: day } }, password: { account } },
    trustedProxies: 1,
    bcryptCost: 4,
  });
});
afterAll(() => service.close());

const addressOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
const keyOf = (address: string) => `latchkey:localhost:read:address:${address}`;

const askFrom = async (address: string): Promise<number> =>
  (await service.browser().get('/auth/session', { 'X-Forwarded-For': address })).status;

/** Fills the service's counters directly, because 110,000 requests would take 15 seconds. */
async function fillAddresses(): Promise<void> {
  const setting = vi.spyOn(LRUCache.prototype, 'set');
  expect([await askFrom('192.0.2.1'), await askFrom('192.0.2.1')]).toEqual([401, 429]);
  const call = setting.mock.calls.findIndex(([key]) => key === keyOf('192.0.2.1'));
  const counters = setting.mock.contexts[call] as LRUCache<string, object>;
  const [, counter] = setting.mock.calls[call] as [string, object];
  setting.mockRestore();
  for (let index = 0; index < 110_000; index++)
    counters.set(keyOf(addressOf(index)), { ...counter, remaining: 0 }, { ttl: day * 1000 });
}

test('after requests from 110,000 IP addresses, the counters of the last 100,000 and of all accounts remain', async () => {
  const guess = async (): Promise<number> => {
    const body = { username: 'guessed', password: 'a guess of a password' };
    return (await service.browser().post('/auth/password/login', body)).status;
  };
  expect([await guess(), await guess()]).toEqual([401, 429]);
  await fillAddresses();

  // The counters with the numbers 109,999 (the last) and 11,000 remain. Number 9,000 and the very first are gone.
  expect([await askFrom(addressOf(109_999)), await askFrom(addressOf(11_000))]).toEqual([429, 429]);
  expect([await askFrom(addressOf(9_000)), await askFrom('192.0.2.1')]).toEqual([401, 401]);
  expect(await guess()).toBe(429);
});
