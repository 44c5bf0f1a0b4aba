import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readConfiguration } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabaseWithRoles, type DatabaseWithRoles } from '../db/support/roles.ts';
import { signUp } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { secret } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { runStatements } from './support/run-blocks.ts';
import { runShell } from './support/shell-blocks.ts';

const guide = readGuide('docs/guides/privacy.md');

let own: DatabaseWithRoles;
let service: ServiceOn;
beforeAll(async () => {
  own = await createDatabaseWithRoles();
  service = await startServiceOn(own.serviceUrl);
});
afterAll(async () => {
  await service.close();
  await own.drop();
});

const namesInLog = async (name: string) =>
  (
    await own.database
      .sql`select from latchkey.audit_events where actor_name = ${name} or target_name = ${name}`
  ).length;

test('the settings of the guide are valid', () => {
  const env = {
    ...parseEnv(guide.block('DELETED_USERNAME_RELEASE')),
    DATABASE_URL: own.serviceUrl,
    JWT_SECRET: secret,
  };
  expect(readConfiguration({ env })).toMatchObject({
    deletedUsernameReleaseDays: 30,
    auditRetentionDays: 200,
  });
});

test('the command and the code of the guide export the same account', async () => {
  const { signedUp } = await signUp(service, { username: 'ada' });
  const { exitCode, folder } = await runShell(guide.block('--output ada.json'), {
    env: { DATABASE_URL: own.serviceUrl },
  });
  expect(exitCode).toBe(0);
  const written = JSON.parse(readFileSync(join(folder, 'ada.json'), 'utf8'));
  expect(written.account).toMatchObject({ id: signedUp.body.user.id, username: 'ada' });
  const lines: string[] = [];
  const file = { write: (line: string) => lines.push(line) };
  await runStatements(guide.block('users.export'), { auth: service.auth, file });
  const records = lines.map((line) => JSON.parse(line));
  expect(records.find(({ type }) => type === 'account')).toMatchObject(written.account);
});

test('the owner of the schema erases a user, and with the role of the service, the command changes nothing', async () => {
  const erase = guide.block('latchkey users erase');
  const [asService, asOwner] = [
    { DATABASE_URL: own.serviceUrl },
    { DATABASE_URL: own.serviceUrl, MIGRATION_DATABASE_URL: own.ownerUrl },
  ];
  expect(await namesInLog('ada')).toBeGreaterThan(0);
  expect(await runShell(erase, { env: asOwner })).toMatchObject({ exitCode: 0 });
  expect(await namesInLog('ada')).toBe(0);

  const { browser } = await signUp(service, { username: 'lin' });
  const eraseLin = erase.replace('ada', 'lin');
  const refused = await runShell(eraseLin, { env: asService });
  expect([refused.exitCode, refused.stdout]).toEqual([4, '']);
  const grant = guide.block('grant execute').trim().replace('latchkey_service', own.service).replace(';', '');
  expect(refused.stderr).toBe(
    `error: The role ${own.service} cannot erase users. Nothing was changed. Use the role that owns the schema: set MIGRATION_DATABASE_URL for \`latchkey users erase\`. To let ${own.service} erase users, run as the owner: ${grant}\n`,
  );
  expect((await browser.get('/auth/session')).status).toBe(200);
  expect(await runShell(eraseLin, { env: asOwner })).toMatchObject({ exitCode: 0 });
  expect((await browser.get('/auth/session')).status).toBe(401);
  expect(await namesInLog('lin')).toBe(0);
});

test('with the right of the guide, code of the application erases a user', async () => {
  const { signedUp } = await signUp(service, { username: 'ben' });
  const values = { auth: service.auth, userId: signedUp.body.user.id };
  const inCode = guide.block('users.erase(userId)');
  await expect(runStatements(inCode, values)).rejects.toThrow();
  expect(await namesInLog('ben')).toBeGreaterThan(0);
  await own.database.sql.unsafe(guide.block('grant execute').replace('latchkey_service', own.service));
  await runStatements(inCode, values);
  expect(await namesInLog('ben')).toBe(0);
});
