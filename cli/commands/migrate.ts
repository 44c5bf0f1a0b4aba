import { openSchema, type Schema } from 'latchkey';
import { command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { facts, print, printJson } from '../output.ts';
import { openDatabase } from '../service.ts';

async function withSchema<T>(work: (schema: Schema) => Promise<T>): Promise<T> {
  const database = await openDatabase();
  try {
    const schema = openSchema(database.url);
    try {
      return await work(schema);
    } finally {
      await schema.close();
    }
  } finally {
    await database.close();
  }
}

const versionList = (versions: readonly number[]) => (versions.length === 0 ? 'none' : versions.join(', '));

const migrate = command({
  async run({ json }) {
    const applied = await withSchema((schema) => schema.migrate());
    if (json) return printJson({ applied });
    return print(
      applied.length === 0 ? 'The schema is up to date.' : `Applied migrations: ${versionList(applied)}.`,
    );
  },
});

const problems = {
  newer: 'A newer version of Latchkey migrated this database. Upgrade Latchkey.',
  edited:
    'An applied migration differs from the migration in this package. Reinstall Latchkey: delete node_modules/latchkey, then run npm install.',
};

const status = command({
  note: 'The exit code is 0 if the schema is up to date. Otherwise, it is 4.',
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
        problem ? problems[problem] : current ? 'The schema is up to date.' : 'Run `latchkey migrate`.',
      );
    }
    return current ? exitCodes.done : exitCodes.database;
  },
});

export const commands = { '': migrate, status };
