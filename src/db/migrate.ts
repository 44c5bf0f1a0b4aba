import { createHash } from 'node:crypto';
import { type Database, isUndefinedTable, Script, sql, violatesUnique } from './database.ts';
import { accounts } from './migrations/0001-accounts.ts';
import { otherWaysIn } from './migrations/0002-other-ways-in.ts';
import { authority } from './migrations/0003-authority.ts';
import { notifications } from './migrations/0004-notifications.ts';
import { retention } from './migrations/0005-retention.ts';
import { growth } from './migrations/0006-growth.ts';
import { recovery } from './migrations/0007-recovery.ts';
import { organizationInvitations } from './migrations/0008-organization-invitations.ts';

/** A step of the schema. Once released it never changes; its text's checksum is recorded where it ran. */
export interface Migration {
  version: number;
  name: string;
  script: string;
}

export const migrations: readonly Migration[] = [
  accounts,
  otherWaysIn,
  authority,
  notifications,
  retention,
  growth,
  recovery,
  organizationInvitations,
];

/** What of the schema is there, what is missing, and what should not be so. */
export interface SchemaState {
  /** Versions that ran, ascending. */
  applied: number[];
  /** Versions still to run, ascending. */
  pending: number[];
  /** Why this package must not work on this schema, or null. */
  problem: 'newer' | 'edited' | null;
}

/** Thrown where the schema is not the one this package works on. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly code: 'schema_outdated' | 'schema_newer' | 'schema_edited';

  constructor(code: SchemaError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const checksumOf = (migration: Migration) => createHash('sha256').update(migration.script).digest('hex');

/** Reads which migrations have run; an empty database counts as none. */
export async function readSchemaState(db: Database, known = migrations): Promise<SchemaState> {
  const recorded = await readRecorded(db);
  const applied = recorded.map(({ version }) => version);
  const newest = Math.max(0, ...known.map(({ version }) => version));
  const edited = known.some((migration) => {
    const record = recorded.find(({ version }) => version === migration.version);
    return record !== undefined && record.checksum !== checksumOf(migration);
  });
  return {
    applied,
    pending: known.map(({ version }) => version).filter((version) => !applied.includes(version)),
    problem: applied.some((version) => version > newest) ? 'newer' : edited ? 'edited' : null,
  };
}

/**
 * Brings the schema up to date, also when ten processes do so at once.
 *
 * Each migration is one script, run as one implicit transaction: take the advisory lock, record the version,
 * change the schema. Whoever comes second fails on the recorded version and rolls back whole.
 *
 * @returns the versions that this call applied
 * @throws SchemaError `schema_newer` | `schema_edited`
 */
export async function migrate(db: Database, known = migrations): Promise<number[]> {
  const state = await readSchemaState(db, known);
  assertUsable(state);
  const done: number[] = [];
  for (const migration of known) {
    if (!state.pending.includes(migration.version)) continue;
    const isFirst = state.applied.length === 0 && migration === known[0];
    if (await apply(db, migration, isFirst)) done.push(migration.version);
  }
  return done;
}

/** @throws SchemaError where the schema is outdated, newer than this package, or edited */
export async function assertSchemaCurrent(db: Database): Promise<void> {
  const state = await readSchemaState(db);
  assertUsable(state);
  if (state.pending.length > 0) {
    throw new SchemaError(
      'schema_outdated',
      `The database lacks migration ${state.pending.join(', ')}. Pass \`migrate: true\` to createAuthService once, or migrate before starting.`,
    );
  }
}

function assertUsable(state: SchemaState): void {
  if (state.problem === 'newer') {
    throw new SchemaError(
      'schema_newer',
      'The database was migrated by a newer version of Latchkey. Upgrade this package; schemas never go back.',
    );
  }
  if (state.problem === 'edited') {
    throw new SchemaError(
      'schema_edited',
      'A migration recorded in latchkey.migrations differs from the one in this package. Restore the package as released.',
    );
  }
}

async function readRecorded(db: Database): Promise<{ version: number; checksum: string }[]> {
  try {
    return await db.query(sql`select version, checksum from latchkey.migrations order by version`);
  } catch (error) {
    if (isUndefinedTable(error)) return [];
    throw error;
  }
}

// An arbitrary number that is ours among the advisory locks of a shared database ("latch" in ASCII).
const lockKey = 0x6c61746368;

/** What the first migration stands on. Ten processes may come here at once: each takes the lock before. */
const foundation = `
do $$
begin
  -- \`if not exists\` would ask for the right to create one even where it is there: made by the database's owner, say.
  if to_regnamespace('latchkey') is null then
    create schema latchkey;
  end if;
end
$$;
create table if not exists latchkey.migrations (
  version integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
);`;

async function apply(db: Database, migration: Migration, isFirst: boolean): Promise<boolean> {
  const script = `
select pg_advisory_xact_lock(${lockKey});
${isFirst ? foundation : ''}
insert into latchkey.migrations (version, name, checksum)
values (${migration.version}, '${migration.name}', '${checksumOf(migration)}');
${migration.script}`;
  try {
    await db.query(new Script(script));
    return true;
  } catch (error) {
    if (violatesUnique(error, 'version')) return false;
    throw error;
  }
}
