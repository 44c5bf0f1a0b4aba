import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createAuthService, type ImportedUser } from 'latchkey';

/** Imports the file in argv[3]. Prints the progress after each batch, and the report. A test kills the process. */
const [database = '', file = '', secret = ''] = process.argv.slice(2);
const print = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);

const auth = await createAuthService({ database, secret, env: {} });
const lines = createInterface({ input: createReadStream(file) });
const report = await auth.asOperator('mover').users.import(lines as AsyncIterable<ImportedUser | string>, {
  onProgress: (now) => print({ progress: now }),
});
print({ report });
await auth.close();
