import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { selectBacklog } from '../audit/store/sequence.ts';
import { renewLease } from '../audit/store/sequencer-lease.ts';
import type { Database, Statement } from '../core/database.ts';
import { writeMessage } from '../db/confirm-answer.ts';
import { guardEnd, guardStart } from '../db/on-primary.ts';
import { lastActiveHour } from '../overview/store.ts';
import { andStillValid } from '../sessions/store/validity.ts';
import { hasPasskey } from '../users/store.ts';
import { keepAuditEntries } from './kept-audit-entries.ts';
import { keepUserIds, keepUserSignIns } from './kept-user-ids.ts';
import { parsedOnce, withValues } from './parsed-statements.ts';

/**
 * Creates a database in memory (pg-mem) for fast unit tests without a server. The database runs the same statements and
 * migrations as PostgreSQL. Differences from PostgreSQL:
 *
 * - It has no isolated transactions, triggers or locks, so tests cannot reproduce races.
 * - It cannot erase or import users, and cannot create users with passkeys.
 * - Audit events have positions, but no checkpoints and proofs.
 * - A sign-in to an account with 100 sessions takes minutes, and can end more than one session.
 * - It supports neither `lateral` nor correlated subqueries. So an admin who reads the audit log gets an error.
 *   Superadmins and operators can read the audit log.
 * - A statement sees its own changes. If a change removes the caller's own right to make the change, the service makes
 *   the change but returns an error. For example, this happens if users delete their own account or organization, or
 *   lower their own role.
 *
 * @param clock the time that `latchkey.clock()` returns; default: the system clock
 * @throws Error if the optional package `pg-mem` is not installed
 * @example
 * const auth = await createAuthService({ database: createInMemoryDatabase(), migrate: true, ...options });
 */
export function createInMemoryDatabase(clock: () => Date = () => new Date()): Database {
  const { newDb, DataType, parse } = loadPgMem();
  const memory = newDb();
  memory.createSchema('latchkey');

  // `latchkey.clock` is the only function in the language `sql`. Blocks in PL/pgSQL are skipped, because they create
  // triggers and indexes that pg-mem does not support.
  memory.registerLanguage('sql', () => clock);
  memory.registerLanguage('plpgsql', () => () => null);
  memory.public.registerFunction({
    name: 'pg_advisory_xact_lock',
    args: [DataType.bigint],
    returns: DataType.integer,
    implementation: () => 1,
  });
  memory.public.registerFunction({
    name: 'least',
    args: [DataType.timestamptz, DataType.timestamptz],
    returns: DataType.timestamptz,
    implementation: (a: Date, b: Date) => (a < b ? a : b),
  });
  memory.public.registerFunction({
    name: 'left',
    args: [DataType.text, DataType.integer],
    returns: DataType.text,
    implementation: (text: string, count: number) => [...text].slice(0, count).join(''),
  });

  memory.public.registerFunction({
    name: 'to_iso',
    args: [DataType.timestamptz],
    returns: DataType.text,
    implementation: (time: Date) => time.toISOString().replace('Z', '000Z'),
  });
  memory.public.registerFunction({
    name: 'strpos',
    args: [DataType.text, DataType.text],
    returns: DataType.integer,
    implementation: (text: string, part: string) => text.indexOf(part) + 1,
  });
  memory.public.registerFunction({
    name: 'gen_random_uuid',
    args: [],
    returns: DataType.uuid,
    implementation: randomUUID,
    impure: true,
  });

  // The migrations create these functions in PL/pgSQL blocks, which pg-mem skips. In memory,
  // `forget_audit_events` deletes nothing, no username is erased, and `count_sign_ins` counts nothing.
  const schema = memory.getSchema('latchkey');
  schema.registerFunction({
    name: 'count_sign_ins',
    args: [DataType.integer],
    returns: DataType.integer,
    implementation: () => 0,
  });
  schema.registerFunction({
    name: 'forget_audit_events',
    args: [DataType.timestamptz, DataType.integer, DataType.uuid],
    returns: DataType.integer,
    implementation: () => 0,
  });
  schema.registerFunction({
    name: 'username_digest',
    args: [DataType.text],
    returns: DataType.text,
    implementation: () => '',
  });
  schema.registerFunction({
    name: 'erase_user',
    args: [DataType.uuid, DataType.text, DataType.uuid, DataType.integer],
    returns: DataType.jsonb,
    implementation: () => {
      throw new Error(
        'users.erase: expected PostgreSQL, because the database in memory cannot change audit events',
      );
    },
  });

  schema.registerFunction({
    name: 'require_primary',
    args: [],
    returns: DataType.bool,
    implementation: () => true,
  });
  memory.public.registerFunction({
    name: 'is_in_list',
    args: [DataType.uuid, DataType.text],
    returns: DataType.bool,
    implementation: (id: string, list: string) => list.split(',').includes(id),
  });
  memory.public.registerFunction({
    name: 'bucket_of',
    args: [DataType.timestamptz, DataType.text],
    returns: DataType.integer,
    implementation: (time: Date, starts: string) =>
      starts.split(',').filter((start) => Date.parse(start) <= time.getTime()).length,
  });

  return {
    query: async <Row extends object>({ text, values }: Statement): Promise<Row[]> => {
      try {
        // The first four replacements remove guards against standbys and concurrent statements, which do not
        // exist in memory.
        const runnable = withoutGuard(text)
          .replaceAll('for update skip locked', '')
          .replaceAll('for update of sessions', 'for update')
          .replaceAll(andStillValid.text, '')
          .replaceAll(membersOfEach, memberCountOfEach)
          .replaceAll(selectBacklog.text, 'select 0 as waiting_seconds')
          .replaceAll(leaseRenewal, noLease)
          .replaceAll(writeMessage.text, 'select 1 as written')
          .replaceAll(inList, 'is_in_list($1, $2)')
          .replaceAll(lastActiveHour.text, "'1970-01-01T00:00:00Z'::timestamptz")
          .replaceAll(inBuckets, 'bucket_of($1, $2)')
          .replaceAll(hasPasskey.text, hasPasskeyUncorrelated)
          .replaceAll('as materialized (', 'as (')
          .replaceAll(nameGrams, 'true')
          .replaceAll(pairAfter, '($1 $3 $4 or ($1 = $4 and $2 $3 $5))')
          .replaceAll(sortKey, 'to_iso($1)')
          .replaceAll(isMemberOf, 'users.id in (select held.user_id from $1 where $2)');
        const { rows } = memory.public.query(withValues(parsedOnce(runnable, parse), values));
        if (/create table \w+\.user_ids\b/.test(text)) keepUserIds(schema);
        if (/create table \w+\.user_sign_ins\b/.test(text)) keepUserSignIns(schema);
        if (/create table \w+\.audit_entries\b/.test(text)) {
          schema.query('alter table audit_events add column salt bytea');
          keepAuditEntries(schema);
        }
        // Copies each row, without pg-mem's internal properties.
        return rows.map((row: Row) => Object.fromEntries(Object.entries(row)) as Row);
      } catch (error) {
        // pg-mem does not set the SQLSTATE of a missing table.
        if (error instanceof Error && /^relation .* does not exist/.test(error.message))
          Object.assign(error, { code: '42P01' });
        throw error;
      }
    },
  };
}

/** The condition `hasPasskey` without a correlated subquery. */
const hasPasskeyUncorrelated = hasPasskey.text
  .replace('exists', 'users.id in')
  .replace('select 1', 'select holders.user_id')
  .replace(' where holders.user_id = users.id', '');

/** The condition of `selectMembers` with a correlated subquery. */
const isMemberOf =
  /exists \(\s*select 1 from (latchkey\.memberships as held)\s+where (held\.organization_id = \$\d+::uuid) and held\.user_id = users\.id offset 0\)/g;

/** The statement `countMembersOf`, with a correlated subquery. */
const membersOfEach =
  /select listed\.id as organization_id, .*? from (latchkey\.memberships) where .*? from unnest\(string_to_array\((\$\d+)::text, ','\)::uuid\[\]\) as listed\(id\)/gs;
const memberCountOfEach =
  'select memberships.organization_id, count(*) as members from $1 where is_in_list(memberships.organization_id, $2) group by memberships.organization_id';

/** The condition `hasNameGrams`. Without it, a statement finds the same users. */
const nameGrams = /latchkey\.name_grams\(.*?\)\) @> array\(.*?\) as place\)/gs;

/** A comparison of two pairs, which pg-mem does not support. */
const pairAfter = /\((\S+), (\S+)\) ([<>]) \((\$\d+::text::\w+), (\$\d+::\w+)\)/g;

/** The time by which a list of users is sorted. */
const sortKey = /to_char\((\S+) at time zone 'UTC', '[^']+'\)/g;

/** A condition with a list of ids, which pg-mem does not support. */
const inList = /(\S+) = any\(string_to_array\((\$\d+)::text, ','\)::uuid\[\]\)/g;

/** The number of a bucket in a list of times, which pg-mem does not support. */
const inBuckets = /width_bucket\((\S+), string_to_array\((\$\d+)::text, ','\)::timestamptz\[\]\)/g;

/** No process gets the lease, because `keepAuditEntries` already gives each event its position. */
const leaseRenewal = renewLease('', false).text;
const noLease = 'select null as holder where false';

/** Undoes `onPrimary`. */
const withoutGuard = (text: string): string =>
  text.endsWith(guardEnd) ? text.slice(guardStart.length, -guardEnd.length) : text;

type PgMem = typeof import('pg-mem');
/** The parsed form of a statement, which pg-mem's `query` accepts instead of text. */
type Ast = Exclude<Parameters<ReturnType<PgMem['newDb']>['public']['query']>[0], string>;

/** Loads pg-mem and the parser that it uses. */
function loadPgMem(): PgMem & { parse(text: string): Ast } {
  // `require` instead of `import`, because the package is optional and this function is synchronous.
  const require = createRequire(import.meta.url);
  const { parse } = createRequire(findPgMem(require))('pgsql-ast-parser');
  return { ...require('pg-mem'), parse };
}

function findPgMem(require: NodeJS.Require): string {
  try {
    return require.resolve('pg-mem');
  } catch (cause) {
    const message = 'the in-memory database needs the package pg-mem: npm install --save-dev pg-mem';
    throw new Error(message, { cause });
  }
}
