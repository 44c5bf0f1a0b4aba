import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { drained, type RawAnswer, send } from '../support/raw-request.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { jsonOf } from './support/made-json.ts';

const path = '/auth/passkey/login/start';
const json = 'application/json';
const limit = 64 * 1024;

let service: TestService;
/** The server's socket of the latest request. */
let serverSocket: Socket | undefined;
beforeAll(async () => {
  service = await startTestService({}, (app) =>
    app.use((ctx, next) => {
      serverSocket = ctx.req.socket;
      return next();
    }),
  );
});
afterAll(() => service.close());

type Body = NonNullable<Parameters<typeof send>[2]>['body'];
const post = (body: Body, headers: Record<string, string> = { 'Content-Type': json }): Promise<RawAnswer> =>
  send(service.url, path, { method: 'POST', headers, ...(body !== undefined && { body }) });

/** A valid body of this many bytes. */
const ofLength = (bytes: number) => `{"username":"anna"${' '.repeat(bytes - 19)}}`;
const inPieces = (text: string) => text.match(/.{1,10000}/gs)?.map((piece) => Buffer.from(piece)) ?? [];

describe('the media type of a body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON; charset="utf-8"',
  ])('may be %s', async (type) => {
    expect((await post('{"username":"anna"}', { 'Content-Type': type })).status).toBe(200);
  });

  test.each([
    'text/plain',
    'text/plain; charset=utf-8',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/problem+json',
    'application/json5',
    'application/*',
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/octet-stream',
    'json',
  ])('cannot be %s', async (type) => {
    expectProblem(await post('{"username":"anna"}', { 'Content-Type': type }), 'unsupported_media_type');
  });

  test('is required if the body is not empty', async () => {
    expectProblem(await post('{"username":"anna"}', {}), 'unsupported_media_type');
    expectProblem(await post(inPieces('{"username":"anna"}'), {}), 'unsupported_media_type');
  });

  test.each(['gzip', 'deflate', 'br', 'zstd', 'identity, gzip', 'x'])(
    'cannot be combined with the content encoding %s',
    async (encoding) => {
      const headers = { 'Content-Type': json, 'Content-Encoding': encoding };
      expectProblem(await post(gzipSync('{"username":"anna"}'), headers), 'unsupported_media_type');
    },
  );

  test('is checked before the body', async () => {
    expectProblem(
      await post('x'.repeat(limit + 1), { 'Content-Type': 'text/plain' }),
      'unsupported_media_type',
    );
  });
});

describe('an empty body', () => {
  test.each([
    ['no length', {}, undefined],
    ['a length of zero', {}, ''],
    ['a length of zero and a media type', { 'Content-Type': json }, ''],
    ['a length of zero and a wrong media type', { 'Content-Type': 'text/plain' }, ''],
    ['no chunk and a media type', { 'Content-Type': json }, []],
  ] satisfies [string, Record<string, string>, Body][])(
    'with %s is read as an empty object',
    async (_, headers, body) => {
      const { browser } = await signUp(service);
      expect((await post(body, headers)).status).toBe(200);
      const Cookie = `latchkey=${browser.cookies.get('latchkey')}`;
      const end = { method: 'DELETE', headers: { ...headers, Cookie }, ...(body !== undefined && { body }) };
      expect((await send(service.url, '/auth/sessions', end)).status).toBe(200);
    },
  );

  test('is rejected if properties are required, and the response lists the missing properties', async () => {
    const answer = await send(service.url, '/auth/passkey/register/start', { method: 'POST', body: '' });
    expectProblem(answer, 'invalid_request', {
      errors: [{ path: 'username', message: 'this property is required' }],
    });
  });
});

describe('a body', () => {
  test.each([
    ['with its length', (bytes: number): Body => ofLength(bytes)],
    ['in chunks', (bytes: number): Body => inPieces(ofLength(bytes))],
  ])('may have exactly 64 KiB, sent %s', async (_, body) => {
    expect((await post(body(limit))).status).toBe(200);
    expectProblem(await post(body(limit + 1)), 'body_too_large');
    expectProblem(await post(body(20 * limit)), 'body_too_large');
  });

  test.each([
    ['with its length', ofLength(limit + 1)],
    ['in chunks', inPieces(ofLength(20 * limit))],
  ])('of more than 64 KiB, sent %s, is rejected, and the connection closes', async (_, body) => {
    const headers = { 'Content-Type': json, Connection: 'keep-alive' };
    expect((await post(ofLength(limit), headers)).headers.connection).toBe('keep-alive');
    const answer = await post(body, headers);
    expectProblem(answer, 'body_too_large');
    expect(answer.headers.connection).toBe('close');
  });

  test('is measured in bytes, not in characters', async () => {
    expectProblem(await post(`{"username":"${'é'.repeat(limit / 2)}"}`), 'body_too_large');
  });

  test.each(['Content-Length: 104857600', 'Transfer-Encoding: chunked'])(
    'of 100 MB (%s) is rejected before the service reads or buffers the whole body',
    async (header) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.on('error', () => {});
      const answer = once(socket.setEncoding('latin1'), 'data');
      let answered = false;
      void answer.then(() => {
        answered = true;
      });
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${json}\r\n${header}\r\n\r\n`);
      const mebibyte = Buffer.alloc(1 << 20, ' ');
      const chunk = header.startsWith('Transfer')
        ? Buffer.concat([Buffer.from('100000\r\n'), mebibyte, Buffer.from('\r\n')])
        : mebibyte;
      for (let sent = 0; sent < 100 && !answered; sent += 1) {
        if (!socket.write(chunk)) await Promise.race([drained(socket), answer]);
      }
      expect(String(await answer)).toMatch(/^HTTP\/1\.1 413 /);
      // The server read less than 4 MiB before it responded. The rest is in the buffers of the kernel.
      expect(serverSocket?.bytesRead).toBeLessThan(4 * 1024 * 1024);
      socket.destroy();
    },
  );

  test('of 100 MB is rejected before the whole body arrives', async () => {
    const headers = { 'Content-Type': json, 'Content-Length': `${100 * 1024 * 1024}` };
    async function* first() {
      yield Buffer.alloc(limit + 1, ' ');
      await new Promise(() => {});
    }
    expectProblem(await post(first(), headers), 'body_too_large');
    expectProblem(await post(first()), 'body_too_large');
  });
});

describe('a slow body', () => {
  test('times out after ten seconds and closes the connection', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    try {
      let answered = '';
      let closed = false;
      socket.setEncoding('latin1').on('data', (text) => {
        answered += text;
      });
      socket.on('close', () => {
        closed = true;
      });
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${json}\r\nContent-Length: 20\r\n\r\n{"user`,
      );
      while (vi.getTimerCount() === 0) await turn();
      vi.advanceTimersByTime(9_999);
      for (let round = 0; round < 100; round += 1) await turn();
      expect(answered).toBe('');
      vi.advanceTimersByTime(1);
      while (!closed) await turn();
      expect(answered).toMatch(/^HTTP\/1\.1 408 /);
      expect(answered).toContain('"code":"request_timeout"');
    } finally {
      vi.useRealTimers();
      socket.destroy();
    }
  });

  test('causes no logged error if the client aborts the request', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${json}\r\nContent-Length: 20\r\n\r\n{"user`,
      () => socket.resetAndDestroy(),
    );
    await new Promise((done) => socket.once('close', done));
    expect((await post('{}')).status).toBe(200);
    expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

const fault = (at: string) => ({ errors: [{ path: at, message: expect.any(String) }] });
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('an invalid body', () => {
  const cases: [name: string, body: string | Uint8Array, path: string][] = [
    ['an unfinished object', '{"username":', ''],
    ['a trailing comma', '{"username":"anna",}', ''],
    ['single quotes', "{'username':'anna'}", ''],
    ['a comment', '{}//', ''],
    ['two values', '{}{}', ''],
    ['NaN', '{"username":NaN}', ''],
    ['white space only', '  \n', ''],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), ''],
    ['overlong UTF-8', Buffer.from('{"username":"\xc0\xaf"}', 'latin1'), ''],
    ['a surrogate encoded as UTF-8', Buffer.from('{"username":"\xed\xa0\x80"}', 'latin1'), ''],
    ['UTF-16', Buffer.from('{"username":"anna"}', 'utf16le'), ''],
    ['a bare control character', '{"username":"a\u0001b"}', ''],
    ['an empty list', '[]', ''],
    ['a list', '[{"username":"anna"}]', ''],
    ['a string', '"username"', ''],
    ['a number', '5', ''],
    ['true', 'true', ''],
    ['null', 'null', ''],
    ['a duplicate key', '{"username":"anna","username":"berta"}', ''],
    ['a duplicate key with the same value', '{"username":"anna","username":"anna"}', ''],
    ['a duplicate key with an escape sequence', '{"username":"anna","\\u0075sername":"berta"}', ''],
    ['a nested duplicate key', '{"a":[{"b":{"c":1,"d":[],"c":2}}]}', ''],
    ['a duplicate key that ends with backslashes', '{"a\\\\":1,"b":"\\\\","a\\\\":2}', ''],
    ['a duplicate empty key', '{"":1,"a":{},"":2}', ''],
    ['a duplicate key after strings with brackets', '{"a":"}{\\"","b":"],","a":1}', ''],
    ['__proto__', '{"__proto__":{"role":"superadmin"}}', ''],
    ['__proto__, escaped', '{"\\u005f_proto__":{"role":"superadmin"}}', ''],
    ['a nested __proto__', '{"username":{"a":[{"__proto__":{"role":"superadmin"}}]}}', ''],
    ['constructor', '{"constructor":{"prototype":{"role":"superadmin"}}}', ''],
    ['prototype', '{"prototype":{"role":"superadmin"}}', ''],
    ['a key with NUL', '{"a\\u0000b":1}', ''],
    ['a key with a lone surrogate', '{"a\\ud800b":1}', ''],
    ['NUL', '{"username":"a\\u0000b"}', 'username'],
    ['nested NUL', '{"a":{"b":["c","\\u0000"]}}', 'a.b.1'],
    ['a lone high surrogate', '{"username":"a\\ud800b"}', 'username'],
    ['a lone low surrogate', '{"username":"\\udc00"}', 'username'],
    ['surrogates in the wrong order', '{"username":"\\udc00\\ud800"}', 'username'],
    ['2^53', '{"username":9007199254740992}', 'username'],
    ['-2^53', '{"username":-9007199254740992}', 'username'],
    ['a number of 400 digits', `{"username":${'9'.repeat(400)}}`, 'username'],
    ['1e400', '{"a":{"b":1e400}}', 'a.b'],
    ['33 nested levels', nested(33), ''],
    ['10,000 nested levels', nested(10_000), ''],
    ['32,000 nested lists', `${'['.repeat(32_000)}${']'.repeat(32_000)}`, ''],
    ['a wrong type', '{"username":5}', 'username'],
    ['null as a property', '{"username":null}', 'username'],
    ['a list as a property', '{"username":["anna"]}', 'username'],
    ['an object as a property', '{"username":{"length":4}}', 'username'],
    ['an unknown property', '{"username":"anna","remember":true}', 'remember'],
    ['a role', '{"role":"superadmin"}', 'role'],
    ['a user id', '{"userId":"00000000-0000-7000-8000-000000000000"}', 'userId'],
    ['toString', '{"toString":1}', 'toString'],
    ['another spelling of a property', '{"Username":"anna"}', 'Username'],
    ['an empty key', '{"":1}', ''],
  ];

  test.each(cases)('(%s) is rejected, and the response names the path of the fault', async (_, body, at) => {
    expectProblem(await post(body), 'invalid_request', fault(at));
    expect(Object.hasOwn(Object.prototype, 'role')).toBe(false);
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  test('is reported as a duplicate key exactly if an object contains a key twice (200 random texts)', async () => {
    const found = { once: 0, twice: 0 };
    for (let seed = 1; seed <= 200; seed += 1) {
      const { text, twice } = jsonOf(seed);
      const { status, body } = await post(text);
      const reported =
        status === 400 &&
        body.errors.some(({ message }: { message: string }) => /^duplicate key/.test(message));
      if (reported !== twice) expect.fail(`${text}: ${status} ${JSON.stringify(body)}`);
      found[twice ? 'twice' : 'once'] += 1;
    }
    expect(found.once).toBeGreaterThan(10);
    expect(found.twice).toBeGreaterThan(10);
  });

  test('with several faults is rejected, and the response lists all faults', async () => {
    const body = JSON.stringify({ displayName: '', role: 'admin' });
    const headers = { 'Content-Type': json };
    const answer = await send(service.url, '/auth/passkey/register/start', { method: 'POST', headers, body });
    const paths = answer.body.errors.map((error: { path: string }) => error.path).sort();
    expect(paths).toEqual(['displayName', 'role', 'username']);
  });

  test('with 100,000 nested levels is rejected because of its size', async () => {
    expectProblem(await post(nested(100_000)), 'body_too_large');
    expectProblem(await post(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'body_too_large');
  });

  test('with a fault in a credential is rejected with a dotted path', async () => {
    const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: { signature: 5 } };
    const answer = await send(service.url, '/auth/passkey/login/verify', {
      method: 'POST',
      headers: { 'Content-Type': json },
      body: JSON.stringify({ credential }),
    });
    const paths = answer.body.errors.map((error: { path: string }) => error.path).sort();
    expect(paths).toEqual([
      'credential.response.authenticatorData',
      'credential.response.clientDataJSON',
      'credential.response.signature',
    ]);
    expectProblem(answer, 'invalid_request', { errors: expect.any(Array) });
  });
});

describe('unusual but valid JSON', () => {
  test.each([
    ['white space', ' \r\n\t{ "username" : "anna" } \n'],
    ['escapes', '{"\\u0075sername":"\\u0061nna"}'],
    ['a byte order mark', '\ufeff{"username":"anna"}'],
    ['an escaped pair of surrogates', '{"username":"\\ud83d\\ude00"}'],
    ['characters outside the basic multilingual plane', '{"username":"😀"}'],
    ['a text value that contains a duplicate key', '{"username":"{\\"a\\":1,\\"a\\":2}"}'],
  ])('with %s is accepted', async (_, body) => {
    expect((await post(body)).status).toBe(200);
  });

  test('with 31 nested levels is within the allowed depth', async () => {
    expectProblem(await post(nested(31)), 'invalid_request', {
      errors: [{ path: 'a', message: 'this property is unknown' }],
    });
  });
});
