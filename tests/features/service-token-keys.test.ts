import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyServiceToken } from 'latchkey/service-token';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { together } from '../support/many-requests.ts';
import { serviceSigningKeyOf, signServiceToken } from '../support/service-signing-key.ts';

const issuer = 'http://localhost:3000';

/** An issuer's key server: what it answers is up to the test, and it counts. */
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
  // Keys are cached by URL, and a port may be given twice.
  jwks = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${randomUUID()}.json`;
  // The verifier's clock alone: requests go on.
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

test('the keys are fetched once for all tokens, also for those that arrive at once', async () => {
  publish('one');
  const token = await signServiceToken('one');
  await together(Array.from({ length: 50 }, () => () => verify(token)));
  for (const seconds of [1, 60, 200]) {
    turnClock(seconds);
    await verify(await signServiceToken('one'));
  }
  expect(asked).toBe(1);
});

test('after five minutes they are fetched again', async () => {
  publish('one');
  await verify(await signServiceToken('one'));
  turnClock(301);
  await verify(await signServiceToken('one'));
  expect(asked).toBe(2);
});

describe('rotation', () => {
  test('a key that was just published is found as soon as a token names it', async () => {
    publish('old');
    await verify(await signServiceToken('old'));
    publish('new', 'old');
    turnClock(11);
    const tokens = [await signServiceToken('new'), await signServiceToken('old')];
    await together(Array.from({ length: 20 }, (_, n) => () => verify(tokens[n % 2] ?? '')));
    expect(asked).toBe(2);
  });

  test('tokens of a new key are refused for ten seconds after a fetch, then accepted', async () => {
    publish('old');
    await verify(await signServiceToken('old'));
    publish('new', 'old');
    turnClock(5);
    expect(await codeOf(await signServiceToken('new'))).toBe('token_invalid');
    turnClock(6);
    expect(await codeOf(await signServiceToken('new'))).toBe('accepted');
  });

  test('a key whose secret was dropped is trusted for five minutes at most', async () => {
    publish('new', 'old');
    await verify(await signServiceToken('old'));
    publish('new');
    turnClock(290);
    expect(await codeOf(await signServiceToken('old'))).toBe('accepted');
    turnClock(11);
    expect(await codeOf(await signServiceToken('old'))).toBe('token_invalid');
  });
});

test('unknown key ids cause at most one request to the issuer in ten seconds', async () => {
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

test('a token whose algorithm is not EdDSA is refused without asking for keys', async () => {
  publish('one');
  const [, payload, signature] = (await signServiceToken('one')).split('.');
  const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
  expect(await codeOf(`${header}.${payload}.${signature}`)).toBe('token_invalid');
  expect(asked).toBe(0);
});

describe('when keys are unavailable, a token is neither accepted nor called invalid', () => {
  const faults: [what: string, listener: RequestListener][] = [
    ['an error', (_, response) => response.writeHead(500).end()],
    ['a page that is not found', (_, response) => response.writeHead(404).end('{"keys":[]}')],
    ['a redirect', (_, response) => response.writeHead(302, { Location: 'https://evil.example' }).end()],
    ['no JSON', (_, response) => response.end('<html>')],
    ['JSON that is no key set', (_, response) => response.end('{"keys":7}')],
    ['a connection that ends', (request) => request.socket.destroy()],
  ];
  test.each(faults)('%s: keys_unavailable, and the next token is verified again', async (_, fault) => {
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
  });

  test('no answer: keys_unavailable after five seconds', async () => {
    answer = () => {};
    const began = performance.now();
    expect(await codeOf(await signServiceToken('one'))).toBe('keys_unavailable');
    expect(performance.now() - began).toBeLessThan(7_000);
  });

  test('an outage shorter than the cache goes unnoticed', async () => {
    publish('one');
    await verify(await signServiceToken('one'));
    answer = (request) => request.socket.destroy();
    turnClock(290);
    expect(await codeOf(await signServiceToken('one'))).toBe('accepted');
  });
});
