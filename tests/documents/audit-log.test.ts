import { randomBytes } from 'node:crypto';
import type { AuthService } from 'latchkey';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { importBlocks } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/audit-log.md');

let database: TestDatabase;
let web: ServiceOn;
beforeAll(async () => {
  database = await createTestDatabase();
  web = await startServiceOn(database.url, { auditSequencer: true });
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await web.close();
  await database.drop();
});

const auditOf = (auth: AuthService) => auth.asOperator('ops').audit;
const caughtUp = (auth: AuthService) => eventually(async () => (await auditOf(auth).verify()).waiting === 0);

test('a process that only signs continues the log, and the former key alone no longer verifies it', async () => {
  await web.auth.asOperator('ops').users.create({ username: 'ada' });
  await caughtUp(web.auth);
  const { keys: former } = await auditOf(web.auth).checkpoint();
  await web.close();
  web = await startServiceOn(database.url, { auditSequencer: false });

  const values: Record<string, string> = {
    AUDIT_SEQUENCER: 'on',
    AUDIT_SIGNING_KEY: randomBytes(32).toString('base64url'),
    AUDIT_VERIFIER_KEYS: former[0] ?? '',
  };
  const named = [...guide.block('node audit-signer.js').matchAll(/([A-Z_]+)=/g)].map(([, name]) => `${name}`);
  expect(named).toEqual(Object.keys(values));
  for (const [name, value] of Object.entries({ ...values, DATABASE_URL: database.url, JWT_SECRET: secret }))
    vi.stubEnv(name, value);
  const before = process.listeners('SIGTERM');
  const { auth: signer } = (await importBlocks({ 'audit-signer.js': guide.block('createAuthService') })) as {
    auth: AuthService;
  };
  const [onSigterm] = process.listeners('SIGTERM').filter((listener) => !before.includes(listener));
  await web.auth.asOperator('ops').users.create({ username: 'grace' });
  await caughtUp(signer);
  const { keys } = await auditOf(signer).checkpoint();
  expect(keys.some((key) => !former.includes(key))).toBe(true);
  expect((await auditOf(signer).verify({ key: keys[0] ?? '' })).ok).toBe(true);
  expect((await auditOf(web.auth).verify()).ok).toBe(false);
  expect(onSigterm).toBeTypeOf('function');
  if (onSigterm) process.off('SIGTERM', onSigterm);
  await signer.close();
});
