import { createHash, createPublicKey } from 'node:crypto';
import { checkAuditProof } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkpointText } from '../../src/audit/log/checkpoint.ts';
import { createLogKeys } from '../../src/audit/log/log-keys.ts';
import {
  cosignedAt,
  noteSigner,
  noteVerifier,
  openNote,
  readVerifierKey,
  signNote,
  verifierKey,
} from '../../src/audit/log/note.ts';
import { proveConsistency } from '../../src/audit/log/proof.ts';
import { createSequencer } from '../../src/audit/log/sequencer.ts';
import { hashChildren, hashLeaf, type ReadHash, rootOf } from '../../src/audit/log/tree.ts';
import { signingKeyFrom } from '../../src/core/signing-keys.ts';
import { createAuditWitness } from '../../src/service/audit-witness.ts';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { expectProblem } from '../support/problem.ts';
import { randomBytesOf } from '../support/random.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';
import { callDuring } from '../support/waiting.ts';

const randomBytes = randomBytesOf('features/audit-witness-for-others');
const addCheckpoint = '/auth/audit-witness/add-checkpoint';
const otherSecret = randomBytes(48).toString('base64url');

/** A log that another program keeps. Its entries are texts. */
class Log {
  readonly origin: string;
  readonly entries: readonly string[];
  readonly signer;
  readonly key: string;

  constructor(origin: string, entries: readonly string[], seed: Buffer = randomBytes(32)) {
    this.origin = origin;
    this.entries = entries;
    const { privateKey } = signingKeyFrom(seed);
    this.signer = noteSigner(origin, privateKey);
    this.key = verifierKey(noteVerifier(origin, createPublicKey(privateKey)));
  }

  private readonly readHash: ReadHash = (height, index) =>
    height === 0
      ? hashLeaf(Buffer.from(`${this.entries[index]}`))
      : hashChildren(this.readHash(height - 1, index * 2), this.readHash(height - 1, index * 2 + 1));

  root = (size: number) => rootOf(size, this.readHash);
  text = (size: number) => checkpointText({ origin: this.origin, size, root: this.root(size) });
  note = (size: number) => signNote(this.text(size), [this.signer]);
  proof = (oldSize: number, size: number) =>
    proveConsistency(oldSize, size, this.readHash).map((hash) => hash.toString('base64'));

  request = (
    oldSize: number,
    size: number,
    { proof = this.proof(oldSize, size), note = this.note(size) } = {},
  ) => [`old ${oldSize}`, ...proof, '', note].join('\n');

  /** A log with the same key and the same first entries. */
  fork = (shared: number, seed: Buffer) =>
    new Log(
      this.origin,
      this.entries.map((entry, index) => (index < shared ? entry : `other ${entry}`)),
      seed,
    );
}

const seed: Buffer = randomBytes(32);
const entries = Array.from({ length: 64 }, (_, index) => `entry ${index}`);
let names = 0;
/** The witness knows these logs. Each test uses another one. */
const logs = Array.from({ length: 40 }, (_, index) => new Log(`logs.example/${index}`, entries, seed));
const nextLog = (): Log => {
  names += 1;
  return logs[names - 1] as Log;
};

let witness: TestService;
/** Another process of the witness. */
let second: ServiceOn;
let witnessKey: string;
beforeAll(async () => {
  const auditWitnessFor = logs.map(({ key }) => key);
  witness = await startTestService({ auditWitnessFor });
  second = await startServiceOn(witness.database.url, { auditWitnessFor });
  [witnessKey = ''] = (await witness.auth.asOperator('ops').audit.checkpoint()).witnessKeys;
});
afterAll(async () => {
  await second?.close();
  await witness?.close();
});

interface Answer {
  status: number;
  type: string | null;
  text: string;
}

async function ask(body: string, url = witness.url): Promise<Answer> {
  const response = await fetch(`${url}${addCheckpoint}`, { method: 'POST', body });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}
const statusOf = async (body: string) => (await ask(body)).status;
const sizeAnswer = (size: number): Answer => ({ status: 409, type: 'text/x.tlog.size', text: `${size}\n` });
const errors = () => witness.logged.filter(({ level }) => level === 'error');

/** @throws NoteError unless the witness has cosigned the checkpoint */
const cosignatureOf = (note: string, answer: string) =>
  openNote(note + answer, [readVerifierKey(witnessKey)]);

describe('a service that is a witness', () => {
  test('cosigns the first checkpoint of a log, and each that continues it', async () => {
    const log = nextLog();
    for (const [oldSize, size] of [
      [0, 1],
      [1, 5],
      [5, 8],
      [8, 8],
      [8, 64],
    ] as const) {
      const answer = await ask(log.request(oldSize, size));
      expect([answer.status, answer.type]).toEqual([200, 'text/plain; charset=utf-8']);
      const { verified, text } = cosignatureOf(log.note(size), answer.text);
      expect(text).toBe(log.text(size));
      const age = Date.now() / 1000 - cosignedAt(verified[0] as (typeof verified)[number]);
      expect(age).toBeGreaterThanOrEqual(0);
    }
  });

  test('has its own key, which the operator sees as `witnessKeys`', async () => {
    expect(witnessKey).toMatch(/^localhost\/auth\/audit-witness\+[0-9a-f]{8}\+B/);
    expect((await second.auth.asOperator('ops').audit.checkpoint()).witnessKeys).toEqual([witnessKey]);
  });

  test('cosigns with the keys of all secrets, so that the secret can be rotated', async () => {
    const log = nextLog();
    const rotating = await startServiceOn(witness.database.url, {
      secret: [otherSecret, secret],
      auditWitnessFor: [log.key],
    });
    const { text } = await ask(log.request(0, 3), rotating.url);
    const { witnessKeys } = await rotating.auth.asOperator('ops').audit.checkpoint();
    await rotating.close();
    expect(witnessKeys).toEqual([expect.not.stringMatching(witnessKey.slice(-20)), witnessKey]);
    expect(openNote(log.note(3) + text, witnessKeys.map(readVerifierKey)).verified).toHaveLength(2);
  });

  test('returns the newest size to a log that did not receive the last response', async () => {
    const log = nextLog();
    await ask(log.request(0, 5));
    // The log has not received this answer.
    expect((await ask(log.request(5, 9))).status).toBe(200);
    expect(await ask(log.request(5, 9))).toEqual(sizeAnswer(9));
    const again = await ask(log.request(9, 9));
    expect(again.status).toBe(200);
    cosignatureOf(log.note(9), again.text);
    expect(await ask(log.request(0, 12))).toEqual(sizeAnswer(9));
  });

  test('does not cosign an older checkpoint', async () => {
    const log = nextLog();
    await ask(log.request(0, 20));
    expect(await ask(log.request(0, 12))).toEqual(sizeAnswer(20));
    expect(await ask(log.request(12, 12))).toEqual(sizeAnswer(20));
    expect(await statusOf(log.request(20, 12, { proof: [] }))).toBe(400);
    expect(await ask(log.request(0, 30))).toEqual(sizeAnswer(20));
  });

  test('does not cosign a fork, and writes both checkpoints to its log at the level `error`', async () => {
    const log = nextLog();
    await ask(log.request(0, 10));
    const fork = log.fork(4, seed);
    witness.logged.length = 0;
    expect(await ask(fork.request(10, 10))).toMatchObject({ status: 422, type: 'text/plain; charset=utf-8' });
    expect(errors()).toEqual([
      {
        level: 'error',
        fields: {
          origin: log.origin,
          size: 10,
          note: fork.note(10),
          cosigned: expect.stringContaining(log.note(10)),
        },
        message: 'a witnessed audit log has signed two different trees of the same size',
      },
    ]);
    expect(await statusOf(fork.request(10, 20))).toBe(422);
    expect(await statusOf(fork.request(10, 20, { proof: log.proof(10, 20) }))).toBe(422);
    expect(await statusOf(fork.request(10, 20, { proof: [] }))).toBe(422);
    // Repeated requests do not fill the log of the service: it contains each kind of error once a minute.
    const wrongProof = 'a witnessed audit log does not prove that it continues its cosigned checkpoint';
    expect(
      errors()
        .map(({ message }) => message)
        .slice(1),
    ).toEqual([wrongProof]);
    await witness.turnClock({ minutes: 1 });
    await ask(fork.request(10, 20));
    expect(
      errors()
        .map(({ message }) => message)
        .slice(2),
    ).toEqual([wrongProof]);
    expect(await statusOf(log.request(10, 20))).toBe(200);
  });

  test('also reports a fork of the same size if the log sends another old size', async () => {
    const log = nextLog();
    await ask(log.request(0, 10));
    witness.logged.length = 0;
    expect(await ask(log.fork(4, seed).request(0, 10))).toEqual(sizeAnswer(10));
    expect(errors()).toHaveLength(1);
  });

  test('also reports a fork of the same size right after a wrong proof, which anyone can send', async () => {
    const log = nextLog();
    await ask(log.request(0, 10));
    witness.logged.length = 0;
    expect(await statusOf(log.request(10, 20, { proof: [] }))).toBe(422);
    expect(await statusOf(log.fork(4, seed).request(10, 10))).toBe(422);
    expect(errors().map(({ message }) => message)).toEqual([
      'a witnessed audit log does not prove that it continues its cosigned checkpoint',
      'a witnessed audit log has signed two different trees of the same size',
    ]);
  });

  test('cosigns an empty log only with the root of the empty tree', async () => {
    const log = nextLog();
    const root = Buffer.alloc(32, 1);
    const note = signNote(checkpointText({ origin: log.origin, size: 0, root }), [log.signer]);
    expect(await statusOf(log.request(0, 0, { note }))).toBe(422);
    expect(await statusOf(log.request(0, 0))).toBe(200);
    expect(await statusOf(log.request(0, 4))).toBe(200);
  });

  test('cosigns no first checkpoint with a proof', async () => {
    const log = nextLog();
    expect(await statusOf(log.request(0, 4, { proof: [log.root(4).toString('base64')] }))).toBe(422);
    expect(await statusOf(log.request(0, 4))).toBe(200);
  });

  test('answers 404 for a log that it does not know', async () => {
    const log = new Log('logs.example/unknown', entries, seed);
    expect(await ask(log.request(0, 4))).toMatchObject({ status: 404, type: 'application/problem+json' });
  });

  test('answers 403 without a valid signature of a key of the log', async () => {
    const log = nextLog();
    const stranger = new Log(log.origin, entries);
    expect(await statusOf(stranger.request(0, 4))).toBe(403);
    const another = nextLog();
    const signed = signNote(log.text(4), [another.signer]);
    expect(await statusOf(log.request(0, 4, { note: signed }))).toBe(403);
    const wrong = log.note(4).replace(log.text(4), log.text(5));
    expect(await statusOf(log.request(0, 5, { note: wrong }))).toBe(403);
    const bothSigned = signNote(log.text(4), [stranger.signer, log.signer]);
    expect(await statusOf(log.request(0, 4, { note: bothSigned }))).toBe(200);
  });

  test('answers 409 only to a checkpoint that the log has signed', async () => {
    const log = nextLog();
    await ask(log.request(0, 4));
    const stranger = new Log(log.origin, entries);
    expect(await statusOf(stranger.request(0, 6))).toBe(403);
  });

  test('answers 400 to a malformed request', async () => {
    const log = nextLog();
    const hash = log.root(4).toString('base64');
    const note = log.note(4);
    const twice = note + note.split('\n').slice(-2).join('\n');
    for (const body of [
      '',
      '{}',
      note,
      `old 0\n${note}`,
      `old  0\n\n${note}`,
      `old 00\n\n${note}`,
      `old -1\n\n${note}`,
      `old 1e3\n\n${note}`,
      `old 0 \n\n${note}`,
      `old 99999999999999999999\n\n${note}`,
      `OLD 0\n\n${note}`,
      `\nold 0\n\n${note}`,
      `old 0\r\n\r\n${note}`,
      `old 0\n${hash.slice(0, -1)}\n\n${note}`,
      `old 0\n${Buffer.alloc(31).toString('base64')}\n\n${note}`,
      `old 5\n\n${note}`,
      log.request(0, 4, { proof: Array(64).fill(hash) }),
      log.request(0, 4, { note: note.slice(0, -1) }),
      log.request(0, 4, { note: log.text(4) }),
      log.request(0, 4, { note: twice }),
      log.request(0, 4, { note: note.replace('\n4\n', '\n04\n') }),
    ])
      expect([body, await statusOf(body)]).toEqual([body, 400]);
    expect(await statusOf(log.request(0, 4, { proof: Array(63).fill(hash) }))).toBe(422);
    const bytes = Buffer.concat([Buffer.from(log.request(0, 4)), Buffer.of(0xff, 0x0a)]);
    const notText = await fetch(`${witness.url}${addCheckpoint}`, { method: 'POST', body: bytes });
    expect(notText.status).toBe(400);
  });

  test('accepts any content type, but no compressed or large body', async () => {
    const log = nextLog();
    const send = (headers: Record<string, string>, body: string | Buffer = log.request(0, 4)) =>
      fetch(`${witness.url}${addCheckpoint}`, { method: 'POST', body, headers });
    expect((await send({ 'Content-Encoding': 'gzip' })).status).toBe(415);
    expect((await send({}, 'a'.repeat(65_537))).status).toBe(413);
    expect((await send({ 'Content-Type': 'application/octet-stream' })).status).toBe(200);
    expect((await send({ 'Content-Type': 'application/json' }, log.request(4, 5))).status).toBe(200);
  });

  test('refuses a request from a page of another origin', async () => {
    const log = nextLog();
    const headers = { Origin: 'https://evil.example' };
    const body = log.request(0, 4);
    const response = await fetch(`${witness.url}${addCheckpoint}`, { method: 'POST', body, headers });
    expect(await response.json()).toMatchObject({ code: 'cross_origin_request' });
  });

  test('serves the newest cosigned checkpoint to everyone', async () => {
    const log = nextLog();
    const hash = createHash('sha256').update(log.origin).digest('hex');
    const path = `/auth/audit-witness/${hash}/checkpoint`;
    expectProblem(await witness.browser().get(path), 'not_found');
    await ask(log.request(0, 4));
    const { text } = await ask(log.request(4, 6));
    const answer = await witness.browser().get(path);
    expect(answer.body).toBe(log.note(6) + text);
    expectProblem(await witness.browser().get(path.replace(hash, hash.toUpperCase())), 'not_found');
    expectProblem(await witness.browser().get(path.replace(hash, 'x')), 'not_found');
  });

  test('records no audit event, because two services that witness each other would record events without end', async () => {
    const log = nextLog();
    const before = (await witness.auditRows()).length;
    await ask(log.request(0, 4));
    await ask(log.fork(2, seed).request(4, 4));
    expect(await witness.auditRows()).toHaveLength(before);
  });

  test('also cosigns with the in-memory database', async () => {
    const log = nextLog();
    const inMemory = await startServiceOn(createInMemoryDatabase(), {
      migrate: true,
      auditWitnessFor: [log.key],
    });
    expect((await ask(log.request(0, 4), inMemory.url)).status).toBe(200);
    expect((await ask(log.request(4, 9), inMemory.url)).status).toBe(200);
    expect(await ask(log.request(4, 9), inMemory.url)).toEqual(sizeAnswer(9));
    expect((await ask(log.fork(2, seed).request(9, 9), inMemory.url)).status).toBe(422);
    await inMemory.close();
  });
});

describe('a service that is not a witness', () => {
  test('has no endpoints of a witness', async () => {
    const service = await startServiceOn(witness.database.url);
    const answer = await ask(nextLog().request(0, 4), service.url);
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([404, 'not_found']);
    const { body } = await service.browser().get('/auth/openapi.json');
    expect(JSON.stringify(Object.keys(body.paths))).not.toContain('audit-witness');
    expect((await service.auth.asOperator('ops').audit.checkpoint()).witnessKeys).toEqual([]);
    await service.close();
  });
});

describe('two forks of a log at the same time', () => {
  const rounds = Number(process.env.ROUNDS ?? 5);
  /** Holds all writes until `count` requests have read the state and wait with their writes. */
  const atOnce = (requests: readonly (() => Promise<Answer>)[]): Promise<Answer[]> =>
    callDuring(
      witness.database.sql,
      (transaction) => transaction`lock table latchkey.audit_witnessed in exclusive mode`,
      () => Promise.all(requests.map((request) => request())),
      requests.length,
    );

  test.each([
    ['its first checkpoint', 0],
    ['a later checkpoint', 7],
  ])('get one cosignature for %s from two processes', async (_, oldSize) => {
    for (let round = 0; round < rounds; round += 1) {
      const { origin } = nextLog();
      const log = new Log(origin, entries, seed);
      const fork = log.fork(oldSize, seed);
      if (oldSize > 0) await ask(log.request(0, oldSize));
      const answers = await atOnce([
        () => ask(log.request(oldSize, 10), witness.url),
        () => ask(fork.request(oldSize, 10), second.url),
        () => ask(fork.request(oldSize, 11), witness.url),
        () => ask(log.request(oldSize, 12), second.url),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    }
  });
});

describe('two services that witness each other', () => {
  let one: TestService;
  let other: TestService;
  const started: ServiceOn[] = [];
  beforeAll(async () => {
    one = await startTestService();
    other = await startTestService({ secret: otherSecret });
  });
  afterAll(async () => {
    for (const service of [...started, one, other]) await service?.close();
  });

  async function grow({ auth }: TestService): Promise<void> {
    await auth.asOperator('ops').users.create({ username: `user-${crypto.randomUUID().slice(0, 8)}` });
    const { db, config } = runtimeOf(auth);
    const sequencer = createSequencer({ db, keys: createLogKeys(config.secrets), host: config.rpId });
    while ((await sequencer.round()) === 'more');
  }
  const start = async (service: TestService, options: object) => {
    const ofService = service === one ? secret : otherSecret;
    const made = await startServiceOn(service.database.url, { secret: ofService, ...options });
    started.push(made);
    return made;
  };
  const keysOf = (service: Pick<TestService, 'auth'>) => service.auth.asOperator('ops').audit.checkpoint();

  test('cosign the checkpoints of each other over HTTP, and their logs do not grow', async () => {
    await grow(one);
    await grow(other);
    const pairs = [
      [one, other],
      [other, one],
    ] as const;
    for (const [log, witnessing] of pairs) {
      const auditWitnessFor = (await keysOf(log)).keys;
      const server = await start(witnessing, { auditWitnessFor });
      const [auditWitnessKey] = (await keysOf(server)).witnessKeys;
      const auditWitnessUrl = `${server.url}/auth/audit-witness`;
      const client = await start(log, { auditWitnessUrl, auditWitnessKey });
      const { round } = createAuditWitness(runtimeOf(client.auth));
      for (let count = 0; count < 3; count += 1) {
        await grow(log);
        await round();
      }
      // A process that has just started does not know what the witness has cosigned.
      await createAuditWitness(runtimeOf(client.auth)).round();
      expect(client.logged.filter(({ level }) => level !== 'info')).toEqual([]);
      const { audit } = log.auth.asOperator('ops');
      const [event] = (await audit.list({ limit: 1 })).events;
      const proof = await audit.prove(`${event?.id}`);
      const { witnesses } = checkAuditProof(proof, [...auditWitnessFor, `${auditWitnessKey}`]);
      expect(witnesses).toEqual([{ name: 'localhost/auth/audit-witness', at: expect.any(String) }]);
      expect((await keysOf(log)).size).toBe(4);
    }
  });
});
