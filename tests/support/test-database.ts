import postgres, { type Sql } from 'postgres';
import { inject } from 'vitest';

export interface TestDatabase {
  url: string;
  /** A client of the test, for reading and changing rows without the service. */
  sql: Sql;
  drop(): Promise<void>;
}

/** One connection for each worker process, because a new connection takes longer than creating a database. */
let administration: Sql | undefined;

function administer(): Sql {
  // The idle timeout lets the process end.
  administration ??= postgres(inject('postgresUrl'), { max: 1, idle_timeout: 2, onnotice: () => {} });
  return administration;
}

/** Creates a database for one test file. It is a copy of the migrated template, or empty. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const url = new URL(inject('postgresUrl'));
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = administer();
  const source = empty ? '' : `template ${inject('template')}`;
  await admin.unsafe(`create database ${name} ${source} strategy file_copy`);
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { max: 2, onnotice: () => {} });
  return {
    url: url.href,
    sql,
    drop: async () => {
      await sql.end();
      await admin.unsafe(`drop database ${name} with (force)`);
    },
  };
}
