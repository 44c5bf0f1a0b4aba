import type postgres from 'postgres';
import { createLogKeys } from '../../src/audit/log/log-keys.ts';
import { createSequencer } from '../../src/audit/log/sequencer.ts';
import type { Database } from '../../src/core/database.ts';
import { adapterFor } from '../../src/db/adapter.ts';
import { composeDatabase } from '../../src/db/compose-database.ts';
import { secret } from './test-service.ts';

/** Gives all committed events their positions, as the background job of a service does. */
export async function sequence(client: postgres.Sql | Database): Promise<void> {
  const sequencer = newSequencer(client);
  while ((await sequencer.round()) === 'more');
}

/** A sequencer with the keys of the test services. */
export const newSequencer = (client: postgres.Sql | Database) =>
  createSequencer({
    db: composeDatabase(adapterFor(client)),
    keys: createLogKeys([secret]),
    host: 'localhost',
  });
