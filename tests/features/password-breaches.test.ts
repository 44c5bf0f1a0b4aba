import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { freePort } from '../support/example-server.ts';
import { type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addPassword, logInByPassword, stepUpByPassword } from './support/passwords.ts';

const password = 'gloomy marzipan é';
const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
const suffix = digest.slice(5);

/** What the stand-in for the service of breached passwords was asked, and how it answers. */
const asked: IncomingMessage[] = [];
let respond: (response: ServerResponse) => void;
const answering = (text: string) => (response: ServerResponse) => void response.end(text);
const server = createServer((request, response) => {
  asked.push(request);
  respond(response);
});

let service: TestService;
let person: Person;
let breachedPasswordsUrl: string;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  breachedPasswordsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await startTestService({ bcryptCost: 4, breachedPasswordsUrl });
  person = await signUp(service);
});
afterAll(async () => {
  await service.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked.length = 0;
  service.logged.length = 0;
  respond = answering('');
});

const add = (browser: TestAgent, given = password) => addPassword(browser, given);
const enter = () => logInByPassword(service.browser(), person, password);
const refusal = { reason: 'breached', detail: 'This password is known from a breach elsewhere.' };
const others = ['0018A45C4D1DEF81644B54AB7F969B88D65:12', '00D4F6E8FA6EECAD2A3AA415EEC418D38EC:2'];
const warned = { level: 'warn', message: expect.stringContaining('could not be looked up') };

async function expectAccepted(browser = person.browser): Promise<void> {
  expect([200, 201]).toContain((await add(browser)).status);
  expect((await enter()).status).toBe(200);
}

describe('a password that is known from a breach', () => {
  test.each([
    ['once', `${suffix}:1`],
    ['often', `${suffix}:20086455`],
    [
      'and stands between others, with line ends as of the real service',
      `${[others[0], `${suffix}:3`, others[1]].join('\r\n')}`,
    ],
  ])('%s cannot be had', async (_, text) => {
    respond = answering(text);
    expectProblem(await add(person.browser), 'password_unacceptable', refusal);
    expect(service.logged).toEqual([]);
  });

  test('cannot be had in another spelling: the normalized one is looked up', async () => {
    respond = answering(`${suffix}:7`);
    expectProblem(await add(person.browser, password.normalize('NFD')), 'password_unacceptable', refusal);
  });

  test('leaves the one that there was', async () => {
    await expectAccepted();
    respond = (response) => response.end(asked.length === 0 ? '' : `${suffix}:7`);
    expectProblem(await add(person.browser), 'password_unacceptable', refusal);
    expect((await enter()).status).toBe(200);
  });
});

describe('a password can be had', () => {
  test.each([
    ['that is not among the answered', others.join('\r\n')],
    ['that is padding, with a count of zero', [...others, `${suffix}:0`].join('\r\n')],
    ['whose digest only begins like one', `${suffix.slice(0, -1)}${suffix.endsWith('0') ? 1 : 0}:5`],
  ])('%s', async (_, text) => {
    respond = answering(text);
    await expectAccepted();
    expect(service.logged).toEqual([]);
  });
});

describe('what is asked', () => {
  test('is one GET of the first five characters of the digest, padded, and nothing else of the password', async () => {
    await add(person.browser);
    expect(asked).toHaveLength(1);
    const [{ method, url, rawHeaders, headers } = {} as IncomingMessage] = asked;
    expect(method).toBe('GET');
    expect(new URL(`${url}`, breachedPasswordsUrl).pathname).toBe(`/range/${digest.slice(0, 5)}`);
    expect(headers).toMatchObject({ 'add-padding': 'true', 'user-agent': 'latchkey' });
    const sent = `${url} ${rawHeaders.join(' ')}`.toUpperCase();
    expect(sent).not.toContain(digest.slice(0, 6));
    expect(sent).not.toContain(suffix.slice(0, 6));
    expect(sent).not.toContain('MARZIPAN');
    expect(sent).not.toContain(person.username.toUpperCase());
    expect(headers['content-length'] ?? headers['transfer-encoding']).toBeUndefined();
  });

  test('is asked under the path of BREACHED_PASSWORDS_URL', async () => {
    const env = { BREACHED_PASSWORDS_URL: `${breachedPasswordsUrl}/pwned/` };
    const instance = await startSecondInstance(service, { bcryptCost: 4, env });
    await add(instance.browser(person.browser.cookies));
    await instance.close();
    expect(asked.map(({ url }) => `${url}`.split('?')[0])).toEqual([`/pwned/range/${digest.slice(0, 5)}`]);
  });

  test('is nothing where the password is refused anyway', async () => {
    for (const given of ['short', 'x'.repeat(73), 'password', person.username]) {
      expect((await add(person.browser, given)).status).toBe(400);
    }
    expect(asked).toEqual([]);
  });

  test('is nothing at login and at a step-up', async () => {
    await expectAccepted();
    asked.length = 0;
    expect((await enter()).status).toBe(200);
    expect((await stepUpByPassword(person.browser, password)).status).toBe(200);
    expect(asked).toEqual([]);
  });

  test('is nothing by default: nobody is asked', async () => {
    const instance = await startSecondInstance(service, { bcryptCost: 4 });
    const fetched = vi.spyOn(globalThis, 'fetch');
    try {
      respond = answering(`${suffix}:7`);
      await expectAccepted(instance.browser(person.browser.cookies));
      expect(fetched).not.toHaveBeenCalled();
    } finally {
      fetched.mockRestore();
      await instance.close();
    }
    expect(asked).toEqual([]);
  });
});

describe('without an answer that can be read the password passes, and a warning is logged:', () => {
  test.each<[what: string, respond: (response: ServerResponse) => void]>([
    ['a 500', (response) => void response.writeHead(500).end('broken')],
    ['a 400', (response) => void response.writeHead(400).end('The hash prefix was not in a valid format')],
    ['a 404', (response) => void response.writeHead(404).end(`${suffix}:7`)],
    ['a 429', (response) => void response.writeHead(429, { 'Retry-After': '2' }).end()],
    ['a connection that breaks', (response) => void response.destroy()],
    [
      'an answer that breaks off',
      (response) => {
        response.writeHead(200, { 'Content-Length': '5000' });
        response.write(`${others[0]}\r\n`, () => response.destroy());
      },
    ],
    ['a page in place of a list', answering('<!doctype html>\n<title>Maintenance: back at 10:30</title>')],
    ['bytes in place of a list', (response) => void response.end(Buffer.from([0, 255, 1, 254, 10, 58]))],
    ['JSON in place of a list', answering(JSON.stringify({ [suffix]: 7 }))],
  ])('%s', async (_, how) => {
    respond = how;
    await expectAccepted();
    expect(service.logged).toEqual([expect.objectContaining(warned)]);
  });

  test('nobody who listens', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const instance = await startSecondInstance(service, { bcryptCost: 4, breachedPasswordsUrl: nobody });
    await expectAccepted(instance.browser(person.browser.cookies));
    await instance.close();
    expect(instance.logged).toEqual([expect.objectContaining(warned)]);
  });

  test.each<[what: string, respond: (response: ServerResponse) => void]>([
    ['silence', () => {}],
    ['an answer that never ends', (response) => void response.writeHead(200).write(`${others[0]}\r\n`)],
  ])('%s, after two seconds', async (_, how) => {
    respond = how;
    const began = performance.now();
    expect([200, 201]).toContain((await add(person.browser)).status);
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(1900);
    expect(took).toBeLessThan(4500);
    expect(service.logged).toEqual([expect.objectContaining(warned)]);
  });
});
