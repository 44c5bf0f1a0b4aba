import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa from 'koa';
import { createAuthRouter } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    rateLimit: true,
    rateLimits: { read: { address: { max: 1, seconds: 86_400 } } },
    trustedProxies: 1,
  });
});
afterAll(() => service.close());

// Every answer is an error, and collecting its stack trace takes longer than counting it.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

const addressOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

test('after 110,000 addresses, the counters of the last 100,000 remain', async () => {
  // Without a network, which would take most of the time.
  const handle = new Koa().use(createAuthRouter(service.auth).routes()).callback();
  const socket = new Socket();
  const askFrom = async (address: string): Promise<number> => {
    const request = new IncomingMessage(socket);
    Object.assign(request, { method: 'GET', url: '/auth/session', headers: { 'x-forwarded-for': address } });
    const response = new ServerResponse(request);
    await handle(request, response);
    return response.statusCode;
  };

  expect([await askFrom('192.0.2.1'), await askFrom('192.0.2.1')]).toEqual([401, 429]);
  const answers = new Set<number>();
  for (let index = 0; index < 110_000; index++) answers.add(await askFrom(addressOf(index)));
  expect([...answers]).toEqual([401]);

  // The last counter and the one 98,999 before it remain; the first ones are gone.
  expect([await askFrom(addressOf(109_999)), await askFrom(addressOf(11_000))]).toEqual([429, 429]);
  expect([await askFrom(addressOf(9_000)), await askFrom('192.0.2.1')]).toEqual([401, 401]);
});
