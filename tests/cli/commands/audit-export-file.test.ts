import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUp } from '../../support/person.ts';
import { startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, expectNoStack, temporaryFolders } from './support/command.ts';

let database: TestDatabase;
const latchkey = commandsOn(() => database);
const newFolder = temporaryFolders();
beforeAll(async () => {
  database = await createTestDatabase();
  const service = await startServiceOn(database.url);
  await signUp(service);
  await service.close();
});
afterAll(() => database.drop());

describe('`latchkey audit export`', () => {
  test('does not overwrite an existing file', async () => {
    const file = join(newFolder(), 'log.ndjson');
    writeFileSync(file, 'precious');
    const ended = await latchkey(`audit export --output ${file}`);
    expect(ended.exitCode).toBe(5);
    expect(ended.stderr).toContain(file);
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expectNoStack(ended);
  });

  test('reports a missing folder without a stack trace', async () => {
    const file = join(newFolder(), 'nowhere', 'log.ndjson');
    const ended = await latchkey(`audit export --output ${file}`);
    expect(ended.exitCode).toBe(5);
    expect(ended.stderr).toContain(file);
    expectNoStack(ended);
    expect(existsSync(file)).toBe(false);
  });
});
