import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPassword } from '../../features/support/passwords.ts';
import { newAuthenticator, type Person, signUp } from '../../support/person.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { type Ended, runCommand, temporaryFolders } from './support/command.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const newFolder = temporaryFolders();
let database: TestDatabase;
let service: ServiceOn;
let ada: Person;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceOn(database.url);
  ada = await signUp(service, { username: 'ada' });
  await signUp(service, { username: 'ben', authenticator: newAuthenticator({ backupEligible: false }) });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

/** Runs `latchkey policy test` in a project with this option `authenticators`. */
function testPolicy(authenticators: string, flags = ''): Promise<Ended> {
  const folder = newFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(repository, join(folder, 'node_modules/latchkey'));
  const config = `export default { database: ${JSON.stringify(database.url)}, authenticators: ${authenticators} };`;
  writeFileSync(join(folder, 'latchkey.config.mjs'), config);
  return runCommand(`policy test${flags}`, { cwd: folder, env: { JWT_SECRET: undefined } });
}

test('`latchkey policy test` lists the excluded passkeys, and exits with 3 if a user could not sign in', async () => {
  const { exitCode, stdout } = await testPolicy('{ deviceBound: true }');
  expect(stdout).toMatch(/^USERNAME +ROLE +PASSKEY +MODEL +REASON +CAN STILL SIGN IN$/m);
  expect(stdout).toMatch(/^ada +user .+ not_device_bound +no$/m);
  expect(stdout).not.toContain('ben');
  expect(stdout).toContain('1 user with excluded passkeys. With checkSignIns, 1 of them cannot sign in.');
  expect(exitCode).toBe(3);
});

test('`latchkey policy test --json` prints the report', async () => {
  const { exitCode, stdout } = await testPolicy('{ deviceBound: true }', ' --json');
  expect(exitCode).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    users: [{ username: 'ada', excluded: [{ reason: 'not_device_bound' }], allowed: 0, isShutOut: true }],
    total: 1,
    shutOut: 1,
    checkSignIns: false,
  });
});

test('`latchkey policy test` exits with 0 if the policy excludes no passkey', async () => {
  const { exitCode, stdout } = await testPolicy('{ roles: { admin: { deviceBound: true } } }');
  expect([exitCode, stdout]).toEqual([
    0,
    'The option authenticators excludes no passkey of an active user.\n',
  ]);
});

test('`latchkey policy test` exits with 0 if the users with excluded passkeys can sign in with a password', async () => {
  await addPassword(ada.browser);
  const { exitCode, stdout } = await testPolicy('{ deviceBound: true }');
  expect(stdout).toMatch(/^ada +user .+ not_device_bound +yes$/m);
  expect(exitCode).toBe(0);
});
