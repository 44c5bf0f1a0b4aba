import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import bcrypt from 'bcrypt';
import type { AuthServiceOptions, ImportRefusalReason } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logInByPassword } from '../features/support/passwords.ts';
import { registerAtOldSystem } from '../migrating/support/old-passkeys.ts';
import { logIn, newAuthenticator } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { readGuide } from './support/guide.ts';
import { importBlocks, runStatements } from './support/run-blocks.ts';
import { createFolder, runShell } from './support/shell-blocks.ts';

const guide = readGuide('docs/guides/import-users.md');
/** A configuration file with the own field of the documented record. */
const config = `
  const schema = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };
  export default { userFields: { plan: { schema, read: 'user', write: 'operator' } } };`;

let database: TestDatabase;
let service: ServiceOn;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceOn(database.url, { bcryptCost: 4 });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const run = (code: string, folder: string) => runShell(code, { folder, env: { DATABASE_URL: database.url } });

/** The record of the guide, with a real hash and a real passkey. */
async function recordOf(authenticator: ReturnType<typeof newAuthenticator>) {
  const record = JSON.parse(guide.block('sourceId'));
  const passkey = await registerAtOldSystem(authenticator, Buffer.from(record.userHandle, 'base64url'));
  expect([record.passkeys[0].credentialId, record.password.hash]).toEqual(['q3F…', '$2b$12$…']);
  Object.assign(record.passkeys[0], {
    credentialId: passkey.id,
    publicKey: passkey.publicKey.toString('base64url'),
  });
  record.password.hash = await bcrypt.hash('correct horse', 4);
  return record;
}

test('a user of the documented record signs in with the password and the passkey, and a repeated import skips it', async () => {
  const folder = createFolder();
  const authenticator = newAuthenticator();
  const record = await recordOf(authenticator);
  writeFileSync(join(folder, 'latchkey.config.mjs'), config);
  const lines = [record, { username: 'admin' }, { username: 'zoe', plan: 'pro' }];
  writeFileSync(join(folder, 'users.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const commands = guide.block('users import');
  const [dryRun = '', real = ''] = commands.trim().split('\n');
  expect(await run(dryRun, folder)).toMatchObject({ exitCode: 3 });
  expect(await service.auth.asOperator('ops').users.list()).toMatchObject({ users: [] });

  const { exitCode, stdout } = await run(real, folder);
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(/^Imported +1\nAlready imported +0\nRefused +2\n/);
  const refused = readFileSync(join(folder, 'refused.ndjson'), 'utf8').trim().split('\n');
  expect(refused.map((line) => JSON.parse(line).reason).sort()).toEqual([
    'invalid_record',
    'username_unacceptable',
  ]);
  expect((await logIn(service.browser(), authenticator)).body.user).toMatchObject({
    username: 'ada',
    displayName: 'Ada',
    createdAt: '2024-01-02T03:04:05.000Z',
  });
  expect((await logInByPassword(service.browser(), { username: 'ada' }, 'correct horse')).status).toBe(200);
  const [stored] = await database.sql`select fields from latchkey.users where username = 'ada'`;
  expect(stored).toEqual({ fields: { plan: 'pro' } });
  expect((await run(real, folder)).stdout).toMatch(/^Imported +0\nAlready imported +1\n/);
});

test('with the functions of the guide, a user signs in with a hash of another system', async () => {
  const { default: given } = (await importBlocks({
    'latchkey.config.ts': guide.block('argon2.verify').replace("'argon2'", "'./argon2.ts'"),
    'argon2.ts': 'export const verify = async (hash: string, given: string) => hash.endsWith(btoa(given));',
  })) as { default: AuthServiceOptions };
  const other = await startServiceOn(database.url, { bcryptCost: 4, ...given });
  await other.auth
    .asOperator('ops')
    .users.import([{ username: 'eve', password: { hash: `$argon2id$${btoa('correct horse')}` } }]);
  const signIn = (password: string) => logInByPassword(other.browser(), { username: 'eve' }, password);
  expect((await signIn('wrong horse')).status).toBe(401);
  expect((await signIn('correct horse')).status).toBe(200);
  await other.close();
});

test('`latchkey users create` prints a link or reads a password', async () => {
  const [link = '', password = ''] = guide.block('--password-stdin').trim().split('\n');
  const linked = await run(link.replace('ada', 'lin'), createFolder());
  expect([linked.exitCode, linked.stdout]).toEqual([0, expect.stringContaining('/recover#token=')]);
  const created = await runShell(password.replace('ada', 'pat'), {
    env: { DATABASE_URL: database.url, PASSWORD: 'a long fallback password' },
  });
  expect(created.exitCode).toBe(0);
  const signedIn = await logInByPassword(service.browser(), { username: 'pat' }, 'a long fallback password');
  expect(signedIn.status).toBe(200);
});

test('the code of the guide creates a user with a link, and reports refused records', async () => {
  const warned: unknown[][] = [];
  const code = guide.block('onRefused').replace('ada', 'kay');
  const { link, report } = (await runStatements(`${code}\nreturn { link, report };`, {
    auth: service.auth,
    records: [{ username: 'ben' }, { username: 'x' }],
    console: { warn: (...words: unknown[]) => warned.push(words) },
  })) as { link: { url: string }; report: { imported: number; refused: number } };
  expect(link.url).toContain('/recover#token=');
  expect(report).toMatchObject({ imported: 1 });
  expect(warned).toEqual([[2, 'username_unacceptable' satisfies ImportRefusalReason, expect.any(String)]]);
});
