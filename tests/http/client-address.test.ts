import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthenticator, newUsername, signUp } from '../support/person.ts';
import { type RawAnswer, send } from '../support/raw-request.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let behind: ServiceOn[];
beforeAll(async () => {
  service = await startTestService();
  behind = [];
  for (const TRUST_PROXY of ['0', '1', '2'])
    behind.push(await startSecondInstance(service, { env: { TRUST_PROXY } }));
});
afterAll(async () => {
  for (const instance of behind) await instance.close();
  await service.close();
});

type Headers = Record<string, string | string[]>;

/** Signs up a new user and sends these headers with the last request. */
async function signUpWith(url: string, headers: Headers): Promise<RawAnswer> {
  const json = { 'Content-Type': 'application/json' };
  const post = (path: string, body: object, more: Headers) =>
    send(url, `/auth/passkey/register/${path}`, {
      method: 'POST',
      headers: { ...json, ...more },
      body: JSON.stringify(body),
    });
  const start = await post('start', { username: newUsername() }, {});
  const [binding = ''] = start.headers['set-cookie'] ?? [];
  const credential = await newAuthenticator().create(start.body.options);
  return post('verify', { credential }, { Cookie: `${binding.split(';')[0]}`, ...headers });
}

const lastRow = async () => (await service.auditRows()).at(-1);

describe('the recorded IP address', () => {
  test.each<[proxies: number, what: string, headers: Headers, ip: string]>([
    [0, 'no X-Forwarded-For', {}, '127.0.0.1'],
    [0, 'one forwarded IP address', { 'X-Forwarded-For': '203.0.113.9' }, '127.0.0.1'],
    [1, 'no X-Forwarded-For', {}, '127.0.0.1'],
    [1, 'one forwarded IP address', { 'X-Forwarded-For': '203.0.113.9' }, '203.0.113.9'],
    [1, 'a spoofed entry on the left', { 'X-Forwarded-For': '6.6.6.6, 203.0.113.9' }, '203.0.113.9'],
    [
      1,
      'a spoofed entry in a separate header',
      { 'X-Forwarded-For': ['6.6.6.6', '203.0.113.9'] },
      '203.0.113.9',
    ],
    [1, 'no space after the comma', { 'X-Forwarded-For': '6.6.6.6,203.0.113.9' }, '203.0.113.9'],
    [1, 'an IPv6 address', { 'X-Forwarded-For': '2001:db8::9' }, '2001:db8::9'],
    [1, 'an IPv4 address mapped into IPv6', { 'X-Forwarded-For': '::ffff:203.0.113.9' }, '203.0.113.9'],
    [1, 'an entry that is not an IP address', { 'X-Forwarded-For': '6.6.6.6, unknown' }, '127.0.0.1'],
    [1, 'markup', { 'X-Forwarded-For': '<script>alert(1)</script>' }, '127.0.0.1'],
    [1, 'an empty entry on the right', { 'X-Forwarded-For': '6.6.6.6,' }, '127.0.0.1'],
    [2, 'fewer hops than proxies', { 'X-Forwarded-For': '6.6.6.6' }, '127.0.0.1'],
    [2, 'no X-Forwarded-For', {}, '127.0.0.1'],
    [2, 'two hops', { 'X-Forwarded-For': '203.0.113.9, 10.0.0.1' }, '203.0.113.9'],
    [
      2,
      'a spoofed entry to the left of two hops',
      { 'X-Forwarded-For': '6.6.6.6, 203.0.113.9, 10.0.0.1' },
      '203.0.113.9',
    ],
    [
      2,
      'a long spoofed list',
      { 'X-Forwarded-For': `${'6.6.6.6, '.repeat(500)}203.0.113.9, 10.0.0.1` },
      '203.0.113.9',
    ],
  ])('comes only from the trusted proxies with TRUST_PROXY=%i and %s', async (proxies, _, headers, ip) => {
    const { status, body } = await signUpWith(`${behind[proxies]?.url}`, headers);
    expect([status, body.session.ip]).toEqual([201, ip]);
    expect((await lastRow())?.ip).toBe(ip);
  });

  test.each([0, 1, 2])('with TRUST_PROXY=%i is not taken from other headers', async (proxies) => {
    const ip = '6.6.6.6';
    const { body } = await signUpWith(`${behind[proxies]?.url}`, {
      'X-Real-IP': ip,
      Forwarded: `for=${ip}`,
      'Client-IP': ip,
      'CF-Connecting-IP': ip,
      'True-Client-IP': ip,
      'X-Client-IP': ip,
    });
    expect(body.session.ip).toBe('127.0.0.1');
  });

  test('is an IPv4 address for an IPv4 client, even if the server listens on IPv6', async () => {
    const server = createServer(service.app.callback());
    await new Promise<void>((done) => server.listen(0, done));
    const { port } = server.address() as AddressInfo;
    const { body } = await signUpWith(`http://127.0.0.1:${port}`, {});
    expect(body.session.ip).toBe('127.0.0.1');
    server.closeAllConnections();
    server.close();
  });

  test('does not depend on app.proxy', async () => {
    service.app.proxy = true;
    const { body } = await signUpWith(service.url, { 'X-Forwarded-For': '6.6.6.6' });
    service.app.proxy = false;
    expect(body.session.ip).toBe('127.0.0.1');
  });
});

describe('the recorded user agent', () => {
  test.each<[what: string, headers: Headers, userAgent: string | null]>([
    ['no header', {}, null],
    [
      'an ordinary value',
      { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' },
      'Mozilla/5.0 (X11; Linux x86_64)',
    ],
    ['an empty value', { 'User-Agent': '' }, null],
    ['a tab and C1 control characters', { 'User-Agent': 'a\tb\u0085c\u009fd' }, 'abcd'],
    ['only control characters', { 'User-Agent': '\u0080\u009f' }, null],
    ['markup', { 'User-Agent': '<script>"\'&' }, '<script>"\'&'],
    ['10,000 characters', { 'User-Agent': 'x'.repeat(10_000) }, 'x'.repeat(400)],
  ])(
    'has no control characters and at most 400 characters in the session and the audit event for %s',
    async (_, headers, userAgent) => {
      const { status, body } = await signUpWith(service.url, headers);
      expect([status, body.session.userAgent]).toEqual([201, userAgent]);
      expect((await lastRow())?.user_agent).toBe(userAgent);
    },
  );

  test.each(['\u0000', '\u0007', '\u001b', '\u007f', '\r', '\n'])(
    'cannot contain the raw control character %j, because Node.js returns 400',
    async (character) => {
      const before = (await service.auditRows()).length;
      const answer = await rawAnswer(
        `DELETE /auth/session HTTP/1.1\r\nHost: x\r\nUser-Agent: a${character}b\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(await service.auditRows()).toHaveLength(before);
    },
  );
});

test('control characters in a path, a query or a label reach neither the log nor the audit log', async () => {
  const { browser, signedUp } = await signUp(service);
  const { sql } = service.database;
  service.logged.length = 0;
  const path = '/auth/passkey/devices/00000000-0000-7000-8000-000000000000%0d%0a%1b[2J%00';
  const foreign = { Origin: 'https://evil.example' };
  await browser.patch(`${path}?x=%0a`, { label: 'x' }, foreign);
  await browser.delete('/auth/sessions?x=%0d%0a{"level":"error"}', foreign);
  await browser.patch(`${path}?x=%0a`, { label: 'a\r\nb' });
  await browser.patch(`/auth/passkey/devices/${signedUp.body.passkey.id}`, { label: 'a\r\nb' });
  expect(service.logged.map(({ message }) => message)).toEqual([
    `rejected a cross-origin PATCH ${path}`,
    'rejected a cross-origin DELETE /auth/sessions',
  ]);
  const rows = await sql`select to_jsonb(entry)::text as text from latchkey.audit_events as entry`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
  for (const { text } of rows) expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]|\\u00[01]|\\[nrt]/);
});

function rawAnswer(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1').on('data', (piece) => {
      answer += piece;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
    socket.write(text);
  });
}
