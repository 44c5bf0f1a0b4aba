import { createInterface } from 'node:readline';
import { startEmbeddedPostgres } from 'latchkey/embedded';

/** A server of its own process: starts the database of argv[2], says where it is, stops it when told to. */
const say = (message: unknown): void => {
  process.stdout.write(`${JSON.stringify(message)}\n`);
};
const lines: string[] = [];
try {
  const directory = process.argv[2];
  const database = await startEmbeddedPostgres({
    ...(directory ? { directory } : {}),
    log: (line) => lines.push(line),
  });
  const { url, adopted, dataDirectory } = database;
  say({ url, adopted, dataDirectory, lines });
  // The end of the input stops it as well, so that a test that fails leaves nothing running.
  for await (const _ of createInterface(process.stdin)) break;
  await database.stop();
  process.exit(0);
} catch (error) {
  say({ error: error instanceof Error ? error.message : String(error), lines });
  process.exit(1);
}
