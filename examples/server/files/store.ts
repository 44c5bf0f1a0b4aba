import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { connect } from './client.ts';
import type { FileSummary, FileText, StoredFile } from './file.ts';
import { prepareSchema } from './schema.ts';

export type FileStore = Awaited<ReturnType<typeof openFiles>>;

/** The limit for the personal files of a user, and for the files of an organization. Lists have only one page. */
const mostInOnePlace = 100;

/**
 * Stores files in a separate schema of the database that contains the accounts. The schema refers to users and
 * organizations only by id, so files stay in the database when their owner or organization is deleted.
 */
export async function openFiles(databaseUrl: string) {
  const { run, close } = connect(databaseUrl);
  try {
    await run(prepareSchema);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    /** The user's personal files and the files of these organizations, sorted by name. */
    list: (ownerId: string, organizationIds: string[]): Promise<FileSummary[]> =>
      run(
        (sql) => sql<FileSummary[]>`
          select ${summary(sql)} from example_files.files
          where owner_id = ${ownerId} and organization_id is null
            or organization_id = any(${idList(sql, organizationIds)})
          order by lower(name), id`,
      ),

    async find(id: string): Promise<StoredFile | null> {
      if (!isUuid(id)) return null;
      const [file] = await run(
        (sql) => sql<StoredFile[]>`
          select ${summary(sql)}, content from example_files.files where id = ${id}`,
      );
      return file ?? null;
    },

    /** Returns null if the limit is reached. */
    async create(
      { name, content }: FileText,
      owner: { id: string; username: string },
      organizationId: string | null,
    ): Promise<StoredFile | null> {
      const [file] = await run(
        (sql) => sql<StoredFile[]>`
          insert into example_files.files (id, name, content, owner_id, owner_name, organization_id)
          select ${randomUUID()}::uuid, ${name}::text, ${content}::text, ${owner.id}::uuid, ${owner.username}::text,
            ${organizationId}::uuid
          where (
            select count(*) from example_files.files
            where organization_id = ${organizationId}::uuid
              or ${organizationId}::uuid is null and organization_id is null and owner_id = ${owner.id}::uuid
          ) < ${mostInOnePlace}
          returning ${summary(sql)}, content`,
      );
      return file ?? null;
    },

    async update(id: string, { name, content }: FileText): Promise<StoredFile | null> {
      const [file] = await run(
        (sql) => sql<StoredFile[]>`
          update example_files.files set name = ${name}, content = ${content}, updated_at = now()
          where id = ${id} returning ${summary(sql)}, content`,
      );
      return file ?? null;
    },

    async remove(id: string): Promise<void> {
      await run((sql) => sql`delete from example_files.files where id = ${id}`);
    },

    /** Counts the files of these organizations. Null: of all organizations. Omits organizations without files. */
    count: (organizationIds: string[] | null): Promise<{ organizationId: string; files: number }[]> =>
      run(
        (sql) => sql<{ organizationId: string; files: number }[]>`
          select organization_id as "organizationId", count(*)::int as files from example_files.files
          where organization_id is not null
            and (${organizationIds === null} or organization_id = any(${idList(sql, organizationIds ?? [])}))
          group by organization_id order by organization_id`,
      ),

    close,
  };
}

const summary = (sql: Sql) => sql`
  id, name, owner_id as "ownerId", owner_name as "ownerName", organization_id as "organizationId",
  to_char(updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"`;

/** Passes ids as one text, because array parameters need the array types. */
const idList = (sql: Sql, ids: string[]) => sql`string_to_array(${ids.join()}, ',')::uuid[]`;

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
