import { execFile, spawnSync } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import { sequence } from '../support/sequencing.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { insertManyEvents } from './support/activity.ts';
import { signUpAs } from './support/authority.ts';

const run = promisify(execFile);
const goPath = '/usr/share/gocode';
/** On a machine without Go, the test is skipped. In CI, it fails. */
const isWithoutGo =
  !process.env.CI && spawnSync('ls', [`${goPath}/src/golang.org/x/mod/sumdb/tlog`]).status !== 0;
const logReader = fileURLToPath(new URL('support/log-reader/main.go', import.meta.url));

let service: TestService;
/** A service on the same database whose log is public. */
let open: ServiceOn;
let superadmin: Person;
let key: string;
/** The size of the log after its first round. */
let firstSize: number;
const operator = () => service.auth.asOperator('ops');
const suffixOf = (origin: string) => `${origin.split('/').at(-1)}`;
let log: string;

beforeAll(async () => {
  service = await startTestService();
  open = await startServiceOn(service.database.url, { auditLogPublic: true });
  superadmin = await signUpAs(service, 'superadmin');
  await insertManyEvents(service, 300);
  await sequence(service.database.sql);
  firstSize = (await operator().audit.checkpoint()).size;
  await insertManyEvents(service, 400);
  await sequence(service.database.sql);
  const { keys, origin } = await operator().audit.checkpoint();
  key = `${keys[0]}`;
  log = suffixOf(`${origin}`);
});
afterAll(async () => {
  await open?.close();
  await service?.close();
});

/** Reads a path under the URL of the log, without a session. */
async function read(path: string): Promise<Response> {
  return fetch(`${open.url}/auth/audit-log/${log}/${path}`);
}
const bytesOf = async (path: string) => Buffer.from(await (await read(path)).arrayBuffer());

describe('a reader who knows only C2SP tlog-tiles and the public key', () => {
  const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  /** RFC 6962, section 2.1. */
  function treeHash(leaves: readonly Buffer[]): Buffer {
    const [only] = leaves;
    if (!only) return sha256();
    if (leaves.length === 1) return only;
    let k = 1;
    while (k * 2 < leaves.length) k *= 2;
    return sha256(Buffer.of(1), treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
  }
  const hashesIn = (bytes: Buffer) =>
    Array.from({ length: bytes.length / 32 }, (_, at) => bytes.subarray(at * 32, at * 32 + 32));
  function entriesIn(bundle: Buffer): Buffer[] {
    const entries: Buffer[] = [];
    for (let at = 0; at < bundle.length; ) {
      const end = at + 2 + bundle.readUInt16BE(at);
      entries.push(bundle.subarray(at + 2, end));
      at = end;
    }
    return entries;
  }
  /** The paths of all tiles of a level of a tree with 256 000 entries or fewer. */
  const pathsOf = (hashes: number) =>
    Array.from({ length: Math.ceil(hashes / 256) }, (_, n) => {
      const width = Math.min(256, hashes - n * 256);
      return `${n}`.padStart(3, '0') + (width < 256 ? `.p/${width}` : '');
    });

  test('verifies the checkpoint, and gets its root from the entries and from the hashes', async () => {
    const note = await (await read('checkpoint')).text();
    const [text = '', signatures = ''] = note.split(/(?<=\n)\n/);
    const [origin, size, root] = text.split('\n');
    expect(origin).toBe(`localhost/auth/audit-log/${log}`);
    const [, name, signature = ''] = /^— (\S+) (\S+)\n$/.exec(signatures) ?? [];
    const [, keyName, keyId, encoded = ''] = /^([^+]+)\+([^+]+)\+(.+)$/.exec(key) ?? [];
    expect(name).toBe(keyName);
    const x = Buffer.from(encoded, 'base64').subarray(1).toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const bytes = Buffer.from(signature, 'base64');
    expect(bytes.subarray(0, 4).toString('hex')).toBe(keyId);
    expect(verify(null, Buffer.from(text), publicKey, bytes.subarray(4))).toBe(true);

    const count = Number(size);
    expect(count).toBeGreaterThan(700);
    const leaves: Buffer[] = [];
    for (const path of pathsOf(count)) {
      const hashes = hashesIn(await bytesOf(`tile/0/${path}`));
      const entries = entriesIn(await bytesOf(`tile/entries/${path}`));
      expect(entries.map((entry) => sha256(Buffer.of(0), entry))).toEqual(hashes);
      leaves.push(...hashes);
    }
    expect(leaves).toHaveLength(count);
    expect(treeHash(leaves).toString('base64')).toBe(root);
    const above = hashesIn(await bytesOf(`tile/1/000.p/${Math.floor(count / 256)}`));
    expect(above).toEqual(above.map((_, n) => treeHash(leaves.slice(n * 256, n * 256 + 256))));
  });

  test('reads the partial tiles of an earlier checkpoint after the log has grown', async () => {
    const width = firstSize - 256;
    const now = await bytesOf('tile/0/001');
    expect(await bytesOf(`tile/0/001.p/${width}`)).toEqual(now.subarray(0, width * 32));
    const bundle = await bytesOf('tile/entries/001');
    expect(await bytesOf(`tile/entries/001.p/${width}`)).toEqual(bundle.subarray(0, width * 58));
  });

  test.skipIf(isWithoutGo)('can be a program of the Go checksum database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-log-reader-'));
    try {
      const [event] = (await operator().audit.list({ limit: 1 })).events;
      const proof = join(folder, 'event.tlog-proof');
      writeFileSync(proof, `${await operator().audit.prove(`${event?.id}`)}`);
      const { stdout } = await run(
        'go',
        ['run', logReader, `${open.url}/auth/audit-log/${log}`, key, proof, `${firstSize}`],
        { env: { ...process.env, GO111MODULE: 'off', GOPATH: goPath, GOCACHE: join(folder, 'cache') } },
      );
      const { size } = await operator().audit.checkpoint();
      expect(JSON.parse(stdout)).toEqual({ size, proved: expect.any(Number) });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a public log', () => {
  test('has tiles that caches can keep permanently, and a checkpoint that they keep for seconds', async () => {
    const keeps = async (path: string) => {
      const { status, headers } = await read(path);
      return [status, headers.get('content-type'), headers.get('cache-control'), headers.get('set-cookie')];
    };
    const tile = ['application/octet-stream', 'public, max-age=31536000, immutable', null];
    expect(await keeps('tile/0/000')).toEqual([200, ...tile]);
    expect(await keeps('tile/0/000.p/7')).toEqual([200, ...tile]);
    expect(await keeps('tile/entries/000')).toEqual([200, ...tile]);
    expect(await keeps('checkpoint')).toEqual([200, 'text/plain; charset=utf-8', 'public, max-age=5', null]);
  });

  test('answers a request with a session cookie like a request without one', async () => {
    const browser = open.browser(superadmin.browser.cookies);
    const [answer, other] = await Promise.all([
      browser.get('/auth/audit-log/checkpoint'),
      open.browser().get('/auth/audit-log/checkpoint'),
    ]);
    expect(answer.body).toBe(other.body);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test.each([
    'tile/0/003',
    'tile/0/002',
    'tile/1/000',
    'tile/2/000.p/1',
    'tile/0/x001/000',
    'tile/0/999',
    'tile/63/000',
    'tile/64/000',
    'tile/0/0',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/entries/003.p/1',
    'tile/entries/002',
    'tile/other/000',
    'tile/0',
    'tile/0/000/',
    'tile',
  ])('has no %s', async (path) => {
    const answer = await open.browser().get(`/auth/audit-log/${log}/${path}`);
    expectProblem(answer, 'not_found');
    expectUncached(answer);
  });

  test('has no hash or entry beyond the size of the checkpoint', async () => {
    const { size } = await operator().audit.checkpoint();
    const last = size % 256;
    for (const kind of ['0', 'entries']) {
      expect((await read(`tile/${kind}/002.p/${last}`)).status).toBe(200);
      expect((await read(`tile/${kind}/002.p/${last + 1}`)).status).toBe(404);
    }
  });

  test('contains nothing of an event but its id, its time and a commitment', async () => {
    const text = (await bytesOf('tile/entries/000')).toString('latin1');
    expect(text).not.toContain(superadmin.username);
    expect(text).not.toContain('passkey');
    expect((await bytesOf('tile/entries/000')).length).toBe(256 * (2 + 16 + 8 + 32));
  });

  test('has a rate limit', async () => {
    const limited = await startServiceOn(service.database.url, {
      auditLogPublic: true,
      rateLimit: true,
      rateLimits: { read: { address: { max: 2, seconds: 86_400 } } },
    });
    const path = `${limited.url}/auth/audit-log/${log}/tile/0/000`;
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await fetch(path)).status);
    await limited.close();
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('does not reveal through the number of its events whether a guessed user exists', async () => {
    /** The number of events that 11 attempts with unknown usernames and one with this username cause. */
    async function eventsAfter(username: string): Promise<number> {
      const before = (await service.auditRows()).length;
      const options = { auditLogPublic: true, auditBurstThreshold: 10, bcryptCost: 4 };
      const guessed = await startServiceOn(service.database.url, options);
      const guess = (name: string) =>
        guessed.browser().post('/auth/password/login', { username: name, password: 'a wet towel in Bergen' });
      for (let count = 0; count < 11; count += 1) await guess(`unknown-${count}`);
      expectProblem(await guess(username), 'authentication_failed');
      // Records what the process has counted.
      await guessed.close();
      const events = (await service.auditRows()).slice(before);
      expect(events.at(-1)).toMatchObject({ target_id: null, details: { reason: 'not_recorded' }, count: 2 });
      return events.length;
    }
    expect(await eventsAfter('nobody')).toBe(11);
    expect(await eventsAfter(superadmin.username)).toBe(11);
  });

  test('has endpoints without a session in the OpenAPI document', async () => {
    const operation = async (of: { browser: ServiceOn['browser'] }) =>
      (await of.browser().get('/auth/openapi.json')).body.paths['/auth/audit-log/{log}/tile/{level}/{index}']
        .get;
    expect((await operation(open)).security).toEqual([]);
    expect((await operation(open)).description).not.toContain('superadmins');
    const closed = await operation(service);
    expect(closed.security).toEqual([{ session: [] }]);
    expect(closed.description).toContain('For superadmins.');
    expect(Object.keys(closed.responses)).toContain('403');
  });
});

describe('a log that is not public', () => {
  const paths = ['checkpoint', ':log/checkpoint', ':log/tile/0/000', ':log/tile/entries/000'];
  const pathOf = (path: string) => `/auth/audit-log/${path.replace(':log', log)}`;

  test.each(paths)('refuses %s without a session, and to an admin', async (path) => {
    expectProblem(await service.browser().get(pathOf(path)), 'not_authenticated');
    const { browser } = await signUpAs(service, 'admin');
    expectProblem(await browser.get(pathOf(path)), 'forbidden');
  });

  test.each(paths)('answers %s to a superadmin, and keeps it out of caches', async (path) => {
    const answer = await superadmin.browser.get(pathOf(path));
    expect(answer.status).toBe(200);
    expectUncached(answer);
  });
});

describe('a new log after a restore', () => {
  test('has other paths, so caches keep no tile of the former log', async () => {
    const former = log;
    await operator().audit.startNewLog({ reason: 'restored a backup' });
    const { origin } = await operator().audit.checkpoint();
    expect((await read('checkpoint')).status).toBe(404);
    expect((await read('tile/0/000')).status).toBe(404);
    expect((await read('tile/entries/000')).status).toBe(404);
    log = suffixOf(`${origin}`);
    expect(log).not.toBe(former);
    const current = await open.browser().get('/auth/audit-log/checkpoint');
    expect(current.body.split('\n')[0]).toBe(origin);
    expect((await read('tile/0/000')).status).toBe(200);
  });
});

test('an empty log has no checkpoint and no tile', async () => {
  const empty = await startServiceOn(createInMemoryDatabase(), { auditLogPublic: true, migrate: true });
  const answer = await empty.browser().get('/auth/audit-log/checkpoint');
  expectProblem(answer, 'not_found');
  for (const path of ['checkpoint', 'tile/0/000', 'tile/entries/000'])
    expectProblem(await empty.browser().get(`/auth/audit-log/00000000/${path}`), 'not_found');
  await empty.close();
});
