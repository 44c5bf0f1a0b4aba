import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { type AttestationAuthority, createAttestationAuthority } from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { answerHealth } from '../../examples/server/health.ts';
import { Readiness } from '../../examples/server/readiness.ts';
import { startMetadata } from '../../src/attestation/metadata.ts';
import type { AuthenticatorMetadata } from '../../src/core/authenticator-metadata.ts';
import { untilPasses } from '../support/eventually.ts';
import { newAuthenticator, signUpStart } from '../support/person.ts';
import { serve } from '../support/serve.ts';
import { startTestService } from '../support/test-service.ts';

const model = '2fc0579f-8113-47ea-b116-bb5a8db9202a';
const authority = createAttestationAuthority();
const hour = 3_600_000;
const day = 24 * hour;

/** The server that publishes the metadata. */
let publisher: Server;
let url: string;
let published: string | null = null;
let downloads = 0;
beforeAll(async () => {
  publisher = createServer((_, response) => {
    downloads += 1;
    response.statusCode = published === null ? 503 : 200;
    response.end(published ?? 'away');
  });
  await new Promise<void>((done) => publisher.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/`;
});
afterAll(() => publisher.close());

type Published = NonNullable<Parameters<AttestationAuthority['signMetadata']>[1]> & { statuses?: string[] };
const publish = ({ statuses = ['FIDO_CERTIFIED_L1'], ...options }: Published = {}) => {
  published = authority.signMetadata([{ aaguid: model, statuses }], options);
};

test('a service starts although the server of the metadata is unavailable, and the statistics, the readiness and the log say so', async () => {
  published = null;
  const service = await startTestService({
    attestation: 'direct',
    authenticatorMetadata: url,
    authenticatorMetadataRoots: authority.certificate,
  });
  const app = await serve(new Koa().use(answerHealth(service.auth, new Readiness())));
  const browser = service.browser();
  const key = newAuthenticator({ aaguid: model, attestation: 'packed', attestationAuthority: authority });
  const credential = await key.create(await signUpStart(browser));
  const answer = await browser.post('/auth/passkey/register/verify', { credential });
  expect([answer.status, answer.body.passkey?.attested]).toEqual([201, false]);
  expect(service.auth.statistics().authenticatorMetadata).toEqual({
    models: 0,
    number: null,
    nextUpdate: null,
    isStale: true,
    fault: 'the server answered 503',
  });
  const ready = await fetch(`${app.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: 'ready', authenticatorMetadata: 'out of date' },
  ]);
  expect(service.logged).toContainEqual({
    level: 'warn',
    fields: { err: expect.any(Error) },
    message: expect.stringContaining('the metadata of authenticators cannot be read'),
  });
  await app.close();
  await service.close();
});

describe('the metadata', () => {
  let now: number;
  let metadata: AuthenticatorMetadata;
  const warn = vi.fn();
  const state = () => metadata.state();

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    now = Date.now();
    downloads = 0;
    warn.mockClear();
  });
  afterEach(async () => {
    const stopped = metadata?.stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    await stopped;
  });

  function start(source = url): void {
    const authenticators = { metadata: source, metadataRoots: [authority.certificate] };
    const started = startMetadata({
      config: { authenticators } as never,
      log: { info() {}, warn, error() {} },
      clock: () => new Date(now),
    });
    if (started === null) throw new Error('no metadata');
    metadata = started;
  }
  const letPass = async (ms: number) => {
    now += ms;
    await vi.advanceTimersByTimeAsync(hour);
  };

  test('is requested every hour while the server is unavailable, and then once a day', async () => {
    published = null;
    start();
    await untilPasses(() => expect(state().fault).toBe('the server answered 503'));
    publish({ number: 7 });
    await letPass(hour);
    await untilPasses(() => expect(state()).toMatchObject({ number: 7, fault: null, models: 1 }));
    expect(downloads).toBe(2);
    await letPass(hour);
    publish({ number: 8 });
    await letPass(day);
    await untilPasses(() => expect(state().number).toBe(8));
    expect(downloads).toBe(3);
  });

  test('keeps its last copy if the server fails, or sends an older copy or one of another publisher', async () => {
    publish({ number: 7, statuses: ['REVOKED'] });
    start();
    await untilPasses(() => expect(state().number).toBe(7));
    const other = createAttestationAuthority().signMetadata([{ aaguid: model }], { number: 9 });
    const attempts: [string | null, RegExp][] = [
      [null, /answered 503/],
      [authority.signMetadata([{ aaguid: model }], { number: 6 }), /number 6, but 7 was read before/],
      [other, /certificate path/],
      ['text', /JSON|canonical/],
    ];
    for (const [blob, fault] of attempts) {
      published = blob;
      await letPass(day);
      await untilPasses(() => expect(state().fault).toMatch(fault));
      expect(state()).toMatchObject({ number: 7, models: 1 });
      expect(metadata.modelOf(model)?.statuses).toEqual(['REVOKED']);
    }
    expect(warn.mock.calls.map(([, message]) => message)).toEqual(
      attempts.map(() => expect.stringContaining('the earlier copy stays in use')),
    );
  });

  test('is out of date on the day after nextUpdate, and then read every hour', async () => {
    const tomorrow = new Date(now + day).toISOString().slice(0, 10);
    publish({ nextUpdate: tomorrow });
    start();
    await untilPasses(() => expect(state().number).toBe(1));
    now = Date.parse(`${tomorrow}T23:59:59Z`);
    expect(state().isStale).toBe(false);
    now += 1_000;
    expect(state().isStale).toBe(true);
    for (const count of [2, 3]) {
      await letPass(0);
      await untilPasses(() => expect(downloads).toBe(count));
      await untilPasses(() => expect(warn).toHaveBeenCalledTimes(count - 1));
    }
    expect(warn).toHaveBeenLastCalledWith(
      { nextUpdate: tomorrow },
      expect.stringContaining('the metadata of authenticators is out of date'),
    );
  });

  test.each([
    'REVOKED',
    'USER_VERIFICATION_BYPASS',
    'ATTESTATION_KEY_COMPROMISE',
    'USER_KEY_REMOTE_COMPROMISE',
    'USER_KEY_PHYSICAL_COMPROMISE',
  ])('keeps the security warning %s of a model, even if other statuses follow it', async (status) => {
    publish({ statuses: [status, 'UPDATE_AVAILABLE', 'FIDO_CERTIFIED_L1'] });
    start();
    await untilPasses(() => expect(metadata.modelOf(model)?.statuses).toEqual([status]));
  });

  test.each([
    [['FIDO_CERTIFIED'], 'L1'],
    [['FIDO_CERTIFIED_L2', 'FIDO_CERTIFIED_L1', 'FIDO_CERTIFIED'], 'L2'],
    [['NOT_FIDO_CERTIFIED', 'FIDO_CERTIFIED_L1plus'], 'L1plus'],
    [['FIDO_CERTIFIED_L1', 'FIDO_CERTIFIED_L3plus'], 'L3plus'],
    [['NOT_FIDO_CERTIFIED', 'SELF_ASSERTION_SUBMITTED', 'FIDO_CERTIFIED_L9'], null],
  ])('with the statuses %j gives the model the certification %s', async (statuses, certification) => {
    publish({ statuses });
    start();
    await untilPasses(() => expect(metadata.modelOf(model)).toMatchObject({ certification }));
  });

  test('is refused if it is too large, or if a redirect leads to a URL without https', async () => {
    const large = async function* () {
      for (let part = 0; part < 11; part += 1) yield new Uint8Array(6 * 1024 * 1024);
    };
    const answers = [
      { ok: true, url: 'https://mds.example/', body: large(), fault: /larger than 67108864 bytes/ },
      { ok: true, url: 'http://mds.example/', body: large(), fault: /without https/ },
    ];
    for (const { fault, ...answer } of answers) {
      vi.stubGlobal('fetch', async () => answer);
      start('https://mds.example/');
      await untilPasses(() => expect(state().fault).toMatch(fault));
      await metadata.stop();
    }
  });
});
