import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { createNewDatabase, createOldDatabase } from '../../migrating/support/move.ts';
import type { TestDatabase } from '../../support/test-database.ts';
import type { Guide } from './guide.ts';
import { runShell } from './shell-blocks.ts';

// Inside the repository, so that the scripts can import packages.
const parent = fileURLToPath(new URL('../.blocks/', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));
const examples = join(root, 'examples/migrate');

export interface Migration {
  guide: Guide;
  /** The other system, such as `passport`. It is the name of the script and of the source of the import. */
  system: string;
  /** The tables and rows of the other system, with at least the user `1`. */
  tables: string;
  /** The files of the guide, and a text that only the block of the file contains. */
  files: Record<string, string>;
}

/**
 * Follows a migration guide: writes its files, runs its shell blocks, and then the statements of "After the import" on a
 * table `notes` with two notes of the user `1`.
 *
 * @returns the new database
 */
export async function followGuide({ guide, system, tables, files }: Migration): Promise<TestDatabase> {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'migration-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/latchkey'), 'dir');
  expect(await runShell(guide.block('cp node_modules/latchkey'), { folder })).toMatchObject({ exitCode: 0 });
  for (const [name, text] of Object.entries(files)) {
    const code = guide.block(text);
    const file = name === 'latchkey.config.ts' ? `${system}.config.ts` : name;
    expect([file, code]).toEqual([file, readFileSync(join(examples, file), 'utf8')]);
    // The guide copies the other files from the package.
    if (name === 'latchkey.config.ts') writeFileSync(join(folder, name), code);
  }
  const old = await createOldDatabase(tables);
  const script = guide.block('chmod 600').replace('postgres://…', old.url);
  expect(await runShell(script, { folder })).toMatchObject({ exitCode: 0, stderr: '' });

  const database = await createNewDatabase();
  const env = { DATABASE_URL: database.url };
  const imported = await runShell(guide.block('latchkey migrate\n'), { folder, env });
  expect(imported).toMatchObject({ exitCode: 0 });
  expect(imported.stdout).toMatch(/^Imported +[1-9]\d*$/m);

  const { sql } = database;
  await sql`create table notes (owner_id text not null, text text not null)`;
  await sql`insert into notes values ('1', 'one'), ('1', 'two')`;
  await sql.unsafe(guide.block('alter table notes'));
  const [row] = await sql`
    select count(distinct notes.owner)::int as owners, min(imported_users.source) as source
    from notes join latchkey.imported_users on imported_users.user_id = notes.owner`;
  expect(row).toEqual({ owners: 1, source: system });
  return database;
}

/** Returns the number of users who have not signed in since the import, as the statement of the guide counts them. */
export async function countWaiting(guide: Guide, { sql }: TestDatabase): Promise<number> {
  const [row] = await sql.unsafe(guide.block('select count(*) from latchkey.users'));
  return Number(row?.count);
}
