import type { AuthServiceOptions } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullWidth } from '../support/full-width.ts';
import { limitedServices } from '../support/limited-services.ts';
import { statuses, times, together } from '../support/many-requests.ts';
import { newUsername } from '../support/person.ts';
import { send } from '../support/raw-request.ts';
import { findRedis, type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { holdRedisTimeouts, redisTimeouts } from '../support/redis-timeouts.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const hasRedis = findRedis();
const max = 4;
const budget = { max, seconds: 60 };

let service: TestService;
let redis: RedisServer;
beforeAll(async () => {
  service = await startTestService();
  if (hasRedis) redis = await startRedisServer();
});
afterAll(async () => {
  await redis?.remove();
  await service.close();
});

// If Redis exceeds a time limit, the processes no longer share their budgets.
holdRedisTimeouts(...Object.values(redisTimeouts));
const limits = limitedServices();

/** Runs `act` on processes with unused budgets. */
async function on(
  processes: number,
  options: AuthServiceOptions,
  act: (all: ServiceOn[]) => Promise<void>,
): Promise<void> {
  const shared = processes > 1 ? { redisUrl: redis.url } : {};
  await redis?.client.flushall();
  await act(
    await together(times(processes, () => limits.start(service, { ...shared, bcryptCost: 4, ...options }))),
  );
}

interface Attempt {
  path?: string;
  username?: string;
  headers?: Record<string, string | string[]>;
}

/** Starts a passkey sign-in. With a username, signs in with a wrong password. */
const attempt = (
  { url }: ServiceOn,
  {
    username,
    path = username === undefined ? '/auth/passkey/login/start' : '/auth/password/login',
    headers = {},
  }: Attempt,
) =>
  send(url, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(username === undefined ? {} : { username, password: 'a wrong password' }),
  });

/** Uses up a budget with identical requests, which go to the processes in turn. */
async function spend(processes: ServiceOn[], plain: Attempt): Promise<void> {
  for (let index = 0; index < max; index++) {
    const answer = await attempt(processes[index % processes.length] as ServiceOn, plain);
    expect(answer.status).toBe(plain.username === undefined ? 200 : 401);
  }
  await expectRefused(processes, plain);
}

/** Sends a request from each address. Returns the number of accepted requests. */
async function acceptedFrom(processes: ServiceOn[], addresses: string[]): Promise<number> {
  let accepted = 0;
  for (const [index, address] of addresses.entries()) {
    const headers = { 'X-Forwarded-For': address };
    const { status } = await attempt(processes[index % processes.length] as ServiceOn, { headers });
    if (status === 200) accepted += 1;
  }
  return accepted;
}

/** Addresses of `count` different /64 networks in the /56 networks 2001:db8:1:0::/56 to 2001:db8:1:f00::/56. */
const networksOf = (count: number, offset: number): string[] =>
  Array.from({ length: count }, (_, n) => `2001:db8:1:${(offset + n).toString(16)}::1`);

async function expectRefused(processes: ServiceOn[], evasion: Attempt, status = 429): Promise<void> {
  for (const process of processes) expect((await attempt(process, evasion)).status).toBe(status);
}

const pathEvasions: [what: string, evasion: Attempt, status: number][] = [
  ['a query', { path: '/auth/passkey/login/start?x=1' }, 429],
  ['an encoded letter', { path: '/auth/passkey/login/%73tart' }, 404],
  ['different upper and lower case', { path: '/AUTH/passkey/Login/start' }, 404],
  ['a trailing slash', { path: '/auth/passkey/login/start/' }, 404],
  ['a doubled slash', { path: '/auth//passkey/login/start' }, 404],
  ['a dot segment', { path: '/auth/./passkey/login/start' }, 404],
  ['a whole URL', { path: 'http://localhost:3000/auth/passkey/login/start' }, 429],
];

const spoofed = '6.6.6.6';
const headerEvasions: [what: string, headers: Attempt['headers']][] = [
  ['an X-Forwarded-For header', { 'X-Forwarded-For': spoofed }],
  ['several X-Forwarded-For headers', { 'X-Forwarded-For': [spoofed, '7.7.7.7'] }],
  ['an X-Real-IP header', { 'X-Real-IP': spoofed }],
  ['a Forwarded header', { Forwarded: `for=${spoofed};proto=https` }],
  [
    'an X-Client-IP header',
    { 'X-Client-IP': spoofed, 'CF-Connecting-IP': spoofed, 'True-Client-IP': spoofed },
  ],
  ['an X-HTTP-Method-Override header', { 'X-HTTP-Method-Override': 'PUT' }],
  ['another Host header', { Host: 'elsewhere.example' }],
  ['another User-Agent header', { 'User-Agent': 'another browser' }],
  ['another cookie', { Cookie: 'latchkey=AAAA; latchkey-binding=BBBB' }],
];

const addressEvasions: [what: string, spent: string, evasion: string | string[]][] = [
  ['spoofed entries on the left', '203.0.113.5', '1.1.1.1, 2.2.2.2, 203.0.113.5'],
  ['a spoofed entry in a separate header', '203.0.113.5', [spoofed, '203.0.113.5']],
  ['the IPv4 address mapped into IPv6', '203.0.113.5', '::ffff:203.0.113.5'],
  ['the mapped IPv4 address in hexadecimal', '203.0.113.5', '::FFFF:cb00:7105'],
  ['the mapped IPv4 address at full length', '203.0.113.5', '0000:0000:0000:0000:0000:ffff:cb00:7105'],
  ['another address of the /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
  ['another spelling of the /64', '2001:db8:1:2::1', '2001:0DB8:0001:0002:0000::0001'],
  ['an IPv6 address that ends with an IPv4 address', '2001:db8:1:2::1', '2001:db8:1:2::203.0.113.5'],
  ['an IPv6 zone', 'fe80::1', 'fe80::1%eth0.100'],
];

const nameEvasions: [what: string, spell: (name: string) => string][] = [
  ['capitals', (name) => name.toUpperCase()],
  ['leading and trailing white space', (name) => `  ${name}\t`],
  ['a no-break space', (name) => `\u00a0${name}`],
  ['full-width letters', fullWidth],
  ['full-width capitals and wide spaces', (name) => `\u3000${fullWidth(name.toUpperCase())}`],
  ['a ligature', (name) => name.replace('fi', '\ufb01')],
  ['a Kelvin sign', (name) => name.replace('k', '\u212a')],
];

const setups = [
  ['one process, in memory', 1],
  ['two processes on one Redis', 2],
] as const;

describe.each(setups)('with %s', (_, processes) => {
  describe.skipIf(processes > 1 && !hasRedis)('the budget cannot be exceeded with', () => {
    test.each(pathEvasions)('%s in the request path', async (_what, evasion, status) => {
      await on(processes, { rateLimits: { ceremony: { address: budget } } }, async (all) => {
        await spend(all, {});
        await expectRefused(all, evasion, status);
      });
    });

    test.each(headerEvasions)('%s, if no proxy is trusted', async (_what, headers) => {
      await on(processes, { rateLimits: { ceremony: { address: budget } } }, async (all) => {
        await spend(all, {});
        await expectRefused(all, { headers });
      });
    });

    test.each(addressEvasions)('%s in X-Forwarded-For', async (_what, spent, evasion) => {
      await on(
        processes,
        { rateLimits: { ceremony: { address: budget } }, trustedProxies: 1 },
        async (all) => {
          await spend(all, { headers: { 'X-Forwarded-For': spent } });
          await expectRefused(all, { headers: { 'X-Forwarded-For': evasion } });
        },
      );
    });

    test.each(nameEvasions)('%s in the username', async (_what, spell) => {
      await on(processes, { rateLimits: { password: { account: budget } } }, async (all) => {
        const username = newUsername('office-keeper');
        await spend(all, { username });
        await expectRefused(all, { username: spell(username) });
      });
    });

    test('other /64 networks of a /56: together, they have four times the budget', async () => {
      const options = { rateLimits: { ceremony: { address: budget } }, trustedProxies: 1 };
      await on(processes, options, async (all) => {
        expect(await acceptedFrom(all, networksOf(6 * max, 0))).toBe(4 * max);
        // Another /56 of the same /48.
        expect(await acceptedFrom(all, networksOf(1, 0x100))).toBe(1);
      });
    });

    test('other /56 networks of a /48: together, they have sixteen times the budget', async () => {
      const options = { rateLimits: { ceremony: { address: budget } }, trustedProxies: 1 };
      await on(processes, options, async (all) => {
        for (const network of [0, 1, 2, 3])
          expect(await acceptedFrom(all, networksOf(4 * max, network * 0x100))).toBe(4 * max);
        expect(await acceptedFrom(all, networksOf(10, 0x400))).toBe(0);
        expect(await acceptedFrom(all, ['2001:db8:2::1', '203.0.113.7'])).toBe(2);
      });
    });

    test('50 attempts at once', async () => {
      await on(processes, { rateLimits: { ceremony: { address: budget } } }, async (all) => {
        const attempts = times(50 / all.length, all).flat();
        const answers = await together(attempts.map((instance) => () => attempt(instance, {})));
        expect(statuses(answers).filter((status) => status === 200)).toHaveLength(max);
      });
    });
  });

  describe.skipIf(processes > 1 && !hasRedis)('a separate budget exists for', () => {
    test.each([
      ['another IPv4 address', '203.0.113.5', '203.0.113.6'],
      ['another /64 of the same /48', '2001:db8:1:2::1', '2001:db8:1:3::1'],
      ['an IPv4 address at the end of a known IPv6 address', '2001:db8::203.0.113.5', '203.0.113.5'],
    ])('%s', async (_what, spent, other) => {
      await on(
        processes,
        { rateLimits: { ceremony: { address: budget } }, trustedProxies: 1 },
        async (all) => {
          await spend(all, { headers: { 'X-Forwarded-For': spent } });
          await spend(all, { headers: { 'X-Forwarded-For': other } });
        },
      );
    });

    test('the neighbors of a /64 network whose requests are rejected', async () => {
      const options = { rateLimits: { ceremony: { address: budget } }, trustedProxies: 1 };
      await on(processes, options, async (all) => {
        const [flooder = '', ...neighbors] = networksOf(1 + 3 * max, 0);
        expect(await acceptedFrom(all, times(20 * max, flooder))).toBe(max);
        // In the memory of each process, the first rejected request may have counted.
        expect(await acceptedFrom(all, neighbors)).toBeGreaterThanOrEqual(3 * max - all.length);
      });
    });

    test('every username, even if it is invalid', async () => {
      await on(processes, { rateLimits: { password: { account: budget } } }, async (all) => {
        for (const username of [newUsername(), newUsername(), 'not a name!', '\u200b'.repeat(5000)]) {
          await spend(all, { username });
        }
      });
    });
  });
});
