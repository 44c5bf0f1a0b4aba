import { type Sql, sql, textArray } from '../db/sql.ts';

/** Where an imported user comes from. */
export interface Origin {
  source_id: string;
  user_id: string;
}

/**
 * Stores the ids that users had in another system, in the order of these ids, for the same reason as
 * `insertImportedAccounts`.
 */
export const insertOrigins = (source: string, importId: string, origins: readonly Origin[]): Sql => sql`
  insert into latchkey.imported_users (source, source_id, user_id, import_id)
  select ${source}::text, given.source_id, given.user_id, ${importId}::uuid
  from jsonb_to_recordset(${JSON.stringify(origins)}::text::jsonb) as given (source_id text, user_id uuid)
  order by given.source_id
  returning user_id`;

export interface OriginRow {
  source_id: string;
  /** Whether the call with this `importId` has imported the user. */
  is_of_import: boolean;
}

/** Selects which of these ids of another system are imported. */
export const selectOrigins = (source: string, importId: string, sourceIds: readonly string[]): Sql => sql`
  select imported_users.source_id, imported_users.import_id = ${importId}::uuid as is_of_import
  from latchkey.imported_users
  where imported_users.source = ${source}::text and imported_users.source_id = any(${textArray(sourceIds)})`;

/** Selects the user that was imported with this id of another system. */
export const selectUserOfOrigin = (source: string, sourceId: string): Sql => sql`
  select imported_users.user_id from latchkey.imported_users
  where imported_users.source = ${source}::text and imported_users.source_id = ${sourceId}::text`;

export interface ImportedOriginRow {
  source: string;
  source_id: string;
}

/** Selects the ids that a user had in other systems. */
export const selectOriginsOf = (userId: string): Sql => sql`
  select imported_users.source, imported_users.source_id from latchkey.imported_users
  where imported_users.user_id = ${userId}::uuid
  order by imported_users.source, imported_users.source_id`;
