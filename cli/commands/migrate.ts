import { type MigrationOptions, openSchema, type Schema, type SchemaState } from 'latchkey';
import { command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { facts, print, printJson, remark } from '../output.ts';
import { type OpenDatabase, openOwnedDatabase, operatorName } from '../service.ts';

async function withSchema<T>(work: (schema: Schema, database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await openOwnedDatabase();
  try {
    const { setting } = database;
    const schema = openSchema(database.ownerUrl ?? database.source, { setting });
    try {
      return await work(schema, database);
    } finally {
      await schema.close();
    }
  } finally {
    await database.close();
  }
}

const versionList = (versions: readonly number[]) => (versions.length === 0 ? 'none' : versions.join(', '));

/**
 * The service's role in the embedded database. Undefined for other databases, which need `--service-role`.
 */
const embeddedRole = ({ source, embedded }: OpenDatabase) =>
  embedded && typeof source === 'string' ? new URL(source).username : undefined;

const describeCurrent = (newer: readonly number[]) =>
  newer.length === 0
    ? 'The schema is up to date.'
    : `The schema (version ${newer.at(-1)}) is newer than this version of Latchkey, and compatible with it.`;

const migrate = command({
  flags: {
    serviceRole: {
      type: 'string',
      value: 'name',
      about: 'Grant this database role the rights that the service needs',
    },
    auditRetentionMinimum: {
      type: 'number',
      value: 'days',
      range: [1, 36_500],
      about: 'Keep each audit event for at least this many days (initially 90)',
    },
  },
  note: 'Uses the role in MIGRATION_DATABASE_URL, which must own the schema. Default: the role in DATABASE_URL.',
  async run({ flags: { serviceRole, auditRetentionMinimum }, json }) {
    return withSchema(async (schema, database) => {
      const options: MigrationOptions = {
        serviceRole: serviceRole ?? embeddedRole(database),
        auditRetentionMinimumDays: auditRetentionMinimum,
        operator: operatorName(),
        onLockWait: (version) =>
          remark(`Migration ${version} waits for a lock that another transaction holds.`),
      };
      const applied = await schema.migrate(options);
      if (json) return printJson({ applied });
      return print(
        applied.length === 0
          ? describeCurrent((await schema.read()).newer)
          : `Applied migrations: ${versionList(applied)}.`,
        ...(serviceRole === undefined ? [] : [`The role ${serviceRole} has the rights of the service.`]),
        ...(auditRetentionMinimum === undefined
          ? []
          : [`The audit log keeps each event for at least ${auditRetentionMinimum} days.`]),
      );
    });
  },
});

const problems = {
  newer:
    'A newer version of Latchkey migrated this database, and this version is not compatible with it. Upgrade Latchkey.',
  edited:
    'An applied migration differs from the migration in this package. Reinstall Latchkey: delete node_modules/latchkey, then run npm install.',
};

function describePending({ applied, breaking }: SchemaState): string {
  if (applied.length === 0) return 'Run `latchkey migrate`.';
  return breaking.length === 0
    ? 'Run `latchkey migrate`. Processes of the earlier version can keep running.'
    : `Stop all processes of the earlier version, because they are not compatible with: ${versionList(breaking)}. Then run \`latchkey migrate\`.`;
}

const status = command({
  note: 'The exit code is 0 if this version of Latchkey can use the schema. Otherwise, it is 4.',
  async run({ json }) {
    const state = await withSchema((schema) => schema.read());
    const { applied, pending, problem } = state;
    const current = pending.length === 0 && problem === null;
    if (json) printJson({ ...state, current });
    else {
      print(
        facts([
          ['Applied', versionList(applied)],
          ['Pending', versionList(pending)],
        ]),
        '',
        problem ? problems[problem] : current ? describeCurrent(state.newer) : describePending(state),
      );
    }
    return current ? exitCodes.done : exitCodes.database;
  },
});

export const commands = { '': migrate, status };
