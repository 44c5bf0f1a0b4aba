import { LRUCache } from 'lru-cache';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';

const day = 86_400;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    rateLimit: true,
    rateLimits: { read: { address: { max: 1, seconds: day } } },
    trustedProxies: 1,
  });
});
afterAll(() => service.close());

const addressOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

test('after requests from 110,000 IP addresses, the counters of the last 100,000 remain', async () => {
  const askFrom = async (address: string): Promise<number> =>
    (await service.browser().get('/auth/session', { 'X-Forwarded-For': address })).status;

  const setting = vi.spyOn(LRUCache.prototype, 'set');
  expect([await askFrom('192.0.2.1'), await askFrom('192.0.2.1')]).toEqual([401, 429]);
  const keyOf = (address: string) => `latchkey:localhost:read:address:${address}`;
  const call = setting.mock.calls.findIndex(([key]) => key === keyOf('192.0.2.1'));
  // The test fills the service's counters directly, because 110,000 requests would take 15 seconds.
  const counters = setting.mock.contexts[call] as LRUCache<string, object>;
  const [, counter] = setting.mock.calls[call] as [string, object];
  setting.mockRestore();
  for (let index = 0; index < 110_000; index++)
    counters.set(keyOf(addressOf(index)), { ...counter, remaining: 0 }, { ttl: day * 1000 });

  // The counters with the numbers 109,999 (the last) and 11,000 remain. Number 9,000 and the very first are gone.
  expect([await askFrom(addressOf(109_999)), await askFrom(addressOf(11_000))]).toEqual([429, 429]);
  expect([await askFrom(addressOf(9_000)), await askFrom('192.0.2.1')]).toEqual([401, 401]);
});
