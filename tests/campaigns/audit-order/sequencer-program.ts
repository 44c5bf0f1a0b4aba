import postgres from 'postgres';
import { createLogKeys } from '../../../src/audit/log/log-keys.ts';
import { createSequencer } from '../../../src/audit/log/sequencer.ts';
import { adapterFor } from '../../../src/db/adapter.ts';
import { composeDatabase } from '../../../src/db/compose-database.ts';

// Gives events their positions without a pause, until the campaign kills the process.
const { DATABASE_URL = '', SECRET = '' } = process.env;
const db = composeDatabase(adapterFor(postgres(DATABASE_URL, { max: 2, onnotice: () => {} })));
const sequencer = createSequencer({ db, keys: createLogKeys([SECRET]), host: 'localhost' });
for (;;) {
  try {
    await sequencer.round();
  } catch (error) {
    process.stderr.write(`${error}\n`);
  }
}
