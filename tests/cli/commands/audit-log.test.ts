import { execFile, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUp } from '../../support/person.ts';
import { sequence } from '../../support/sequencing.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, jsonOn, temporaryFolders } from './support/command.ts';

const run = promisify(execFile);
/** On a machine without Python, the test is skipped. In CI, it fails. */
const isWithoutPython = !process.env.CI && spawnSync('python3', ['--version']).status !== 0;
const checkWithPython = fileURLToPath(new URL('support/check-proof.py', import.meta.url));

let database: TestDatabase;
let service: ServiceOn;
/** The folder of the proofs and the witness files. */
let folder: string;
let key: string;
const runLine = commandsOn(() => database);
const runJson = jsonOn(() => database);
const latchkey = (words: string | readonly string[], env = {}) => runLine([words].flat().join(' '), env);
const json = (words: string | readonly string[]) => runJson([words].flat().join(' '));
const newFolder = temporaryFolders();
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceOn(database.url);
  await signUp(service, { username: 'ada' });
  await signUp(service, { username: 'grace' });
  const operator = service.auth.asOperator('ops');
  await operator.users.rename('grace', 'grace.h');
  await operator.users.disable('grace.h', { reason: 'left: “bye”, née ΔΩ 🦉' });
  await sequence(database.sql);
  const { user } = await operator.users.get('grace.h');
  await operator.users.delete('grace.h');
  await operator.users.erase(user.id);
  await sequence(database.sql);
  folder = newFolder();
  ({
    keys: [key],
  } = await json('audit checkpoint'));
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const idOf = async (event: string): Promise<string> =>
  (await database.sql`select id from latchkey.audit_events where event = ${event} order by at limit 1`)[0]
    ?.id;

async function prove(event: string): Promise<string> {
  const file = join(folder, `${event}-${crypto.randomUUID()}.tlog-proof`);
  const { exitCode } = await latchkey(['audit', 'proof', await idOf(event), '--output', file]);
  expect(exitCode).toBe(0);
  return file;
}

describe('`latchkey audit checkpoint`', () => {
  test('prints the public key on the first line, and the signed checkpoint', async () => {
    const { exitCode, stdout } = await latchkey('audit checkpoint');
    expect(exitCode).toBe(0);
    const [first, origin, size] = stdout.split('\n');
    expect(first).toBe(key);
    expect(key).toMatch(new RegExp(`^${origin?.replaceAll('.', '\\.')}\\+[0-9a-f]{8}\\+`));
    expect(Number(size)).toBeGreaterThan(5);
    expect((await json('audit checkpoint')).witnessKeys).toEqual([]);
  });

  test('prints the public key as a witness on the last line if the service witnesses another log', async () => {
    const { stdout } = await latchkey('audit checkpoint', { AUDIT_WITNESS_FOR: key });
    expect(stdout).toMatch(/\n— .*\nlocalhost\/auth\/audit-witness\+[0-9a-f]{8}\+B\S+\n$/);
  });
});

describe('`latchkey audit verify`', () => {
  test('finds no problem in an unchanged log', async () => {
    const { exitCode, stdout, stderr } = await latchkey('audit verify');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^No problem found in the log localhost\/auth\/audit-log\/[0-9a-f]{8}\.\n\d+ events checked/,
    );
    expect(stdout).toContain('Without --witness-file, removed newest events are not detected.');
    expect(stdout).not.toContain('--key');
  });

  test('accepts a key, a retention and a file with checkpoints in several forms', async () => {
    const { note } = await json('audit checkpoint');
    const file = join(folder, 'witness');
    const [copy] = await database.sql`select note from latchkey.audit_checkpoints order by size limit 1`;
    expect(copy?.note).not.toBe(note);
    const line = JSON.stringify({ at: 'x', note: copy?.note });
    writeFileSync(file, `${line}\nnot JSON\n{"level":"info"}\n${note}`);
    const result = await json(['audit', 'verify', '--key', key, '--witness-file', file, '--retention', '90']);
    expect(result).toMatchObject({ ok: true, witnessed: 2, problems: [] });
  });

  test('names what was changed, and exits with 3', async () => {
    const id = await idOf('user.rename');
    await database.sql`alter table latchkey.audit_events disable trigger user`;
    await database.sql`update latchkey.audit_events set outcome = 'failure' where id = ${id}`;
    const { exitCode, stdout } = await latchkey('audit verify');
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(new RegExp(`^event \\d+: Event ${id} of .* was changed\\.\n`));
    expect(stdout).toContain('The audit log does not match what was signed: 1 problem.');
    expect(stdout).not.toContain('--witness-file');
    expect(stdout).not.toContain('--key');
    await database.sql`update latchkey.audit_events set outcome = 'success' where id = ${id}`;
    await database.sql`alter table latchkey.audit_events enable trigger user`;
  });

  test.each([
    [['--key', 'x'], 2, '--key: "x" is not a public key'],
    [['--retention', '0'], 2, '--retention'],
    [['--witness-file', '/nowhere/at/all'], 5, 'error: /nowhere/at/all: no such file or directory\n'],
  ])('refuses %j', async (flags, code, message) => {
    const { exitCode, stderr } = await latchkey(['audit', 'verify', ...flags]);
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)]);
  });

  test('says what to do if none of the keys has signed the log', async () => {
    const other = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    const { exitCode, stdout } = await latchkey(['audit', 'verify', '--key', other]);
    expect([exitCode, stdout]).toEqual([
      3,
      expect.stringContaining('pass its public key with --key, or set AUDIT_VERIFIER_KEYS'),
    ]);
  });
});

describe('`latchkey audit proof`', () => {
  test('writes a file that `latchkey audit check-proof` accepts without a database and without a secret', async () => {
    const file = await prove('account.signup');
    const { exitCode, stdout } = await latchkey(['audit', 'check-proof', file, '--key', key], {
      DATABASE_URL: '',
      JWT_SECRET: '',
    });
    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, 'Valid. The audit log contains this event:']);
    expect(stdout).toMatch(/Event +account\.signup/);
  });

  test('proves an event whose user was erased, and says what it does not cover', async () => {
    const checked = await json(['audit', 'check-proof', await prove('user.rename'), '--key', key]);
    expect(checked).toMatchObject({ valid: true, erased: ['target_name', 'details.to'] });
    expect(checked.event.target.name).toMatch(/^erased:/);
  });

  test.skipIf(isWithoutPython).each(['user.rename', 'user.disable', 'user.erase'])(
    'writes a proof that a program without Latchkey code confirms (%s)',
    async (event) => {
      const file = await prove(event);
      expect((await run('python3', [checkWithPython, file, key])).stdout).toBe(`${event}\n`);
      writeFileSync(
        file,
        changed(readFileSync(file, 'utf8'), (row) => ({ ...row, outcome: 'failure' })),
      );
      await expect(run('python3', [checkWithPython, file, key])).rejects.toThrow(
        'the event is not in the tree',
      );
    },
  );

  test.each([
    [
      (text: string) => changed(text, (row) => ({ ...row, outcome: 'failure' })),
      'the event is not the one that the log has signed',
    ],
    [
      (text: string) => changed(text, (row) => ({ ...row, note: 'more' })),
      'the event is not the one that the log has signed',
    ],
    [
      (text: string) => text.replace(/^index \d+/m, 'index 0'),
      'the event is not the one that the log has signed',
    ],
    [
      (text: string) => text.replace(/\n(\d+)\n/, (_, size) => `\n${Number(size) + 1}\n`),
      'invalid signature',
    ],
    [(text: string) => text.slice(1), 'is not a proof'],
    [(text: string) => text.replace(/^extra .*$/m, 'extra e30='), 'contains no event'],
  ])('writes a proof that `check-proof` rejects after a change (%#)', async (change, problem) => {
    const file = await prove('user.disable');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    const { exitCode, stdout } = await latchkey(['audit', 'check-proof', file, '--key', key]);
    expect(exitCode).toBe(3);
    expect(stdout).toContain(problem);
  });

  test('writes a proof that `check-proof` rejects with the key of another log', async () => {
    const other = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    const { exitCode, stdout } = await latchkey([
      'audit',
      'check-proof',
      await prove('user.disable'),
      '--key',
      other,
    ]);
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining('no known key has signed the note')]);
  });

  test('rejects the ID of an unknown event', async () => {
    const { exitCode } = await latchkey('audit proof 0199f3b0-7a8c-7def-8123-456789abcdef');
    expect(exitCode).toBe(3);
  });
});

describe('`latchkey audit new-log`', () => {
  test('exits with 2 without --reason, and without --yes if there is no terminal', async () => {
    expect((await latchkey('audit new-log --yes')).exitCode).toBe(2);
    expect((await latchkey(['audit', 'new-log', '--reason', 'restored'])).exitCode).toBe(2);
  });

  test('starts a new log after the database has lost signed entries, and records the reason', async () => {
    const { note } = await json('audit checkpoint');
    const file = join(folder, 'witness-of-the-former-log');
    appendFileSync(file, note);
    // The database has lost its newest entry, as after an honest restore.
    await database.sql`alter table latchkey.audit_entries disable trigger user`;
    await database.sql`
      delete from latchkey.audit_entries where position = (select max(position) from latchkey.audit_entries)`;
    await database.sql`alter table latchkey.audit_entries enable trigger user`;
    expect((await latchkey('audit verify')).exitCode).toBe(3);

    const started = await json(['audit', 'new-log', '--reason', 'restored', '--yes']);
    expect(started.formerOrigin).toBe(note.split('\n')[0]);
    await sequence(database.sql);
    const result = await json(['audit', 'verify', '--witness-file', file]);
    expect(result).toMatchObject({ ok: true, origin: started.origin, waiting: 0 });
    const [event] =
      await database.sql`select details from latchkey.audit_events where event = 'audit.new_log'`;
    expect(event?.details).toEqual({
      statedReason: 'restored',
      origin: started.origin,
      formerOrigin: started.formerOrigin,
      formerSize: started.size,
    });
  });
});

/** Changes the event in a proof. */
function changed(proof: string, change: (row: Record<string, unknown>) => Record<string, unknown>): string {
  return proof.replace(/^extra (.*)$/m, (_, encoded) => {
    const { event } = JSON.parse(Buffer.from(encoded, 'base64').toString());
    return `extra ${Buffer.from(JSON.stringify({ event: change(event) })).toString('base64')}`;
  });
}
