import { adapterFor, type DatabaseSource } from '../db/adapter.ts';
import { composeDatabase, withoutTimeout } from '../db/compose-database.ts';
import { migrate, readSchemaState, type SchemaState } from '../db/migrate.ts';
import { sql } from '../db/sql.ts';

/** The schema of a database, for whoever looks after it: nothing else of the service is started. */
export interface Schema {
  /** What of the schema is there, what is missing, what should not be so. @throws AuthError `unavailable` */
  read(): Promise<SchemaState>;
  /**
   * Brings it up to date, also when several do so at once; returns the versions that this call has applied.
   *
   * @throws SchemaError `schema_newer` | `schema_edited`
   * @throws AuthError `unavailable`
   */
  migrate(): Promise<number[]>;
  /** The time by the database's clock, which every expiry goes by. */
  readClock(): Promise<Date>;
  /** Closes the connections that this opened itself. */
  close(): Promise<void>;
}

/**
 * Opens the schema of a database without asking that it be current.
 *
 * @throws TypeError for what is no database
 * @example const schema = openSchema(process.env.DATABASE_URL); await schema.migrate(); await schema.close();
 */
export function openSchema(database: DatabaseSource): Schema {
  const adapter = adapterFor(database);
  const db = composeDatabase(adapter);
  return {
    read: () => readSchemaState(db),
    migrate: async () => {
      // Asked first within the limit, so that a database that is not there fails fast; migrating may take longer.
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
