import { openSchema, type Schema, type SchemaState } from 'latchkey';
import type { Command } from '../command.ts';
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

const list = (versions: readonly number[]) => (versions.length === 0 ? 'none' : versions.join(', '));

export const migrate: Command = {
  usage: '',
  async run({ json }) {
    const applied = await withSchema((schema) => schema.migrate());
    if (json) printJson({ applied });
    else print(applied.length === 0 ? 'The schema is up to date.' : `Applied migration ${list(applied)}.`);
    return undefined;
  },
};

const problems = {
  newer: 'The database was migrated by a newer version of Latchkey: upgrade this one.',
  edited: 'A migration that ran differs from the one in this package: restore the package as released.',
};

/** Exit 0 where nothing is to be done, 4 where the service would not start on this schema. */
export const status: Command = {
  usage: '',
  async run({ json }) {
    const state: SchemaState = await withSchema((schema) => schema.read());
    const { applied, pending, problem } = state;
    const current = pending.length === 0 && problem === null;
    if (json) printJson({ ...state, current });
    else {
      print(
        facts([
          ['Applied', list(applied)],
          ['Pending', list(pending)],
        ]),
      );
      if (problem) print('', problems[problem]);
      else print('', current ? 'The schema is up to date.' : 'Run `latchkey migrate`.');
    }
    return current ? exitCodes.done : exitCodes.database;
  },
};
