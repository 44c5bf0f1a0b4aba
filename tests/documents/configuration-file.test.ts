import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAuthService, requirePermission } from 'latchkey';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { importBlocks } from './support/run-blocks.ts';
import { runShell } from './support/shell-blocks.ts';

const guide = readGuide('docs/guides/configuration-file.md');
const file = guide.block('export default defineConfig');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('the application and the command use the options of the file', async () => {
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('JWT_SECRET', secret);
  const { auth } = (await importBlocks({
    'auth.ts': guide.block('createAuthService(config)'),
    'latchkey.config.ts': file,
  })) as { auth: Awaited<ReturnType<typeof createAuthService>> };
  vi.unstubAllEnvs();
  expect(auth.config).toMatchObject({ rpName: 'Orders' });
  const guard = (capability: string) => requirePermission(auth, capability as never, () => null);
  expect(() => guard('report:read')).not.toThrow();
  expect(() => guard('report:write')).toThrow(TypeError);
  await auth.asOperator('ops').users.create({ username: 'ada' });
  await auth.close();

  // Inside the repository, so that the file can import the package.
  const parent = fileURLToPath(new URL('.blocks/', import.meta.url));
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'configuration-'));
  writeFileSync(join(folder, 'latchkey.config.ts'), file);
  const env = { DATABASE_URL: database.url };
  const { exitCode, stdout, stderr } = await runShell(guide.block('latchkey users list'), { folder, env });
  rmSync(folder, { recursive: true });
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringContaining('Settings from latchkey.config.ts. Database: '),
  ]);
  expect(stdout).toContain('ada');
});

test('createAuthService reports a misspelled option', async () => {
  await expect(
    createAuthService({ database: database.url, secret, env: {}, sessionTtl: 60 } as never),
  ).rejects.toThrow('sessionTtl');
});
