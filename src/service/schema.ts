import { adapterFor, type DatabaseSource } from '../db/adapter.ts';
import { composeDatabase, withoutTimeout } from '../db/compose-database.ts';
import { migrate, readSchemaState, type SchemaState } from '../db/migrate.ts';
import { sql } from '../db/sql.ts';

/** The schema of a database, for deployment scripts and health checks. */
export interface Schema {
  /** Reads which migrations have run, and whether this package can use the schema. @throws AuthError `unavailable` */
  read(): Promise<SchemaState>;
  /**
   * Runs the pending migrations. Several processes can call this at the same time.
   *
   * @returns the versions that this call applied
   * @throws SchemaError `schema_newer` | `schema_edited`
   * @throws AuthError `unavailable`
   */
  migrate(): Promise<number[]>;
  /**
   * Reads the clock of the database, which decides when sessions, codes, links and invitations expire.
   *
   * @throws AuthError `unavailable`
   */
  readClock(): Promise<Date>;
  /** Closes the connections that `openSchema` opened. Does not close a client of the application. */
  close(): Promise<void>;
}

/**
 * Gives access to the schema of a database without starting the service.
 *
 * @throws TypeError for an invalid database
 * @example
 * const schema = openSchema(process.env.DATABASE_URL);
 * await schema.migrate();
 * await schema.close();
 */
export function openSchema(database: DatabaseSource): Schema {
  const adapter = adapterFor(database);
  const db = composeDatabase(adapter);
  return {
    read: () => readSchemaState(db),
    migrate: async () => {
      // This read has the usual time limit, so it fails within seconds if the database is unreachable. The migration
      // has no time limit.
      await readSchemaState(db);
      return migrate(withoutTimeout(adapter));
    },
    readClock: async () => {
      const [row] = await db.query<{ ms: string }>(sql`select extract(epoch from now()) * 1000 as ms`);
      return new Date(Number(row?.ms));
    },
    close: async () => adapter.close?.(),
  };
}
