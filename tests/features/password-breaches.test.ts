import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/example-server.ts';
import { holdAbortTimeouts } from '../support/held-timeouts.ts';
import { type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  addPassword,
  logInByPassword,
  signUpWithOnlyPassword,
  stepUpByPassword,
} from './support/passwords.ts';

const password = 'gloomy marzipan é';
const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
const suffix = digest.slice(5);

/** The requests that the fake breached-password service received. */
const requests: IncomingMessage[] = [];
/** How the fake service responds. A test can replace this function. */ let respond: (
  response: ServerResponse,
) => void;
const answering = (text: string) => (response: ServerResponse) => void response.end(text);
const server = createServer((request, response) => {
  requests.push(request);
  respond(response);
});

const timeouts = holdAbortTimeouts();
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
  requests.length = 0;
  service.logged.length = 0;
  respond = answering('');
});

const add = (browser: TestAgent, given = password) => addPassword(browser, given);
const signIn = () => logInByPassword(service.browser(), person, password);
const refusal = { reason: 'breached', detail: 'This password is known from a data breach.' };
const others = ['0018A45C4D1DEF81644B54AB7F969B88D65:12', '00D4F6E8FA6EECAD2A3AA415EEC418D38EC:2'];
const warned = { level: 'warn', message: expect.stringContaining('cannot look up breached passwords') };

async function expectAccepted(browser = person.browser): Promise<void> {
  expect([200, 201]).toContain((await add(browser)).status);
  expect((await signIn()).status).toBe(200);
}

describe('a breached password', () => {
  test.each([
    ['that was seen once', `${suffix}:1`],
    ['that was seen often', `${suffix}:20086455`],
    [
      'whose digest is between other digests, in a response with CRLF line ends,',
      `${[others[0], `${suffix}:3`, others[1]].join('\r\n')}`,
    ],
  ])('%s is rejected', async (_, text) => {
    respond = answering(text);
    expectProblem(await add(person.browser), 'password_unacceptable', refusal);
    expect(service.logged).toEqual([]);
  });

  test('is also rejected in another Unicode form, because the lookup uses the normalized password', async () => {
    respond = answering(`${suffix}:7`);
    expectProblem(await add(person.browser, password.normalize('NFD')), 'password_unacceptable', refusal);
  });

  test('does not replace the user’s password', async () => {
    await expectAccepted();
    respond = (response) => response.end(requests.length === 0 ? '' : `${suffix}:7`);
    expectProblem(await add(person.browser), 'password_unacceptable', refusal);
    expect((await signIn()).status).toBe(200);
  });
});

describe('a password is accepted if', () => {
  test.each([
    ['the response does not contain its digest', others.join('\r\n')],
    [
      'the response contains its digest only as padding, with a count of zero',
      [...others, `${suffix}:0`].join('\r\n'),
    ],
    [
      'the response contains a digest that differs only in the last character',
      `${suffix.slice(0, -1)}${suffix.endsWith('0') ? 1 : 0}:5`,
    ],
  ])('%s', async (_, text) => {
    respond = answering(text);
    await expectAccepted();
    expect(service.logged).toEqual([]);
  });
});

describe('the lookup', () => {
  test('is one GET request that sends only the first five characters of the digest and asks for padding', async () => {
    await add(person.browser);
    expect(requests).toHaveLength(1);
    const [{ method, url, rawHeaders, headers } = {} as IncomingMessage] = requests;
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

  test('keeps the path of BREACHED_PASSWORDS_URL', async () => {
    const env = { BREACHED_PASSWORDS_URL: `${breachedPasswordsUrl}/pwned/` };
    const instance = await startSecondInstance(service, { bcryptCost: 4, env });
    await add(instance.browser(person.browser.cookies));
    await instance.close();
    expect(requests.map(({ url }) => `${url}`.split('?')[0])).toEqual([`/pwned/range/${digest.slice(0, 5)}`]);
  });

  test('is skipped if the password is unacceptable for another reason', async () => {
    for (const given of ['short', 'x'.repeat(129), 'password', person.username]) {
      expect((await add(person.browser, given)).status).toBe(400);
    }
    expect(requests).toEqual([]);
  });

  test('is skipped at sign-in and step-up', async () => {
    const { browser, username } = await signUpWithOnlyPassword(service);
    await expectAccepted(browser);
    requests.length = 0;
    expect((await logInByPassword(browser, { username }, password)).status).toBe(200);
    expect((await stepUpByPassword(browser, password)).status).toBe(200);
    expect(requests).toEqual([]);
  });

  test('is off by default', async () => {
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
    expect(requests).toEqual([]);
  });
});

describe('the password is accepted and a warning is logged if the lookup', () => {
  test.each<[what: string, respond: (response: ServerResponse) => void]>([
    ['returns 500', (response) => void response.writeHead(500).end('broken')],
    [
      'returns 400',
      (response) => void response.writeHead(400).end('The hash prefix was not in a valid format'),
    ],
    ['returns 404', (response) => void response.writeHead(404).end(`${suffix}:7`)],
    ['returns 429', (response) => void response.writeHead(429, { 'Retry-After': '2' }).end()],
    ['loses the connection', (response) => void response.destroy()],
    [
      'returns an incomplete response',
      (response) => {
        response.writeHead(200, { 'Content-Length': '5000' });
        response.write(`${others[0]}\r\n`, () => response.destroy());
      },
    ],
    ['returns an HTML page', answering('<!doctype html>\n<title>Maintenance: back at 10:30</title>')],
    ['returns binary data', (response) => void response.end(Buffer.from([0, 255, 1, 254, 10, 58]))],
    ['returns JSON', answering(JSON.stringify({ [suffix]: 7 }))],
  ])('%s', async (_, how) => {
    respond = how;
    await expectAccepted();
    expect(service.logged).toEqual([expect.objectContaining(warned)]);
  });

  test('cannot connect', async () => {
    const unusedUrl = `http://127.0.0.1:${await freePort()}`;
    const instance = await startSecondInstance(service, { bcryptCost: 4, breachedPasswordsUrl: unusedUrl });
    await expectAccepted(instance.browser(person.browser.cookies));
    await instance.close();
    expect(instance.logged).toEqual([expect.objectContaining(warned)]);
  });

  test.each<[what: string, respond: (response: ServerResponse) => void]>([
    ['gets no response', () => {}],
    [
      'gets only an incomplete response',
      (response) => void response.writeHead(200).write(`${others[0]}\r\n`),
    ],
  ])('%s within two seconds', async (_, how) => {
    respond = how;
    const adding = add(person.browser);
    await eventually(() => requests.length === 1);
    expect(timeouts.pending(2000)).toBe(1);
    timeouts.expire(2000);
    expect([200, 201]).toContain((await adding).status);
    expect(service.logged).toEqual([expect.objectContaining(warned)]);
  });
});
