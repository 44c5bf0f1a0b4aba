import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, Statement } from 'latchkey';
import { startEmbeddedPostgres } from 'latchkey/embedded';
import postgres, { type Sql } from 'postgres';
import { migrate, migrations } from '../../../src/db/migrate.ts';
import { grantedRights } from '../../../src/db/service-role.ts';
import { Script } from '../../../src/db/sql.ts';
import { type DumpedRow, dumpedRows } from './dumped-rows.ts';
import { recordRights } from './recorded-rights.ts';

/**
 * Writes the dump of the schema version in argv[2]. The dump contains the scripts of the migrations up to this version,
 * and rows. Also records the rights that the package grants to the role of the service. Never replaces a dump, because
 * a dump must stay as the version created it. See `scripts/write-dump.mjs`.
 */
async function main(version: number): Promise<void> {
  const file = `tests/db/dumps/${`${version}`.padStart(4, '0')}.sql`;
  if (existsSync(file)) throw new Error(`${file} exists, and a dump never changes.`);
  if (!migrations.some((migration) => migration.version === version))
    throw new Error(`No migration has the version ${process.argv[2]}.`);
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-dump-'));
  const server = await startEmbeddedPostgres({ directory });
  const client = postgres(server.superuserUrl, { max: 1, onnotice: () => {} });
  try {
    const scripts = await scriptsUpTo(client, version);
    const inserts = await insertsFor(client, version);
    // Shows that the rows satisfy the constraints of this version.
    await client.unsafe(inserts);
    writeFileSync(file, `-- Written by scripts/write-dump.mjs. Never changes.\n${scripts}\n${inserts}`);
    // Earlier versions of the package do not say with which versions they are compatible.
    if (version >= 19) recordRights(version, grantedRights());
  } finally {
    await client.end();
    await server.stop();
    await rm(directory, { recursive: true });
  }
}

/** Migrates the database to a version. Returns the scripts that this version of the package sent to PostgreSQL. */
async function scriptsUpTo(client: Sql, version: number): Promise<string> {
  const scripts: string[] = [];
  const recorder: Database = {
    async query<Row extends object>(statement: Statement) {
      if (statement instanceof Script) scripts.push(statement.text.trim());
      return [...(await client.unsafe<Row[]>(statement.text, statement.values as never[]))];
    },
  };
  const known = migrations.filter((migration) => migration.version <= version);
  await migrate(recorder, known);
  return scripts.join('\n\n');
}

/** Returns `insert` statements for the rows of a version. Leaves out the tables and columns that it lacks. */
async function insertsFor(client: Sql, version: number): Promise<string> {
  const columns = await client<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'latchkey'`;
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  const rows = await dumpedRows();
  return rows
    .filter(({ table }) => columns.some((existing) => existing.table === table))
    .filter(({ since = 1, until = version }) => since <= version && version <= until)
    .map((row) => insert(row, known))
    .join('');
}

function insert({ table, columns }: DumpedRow, known: ReadonlySet<string>): string {
  const entries = Object.entries(columns).filter(([column]) => known.has(`${table}.${column}`));
  const names = entries.map(([column]) => column).join(', ');
  const values = entries.map(([, value]) => literal(value)).join(', ');
  return `insert into latchkey.${table} (${names})\nvalues (${values});\n`;
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : `${value}`;

await main(Number(process.argv[2] ?? migrations.at(-1)?.version));
