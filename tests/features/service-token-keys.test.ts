import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyServiceToken } from 'latchkey/service-token';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { holdAbortTimeouts } from '../support/held-timeouts.ts';
import { together } from '../support/many-requests.ts';
import { serviceSigningKeyOf, signServiceToken } from '../support/service-signing-key.ts';

const issuer = 'http://localhost:3000';

const timeouts = holdAbortTimeouts();

/** The server that publishes the issuer's keys. Each test sets `answer`. `asked` is the number of requests. */
let server: Server;
let jwks: string;
let asked: number;
let answer: RequestListener;

const publish = (...secrets: string[]): void => {
  const keys = secrets.map((secret) => {
    const { x, kid } = serviceSigningKeyOf(secret);
    return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
  });
  answer = (_, response) => response.end(JSON.stringify({ keys }));
};

beforeEach(async () => {
  asked = 0;
  server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // Each test needs its own URL, because keys are cached by URL and a port can be reused.
  jwks = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${randomUUID()}.json`;
  // Only Date is fake, because requests need real timers.
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const turnClock = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
const verify = (token: string) => verifyServiceToken(token, { issuer, audience: 'orders', jwks });
const codeOf = (token: string): Promise<string> =>
  verify(token).then(
    () => 'accepted',
    ({ code }) => code,
  );

test('a verifier fetches the keys once for all tokens, even if tokens are verified concurrently', async () => {
  publish('one');
  const token = await signServiceToken('one');
  await together(Array.from({ length: 50 }, () => () => verify(token)));
  for (const seconds of [1, 60, 200]) {
    turnClock(seconds);
    await verify(await signServiceToken('one'));
  }
  expect(asked).toBe(1);
});

test('a verifier fetches the keys again after five minutes', async () => {
  publish('one');
  await verify(await signServiceToken('one'));
  turnClock(301);
  await verify(await signServiceToken('one'));
  expect(asked).toBe(2);
});

describe('after the issuer changes its keys, the verifier', () => {
  test('fetches a new key when a token names this key', async () => {
    publish('old');
    await verify(await signServiceToken('old'));
    publish('new', 'old');
    turnClock(11);
    const tokens = [await signServiceToken('new'), await signServiceToken('old')];
    await together(Array.from({ length: 20 }, (_, n) => () => verify(tokens[n % 2] ?? '')));
    expect(asked).toBe(2);
  });

  test('rejects tokens of a new key for ten seconds after a fetch, then accepts them', async () => {
    publish('old');
    await verify(await signServiceToken('old'));
    publish('new', 'old');
    turnClock(5);
    expect(await codeOf(await signServiceToken('new'))).toBe('token_invalid');
    turnClock(6);
    expect(await codeOf(await signServiceToken('new'))).toBe('accepted');
  });

  test('accepts a removed key for at most five minutes', async () => {
    publish('new', 'old');
    await verify(await signServiceToken('old'));
    publish('new');
    turnClock(290);
    expect(await codeOf(await signServiceToken('old'))).toBe('accepted');
    turnClock(11);
    expect(await codeOf(await signServiceToken('old'))).toBe('token_invalid');
  });
});

test('a verifier fetches the keys at most once in ten seconds for unknown key ids', async () => {
  publish('one');
  await verify(await signServiceToken('one'));
  turnClock(11);
  for (const round of [1, 2]) {
    const forged = await Promise.all(
      Array.from({ length: 50 }, (_, n) => signServiceToken('other', {}, { kid: `${round}-${n}` })),
    );
    const codes = await together(forged.map((token) => () => codeOf(token)));
    expect(new Set(codes)).toEqual(new Set(['token_invalid']));
  }
  expect(asked).toBe(2);
});

test('a verifier rejects a token without fetching keys if the algorithm of the token is not EdDSA', async () => {
  publish('one');
  const [, payload, signature] = (await signServiceToken('one')).split('.');
  const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
  expect(await codeOf(`${header}.${payload}.${signature}`)).toBe('token_invalid');
  expect(asked).toBe(0);
});

describe('while keys are unavailable,', () => {
  const faults: [what: string, listener: RequestListener][] = [
    ['status 500', (_, response) => response.writeHead(500).end()],
    ['status 404', (_, response) => response.writeHead(404).end('{"keys":[]}')],
    ['a redirect', (_, response) => response.writeHead(302, { Location: 'https://evil.example' }).end()],
    ['HTML', (_, response) => response.end('<html>')],
    ['JSON that is not a key set', (_, response) => response.end('{"keys":7}')],
    ['a closed connection', (request) => request.socket.destroy()],
  ];
  test.each(faults)(
    'a token fails with keys_unavailable (%s), but only until the keys are available again',
    async (_, fault) => {
      answer = fault;
      const token = await signServiceToken('one');
      const refused = await verify(token).catch((error) => error);
      expect(refused).toMatchObject({
        name: 'ServiceTokenError',
        code: 'keys_unavailable',
        status: 503,
        expose: false,
      });
      expect(refused.cause).toBeInstanceOf(Error);
      publish('one');
      expect(await codeOf(token)).toBe('accepted');
    },
  );

  test('a token fails with keys_unavailable if the key server does not respond within five seconds', async () => {
    answer = () => {};
    const code = codeOf(await signServiceToken('one'));
    await eventually(() => asked === 1);
    expect(timeouts.pending(5000)).toBe(1);
    timeouts.expire(5000);
    expect(await code).toBe('keys_unavailable');
  });

  test('cached keys are still used', async () => {
    publish('one');
    await verify(await signServiceToken('one'));
    answer = (request) => request.socket.destroy();
    turnClock(290);
    expect(await codeOf(await signServiceToken('one'))).toBe('accepted');
  });
});
