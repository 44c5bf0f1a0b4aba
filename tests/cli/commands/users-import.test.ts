import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bcryptHash, foreignPasskey, importedUser } from '../../features/support/imports.ts';
import { logInByPassword, password } from '../../features/support/passwords.ts';
import { linkUsePath } from '../../features/support/recovery.ts';
import { logIn, newUsername, signUp } from '../../support/person.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import {
  commandsOn,
  commonEnv,
  type Ended,
  jsonOn,
  program,
  runCommand,
  temporaryFolders,
} from './support/command.ts';
import { eventsOf, operator } from './support/superadmin.ts';

let database: TestDatabase;
let service: ServiceOn;
const latchkey = commandsOn(() => database);
const json = jsonOn(() => database);
const newFolder = temporaryFolders();
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceOn(database.url);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

function fileWith(...lines: (object | string | Buffer)[]): string {
  const path = join(newFolder(), 'users.ndjson');
  const bytes = lines.map((line) =>
    Buffer.isBuffer(line) ? line : Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)),
  );
  writeFileSync(path, Buffer.concat(bytes.flatMap((line) => [line, Buffer.from('\n')])));
  return path;
}

/** Runs a command with text on standard input. */
function withInput(words: readonly string[], input: string): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...commonEnv, DATABASE_URL: database.url },
    stdio: 'pipe',
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (written.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (written.stderr += text));
  child.stdin.on('error', () => {}).end(input);
  return new Promise((resolve) =>
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal, ...written })),
  );
}

describe('`latchkey users import`', () => {
  test('imports users who then sign in with their password and their passkey', async () => {
    const passkey = await foreignPasskey();
    const user = importedUser({
      password: { hash: bcryptHash(password) },
      userHandle: passkey.userHandle,
      passkeys: [passkey.record],
    });
    const { exitCode, stdout, stderr } = await latchkey(`users import ${fileWith(user)} --source shop`);
    expect([exitCode, stdout, stderr]).toEqual([
      0,
      'Imported          1\nAlready imported  0\nRefused           0\n',
      '',
    ]);
    expect((await logInByPassword(service.browser(), user)).status).toBe(200);
    expect((await logIn(service.browser(), passkey.authenticator)).status).toBe(200);
    expect((await eventsOf(database, 'user.import')).at(-1)).toMatchObject({
      actor_name: operator,
      target_name: user.username,
      details: { source: 'shop' },
    });
  });

  test('says which lines were refused, exits with 3, and can be repeated', async () => {
    const users = [importedUser(), importedUser()];
    const file = fileWith(
      users[0] ?? '',
      '',
      'not JSON',
      { username: 'x' },
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
      users[1] ?? '',
    );
    const first = await latchkey(`users import ${file}`);
    expect([first.exitCode, first.stdout]).toEqual([
      3,
      [
        'Imported                 2',
        'Already imported         0',
        'Refused                  3',
        '  invalid_record         2',
        '  username_unacceptable  1',
        '',
      ].join('\n'),
    ]);
    expect(first.stderr).toBe(
      [
        'Line 3: invalid_record: expected one user as a JSON object on one line',
        'Line 4: username_unacceptable: username: expected a username that the option `usernames` allows',
        'Line 5: invalid_record: expected one user as a JSON object on one line',
        '',
      ].join('\n'),
    );
    const report = await runCommand(`users import ${file} --json`, { env: { DATABASE_URL: database.url } });
    expect([report.exitCode, report.stderr]).toEqual([3, '']);
    expect(JSON.parse(report.stdout)).toEqual({
      dryRun: false,
      read: 5,
      imported: 0,
      alreadyImported: 2,
      refused: 3,
      reasons: { invalid_record: 2, username_unacceptable: 1 },
    });
  });

  test('writes refused records to a file that only its owner can read, and replaces it when repeated', async () => {
    const hash = 'scrypt:12';
    const bad = importedUser({ password: { hash } });
    const file = fileWith(importedUser(), bad, 'not JSON');
    const refused = join(newFolder(), 'refused.ndjson');
    for (let times = 0; times < 2; times += 1) {
      const { exitCode, stderr } = await latchkey(`users import ${file} --refused ${refused}`);
      expect([exitCode, stderr]).toEqual([3, `\nThe refused records are in ${refused}.\n`]);
      const lines = readFileSync(refused, 'utf8').trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        { line: 2, reason: 'hash_unsupported', message: expect.any(String), record: bad },
        { line: 3, reason: 'invalid_record', message: expect.any(String), record: 'not JSON' },
      ]);
      expect(statSync(refused).mode & 0o777).toBe(0o600);
    }
  });

  test('does not replace the file to import with the refused records', async () => {
    const file = fileWith(importedUser());
    const before = readFileSync(file, 'utf8');
    const { exitCode, stderr } = await latchkey(`users import ${file} --refused ${file}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--refused: expected another file than the file to import.');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('reads standard input, even without a line break at the end', async () => {
    const users = [importedUser(), importedUser()];
    const input = users.map((user) => JSON.stringify(user)).join('\n');
    const { exitCode, stdout, stderr } = await withInput(['users', 'import', '-'], input);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Imported          2');
  });

  test('writes nothing with --dry-run', async () => {
    const user = importedUser();
    const { exitCode, stdout } = await latchkey(`users import ${fileWith(user)} --dry-run`);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Can be imported   1')]);
    expect((await latchkey(`users get ${user.username}`)).exitCode).toBe(3);
  });

  test('refuses a line of more than 524,288 characters and imports the next one', async () => {
    const file = fileWith('x'.repeat(3_000_000), importedUser());
    const { exitCode, stdout, stderr } = await latchkey(`users import ${file}`);
    expect([exitCode, stderr]).toEqual([3, 'Line 1: invalid_record: expected at most 524288 characters\n']);
    expect(stdout).toContain('Imported          1');
  });

  test('uses `password.verify` of the configuration file', async () => {
    const cwd = newFolder();
    writeFileSync(
      join(cwd, 'latchkey.config.mjs'),
      `export default {
         database: ${JSON.stringify(database.url)},
         bcryptCost: 4,
         password: { verify: () => true, accepts: (hash) => hash.startsWith('scrypt:') },
       };`,
    );
    const file = fileWith(
      importedUser({ password: { hash: 'scrypt:12' } }),
      importedUser({ password: { hash: 'md5:12' } }),
    );
    const { exitCode, stdout } = await runCommand(`users import ${file}`, { cwd });
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining('Imported            1')]);
  });

  test.each([
    ['a file that does not exist', 'users import no-such-file.ndjson', 5],
    ['a folder', 'users import .', 5],
    ['no file', 'users import', 2],
    ['two files', 'users import a b', 2],
  ])('fails for %s', async (_, line, exitCode) => {
    const ended = await latchkey(line);
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });
});

describe('`latchkey users create`', () => {
  test('prints a link with which the user adds a passkey', async () => {
    const username = newUsername('made');
    const { exitCode, stdout, stderr } = await latchkey(
      `users create ${username} --display-name Ada --role admin --link`,
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^Username {2}\S+\nID +\S+\nRole +admin\nLink +\S+#token=(\S+)\nExpires +.* UTC\n$/,
    );
    expect(stderr).toContain('The link is shown only once.');
    const [, token] = /#token=(\S+)/.exec(stdout) ?? [];
    expect((await service.browser().post(linkUsePath, { token })).status).toBe(200);
    expect((await json(`users get ${username}`)).user).toMatchObject({ displayName: 'Ada', role: 'admin' });
  });

  test('reads a password from standard input', async () => {
    const username = newUsername('made');
    const made = await withInput(
      ['users', 'create', username, '--password-stdin', '--json'],
      `${password}\n`,
    );
    expect([made.exitCode, JSON.parse(made.stdout)]).toEqual([
      0,
      { user: expect.objectContaining({ username }), link: null },
    ]);
    expect((await logInByPassword(service.browser(), { username })).status).toBe(200);
  });

  test.each<[what: string, words: (taken: string) => string, input: string, exitCode: number]>([
    ['a taken username', (taken) => taken, '', 3],
    ['an invalid username', () => '_', '', 2],
    ['the role superadmin', () => `${newUsername()} --role superadmin`, '', 2],
    ['a display name that is too long', () => `${newUsername()} --display-name ${'x'.repeat(65)}`, '', 2],
    ['a short password', () => `${newUsername()} --password-stdin`, 'short', 2],
    ['an empty password', () => `${newUsername()} --password-stdin`, '', 2],
    ['two lines', () => `${newUsername()} --password-stdin`, `${password}\n${password}\n`, 2],
    ['more than 4096 bytes', () => `${newUsername()} --password-stdin`, 'x'.repeat(5000), 2],
  ])('fails for %s', async (_, words, input, exitCode) => {
    const { username } = await signUp(service);
    const ended = await withInput(['users', 'create', ...words(username).split(' ')], input);
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
    expect(ended.stderr).not.toContain(password);
  });
});
