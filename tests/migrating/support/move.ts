import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { commandsOn, type Ended } from '../../cli/commands/support/command.ts';
import { removeFolder } from '../../support/remove-folder.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

const exampleFolder = fileURLToPath(new URL('../../../examples/migrate/', import.meta.url));

/** Creates an empty database for the tables of another system. It is dropped after the test. */
export async function createOldDatabase(script = ''): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.drop());
  await database.sql.unsafe(script);
  return database;
}

/** Creates a database with the schema of the service. It is dropped after the test. */
export async function createNewDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** Runs a script of a guide on the other system's database. Returns the output, and the records in it. */
export async function runScript(name: string, { url }: { url: string }) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(exampleFolder, name)], {
    env: { PATH: process.env.PATH, OLD_DATABASE_URL: url },
  });
  expect(stderr).toBe('');
  // biome-ignore lint/suspicious/noExplicitAny: the records of each script differ
  const records: any[] = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { text: stdout, records };
}

/**
 * Imports the lines as the guides describe: first a dry run, then the import, then the import again, which must change
 * nothing. Returns the result of the import.
 */
export async function importLines(
  text: string,
  database: TestDatabase,
  { source, config }: { source: string; config?: string },
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-migrating-'));
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, 'users.ndjson');
  writeFileSync(file, text);
  const settings = config === undefined ? '' : ` --config ${join(exampleFolder, config)}`;
  const run = (more: string) =>
    commandsOn(() => database)(`users import ${file} --source ${source}${settings}${more}`);
  const count = async () => {
    const [row] = await database.sql<{ users: number }[]>`select count(*)::int as users from latchkey.users`;
    return row?.users;
  };
  const before = await count();
  const checked = await run(' --dry-run');
  expect(await count()).toBe(before);
  const imported = await run('');
  expect(imported.exitCode).toBe(checked.exitCode);
  const after = await count();
  await run('');
  expect(await count()).toBe(after);
  return imported;
}
