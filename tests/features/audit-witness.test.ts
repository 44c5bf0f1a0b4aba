import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAuditProof } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCheckpoint } from '../../src/audit/log/checkpoint.ts';
import { openNote, readVerifierKey } from '../../src/audit/log/note.ts';
import { type AuditWitness, createAuditWitness } from '../../src/service/audit-witness.ts';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { sequence } from '../support/sequencing.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { TlogWitness } from '../support/tlog-witness.ts';

const witness = new TlogWitness();
let service: TestService;
let folder: string;
let file: string;
let kept: Omit<AuditWitness, 'stop'>;
const operator = () => service.auth.asOperator('ops');

beforeAll(async () => {
  await witness.listen();
  folder = mkdtempSync(join(tmpdir(), 'latchkey-witness-'));
  file = join(folder, 'checkpoints');
  service = await startTestService({
    auditCheckpointFile: file,
    auditWitnessUrl: `${witness.url}/`,
    auditWitnessKey: witness.key,
  });
  kept = newWitness();
});
afterAll(async () => {
  await service?.close();
  witness.close();
  rmSync(folder, { recursive: true });
});

/** The job of a process that has just started. */
const newWitness = () => createAuditWitness(runtimeOf(service.auth));
const lines = () =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const messages = () => service.logged.map(({ level, message }) => `${level}: ${message}`);

async function grow(): Promise<string> {
  await operator().users.create({ username: `user-${crypto.randomUUID().slice(0, 8)}` });
  await sequence(service.database.sql);
  const { note, keys } = await operator().audit.checkpoint();
  witness.logKey = `${keys[0]}`;
  return `${note}`;
}

describe('the copies of checkpoints outside of the database', () => {
  test('do not exist as long as the log is empty', async () => {
    await kept.round();
    expect(witness.statuses).toEqual([]);
  });

  test('are lines in the file and in the log of the service, which `audit.verify` accepts', async () => {
    const note = await grow();
    await kept.round();
    expect(lines().map((line) => line.note)).toEqual([note]);
    expect(service.logged).toContainEqual({
      level: 'info',
      fields: { origin: note.split('\n')[0], size: 1, note },
      message: 'checkpoint of the audit log',
    });
    expect(await operator().audit.verify({ witnessed: [note] })).toMatchObject({ ok: true, witnessed: 1 });
  });

  test('get no new line before the log grows or an hour passes', async () => {
    await kept.round();
    expect(lines()).toHaveLength(1);
    await service.turnClock({ minutes: 61 });
    await kept.round();
    expect(lines()).toHaveLength(2);
  });
});

describe('a witness', () => {
  test('cosigns the checkpoint, and again after the log has grown', async () => {
    for (let count = 0; count < 5; count += 1) await grow();
    await kept.round();
    expect(witness.latest.size).toBe(6);
    const [event] = (await operator().audit.list({ limit: 1 })).events;
    const proof = await operator().audit.prove(`${event?.id}`);
    const { witnesses } = checkAuditProof(proof, [witness.logKey, witness.key]);
    expect(witnesses).toEqual([{ name: witness.name, at: expect.any(String) }]);
    expect((await operator().audit.checkpoint()).note).toContain(`\n— ${witness.name} `);
  });

  test('cosigns for a process that has just started, after it has told the process its own size', async () => {
    witness.statuses.length = 0;
    await grow();
    await newWitness().round();
    expect(witness.statuses).toEqual([409, 200]);
    expect(witness.latest.size).toBe(7);
  });

  const answers: [string, { status: number; body: string; location?: string }][] = [
    ['refuses', { status: 403, body: '' }],
    ['answers without a cosignature', { status: 200, body: '' }],
    [
      'answers with the signature of another key',
      { status: 200, body: `— ${witness.name} ${Buffer.alloc(76, 7).toString('base64')}\n` },
    ],
    ['answers with megabytes', { status: 200, body: 'x'.repeat(1_000_000) }],
  ];
  test.each(answers)('that %s causes a warning', async (_, answer) => {
    witness.answer = answer;
    service.logged.length = 0;
    await grow();
    await kept.round();
    expect(messages()).toContain('warn: the witness has not cosigned the checkpoint of the audit log');
    witness.answer = null;
  });

  test('that redirects causes a warning, and the service sends nothing to the other server', async () => {
    const other = new TlogWitness();
    await other.listen();
    await grow();
    other.logKey = witness.logKey;
    witness.answer = { status: 307, body: '', location: `${other.url}/add-checkpoint` };
    service.logged.length = 0;
    await kept.round();
    witness.answer = null;
    other.close();
    expect(other.statuses).toEqual([]);
    expect(messages()).toContain('warn: the witness has not cosigned the checkpoint of the audit log');
  });

  test('that cosigns more lines than the checkpoint causes a warning, and its answer is not stored', async () => {
    await kept.round();
    const note = await grow();
    const text = `${note}more\n`;
    witness.answer = {
      status: 200,
      body: `more\n\n${witness.cosign(text)}`,
    };
    service.logged.length = 0;
    await kept.round();
    witness.answer = null;
    expect(messages()).toContain('warn: the witness has not cosigned the checkpoint of the audit log');
    expect((await operator().audit.checkpoint()).note).toBe(note);
  });

  test('does not cosign a log that has lost its newest entries', async () => {
    const sql = service.database.sql;
    const [log] = await sql`select * from latchkey.audit_log`;
    const earlier = lines().at(0)?.note;
    await sql`update latchkey.audit_log set size = 1, note = ${earlier}`;
    service.logged.length = 0;
    rmSync(file);
    await newWitness().round();
    const error = service.logged.find(({ level }) => level === 'warn')?.fields;
    expect(error).toMatchObject({ err: { message: expect.stringContaining('entries were removed') } });
    await sql`update latchkey.audit_log set size = ${log?.size}, note = ${log?.note}`;
  });
});

describe('a process', () => {
  /** Puts an older state of the log into the database, which the service signed at that time. */
  async function rollBack(work: () => Promise<void>): Promise<void> {
    const sql = service.database.sql;
    const note = await grow();
    const size = Number(note.split('\n')[1]);
    await sql`create table public.kept as table latchkey.audit_tiles`;
    await grow();
    await kept.round();
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`delete from latchkey.audit_entries where position >= ${size}`;
      await tx`delete from latchkey.audit_tiles`;
      await tx`insert into latchkey.audit_tiles select * from public.kept`;
      await tx`update latchkey.audit_log set size = ${size}, note = ${note}, seen = null`;
      await tx`drop table public.kept`;
    });
    await work();
  }

  test('that has seen a longer log does not continue the shorter one', async () => {
    await rollBack(async () => {
      const { note } = await operator().audit.checkpoint();
      const signed = readCheckpoint(openNote(`${note}`, [readVerifierKey(witness.logKey)]).text);
      await expect(kept.continuity.compare(signed)).rejects.toThrow('does not continue the log with');
    });
  });

  test('that has just started knows the longer log from the file', async () => {
    const { note } = await operator().audit.checkpoint();
    const signed = readCheckpoint(openNote(`${note}`, [readVerifierKey(witness.logKey)]).text);
    await expect(newWitness().continuity.compare(signed)).rejects.toThrow('does not continue the log with');
    service.logged.length = 0;
    await newWitness().round();
    expect(messages()).toContain(
      'error: cannot keep the checkpoint of the audit log outside of the database',
    );
  });

  test('continues after an operator has started a new log', async () => {
    await operator().audit.startNewLog({ reason: 'restored a backup' });
    await grow();
    service.logged.length = 0;
    witness.latest = { origin: '', size: 0, root: Buffer.alloc(32) };
    await newWitness().round();
    expect(messages().filter((message) => !message.startsWith('info'))).toEqual([]);
  });

  test('does not return to a log that a newer one has replaced', async () => {
    const read = async () => {
      const { note } = await operator().audit.checkpoint();
      return readCheckpoint(openNote(`${note}`, [readVerifierKey(witness.logKey)]).text);
    };
    const former = await read();
    const process = newWitness();
    await process.continuity.compare(former);
    await operator().audit.startNewLog({ reason: 'restored a backup' });
    await grow();
    await process.continuity.compare(await read());
    await expect(process.continuity.compare(former)).rejects.toThrow('does not continue the log with');
    await kept.round();
  });

  test('that has just started does not return to a former log in the file', async () => {
    const read = async () => {
      const { note } = await operator().audit.checkpoint();
      return readCheckpoint(openNote(`${note}`, [readVerifierKey(witness.logKey)]).text);
    };
    await kept.round();
    const former = await read();
    await operator().audit.startNewLog({ reason: 'restored a backup' });
    await grow();
    await kept.round();
    // More than the last 64 KB of the file belong to the current log.
    const last = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1);
    appendFileSync(file, `${last}\n`.repeat(500));
    await expect(newWitness().continuity.compare(former)).rejects.toThrow('does not continue the log with');
    await newWitness().continuity.compare(await read());
  });

  test('asks the witness even if the file cannot be written', async () => {
    rmSync(file);
    mkdirSync(file);
    witness.latest = { origin: '', size: 0, root: Buffer.alloc(32) };
    service.logged.length = 0;
    await grow();
    await kept.round();
    expect(messages()).toContain(
      'error: cannot keep the checkpoint of the audit log outside of the database',
    );
    expect(witness.latest.size).toBeGreaterThan(0);
    rmSync(file, { recursive: true });
  });

  test('warns if no key of the log has signed the last line of the file', async () => {
    appendFileSync(file, `${JSON.stringify({ note: 'x\n1\ny\n\n— x AAAAAAAA\n' })}\n`);
    service.logged.length = 0;
    await newWitness().round();
    expect(messages()).toContain('warn: no key of this service has signed the last checkpoint in the file');
  });
});
