import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitedServices } from '../support/limited-services.ts';
import { inTurn, statuses, times } from '../support/many-requests.ts';
import { type RawAnswer, send } from '../support/raw-request.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const limits = limitedServices();

/** A cross-origin request, as a page of another site can start it in a visitor's browser. */
const attack = (
  { url }: ServiceOn,
  { ip = '192.0.2.1', origin = 'https://evil.example', path = '/auth/session', site = 'cross-site' } = {},
): Promise<RawAnswer> =>
  send(url, path, {
    method: 'DELETE',
    headers: { Origin: origin, 'Sec-Fetch-Site': site, 'X-Forwarded-For': ip },
  });

const linesOf = ({ logged }: ServiceOn) => logged.filter(({ message }) => message.startsWith('rejected'));
const countsOf = ({ logged }: ServiceOn) =>
  logged.filter(({ message }) => message.startsWith('more requests')).map(({ fields }) => fields);

describe('the log of cross-origin requests', () => {
  test('contains at most 200 characters of each value of the request', async () => {
    const instance = await limits.start(service, { trustedProxies: 1 });
    const long = 'x'.repeat(5000);
    const answer = await attack(instance, { origin: `https://${long}`, path: `/auth/${long}`, site: long });
    expect(answer.status).toBe(403);
    expect(instance.logged).toHaveLength(1);
    expect(instance.logged[0]).toMatchObject({
      level: 'warn',
      fields: { ip: '192.0.2.1', origin: `https://${'x'.repeat(192)}…`, site: `${'x'.repeat(200)}…` },
      message: `rejected a cross-origin DELETE /auth/${'x'.repeat(187)}…`,
    });
    expect(JSON.stringify(instance.logged).length).toBeLessThan(1000);
  });

  test('contains five requests of an IP address in each minute, then the number of the others', async () => {
    const instance = await limits.start(service, { trustedProxies: 1 });
    const answers = await inTurn(100, () => attack(instance));
    expect(new Set(statuses(answers))).toEqual(new Set([403]));
    expect(linesOf(instance)).toHaveLength(5);
    await attack(instance, { ip: '192.0.2.2' });
    expect(linesOf(instance)).toHaveLength(6);

    limits.turnClock({ seconds: 59 });
    await attack(instance);
    expect([linesOf(instance).length, countsOf(instance)]).toEqual([6, []]);
    limits.turnClock({ seconds: 1 });
    await attack(instance);
    expect([linesOf(instance).length, countsOf(instance)]).toEqual([7, [{ unlogged: 96 }]]);
    await inTurn(4, () => attack(instance));
    expect(linesOf(instance)).toHaveLength(11);
  });

  test('contains at most fifty requests per minute, even if each has a different IP address', async () => {
    const instance = await limits.start(service, { trustedProxies: 1 });
    for (let n = 0; n < 300; n += 1)
      await attack(instance, { ip: `2001:db8:${n.toString(16)}::1`, origin: `https://${'e'.repeat(9000)}` });
    expect(linesOf(instance)).toHaveLength(50);
    expect(JSON.stringify(instance.logged).length).toBeLessThan(50 * 700);
  });

  test('counts all addresses of an IPv6 network together', async () => {
    const instance = await limits.start(service, { trustedProxies: 1 });
    for (let n = 0; n < 20; n += 1) await attack(instance, { ip: `2001:db8::${n.toString(16)}` });
    expect(linesOf(instance)).toHaveLength(5);
  });

  test('says how many requests it does not contain when the service closes', async () => {
    const instance = await limits.start(service, {});
    await inTurn(8, () => attack(instance));
    await instance.auth.close();
    expect(countsOf(instance)).toEqual([{ unlogged: 3 }]);
  });

  test('has the same limits for `auth.sessionOf`', async () => {
    const instance = await limits.start(service, {});
    const request = { method: 'DELETE', url: '/files', headers: { origin: `https://${'x'.repeat(5000)}` } };
    const found = await Promise.all(times(50, request).map((each) => instance.auth.sessionOf(each)));
    expect(new Set(found)).toEqual(new Set([null]));
    expect(linesOf(instance)).toHaveLength(5);
    expect(JSON.stringify(instance.logged).length).toBeLessThan(3000);
  });
});

test('a page of another site cannot use up the budgets of its visitors', async () => {
  const rateLimits = { write: { address: { max: 3, seconds: 60 } } };
  const instance = await limits.start(service, { trustedProxies: 1, rateLimits });
  await inTurn(50, () => attack(instance));
  const headers = { Origin: 'http://localhost:3000', 'X-Forwarded-For': '192.0.2.1' };
  const own = await inTurn(4, () => send(instance.url, '/auth/session', { method: 'DELETE', headers }));
  expect(statuses(own)).toEqual([204, 204, 204, 429]);
});
