import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { startEmbeddedPostgres } from 'latchkey/embedded';

/** Starts the database in the folder argv[2], prints its location and stops it when a line arrives on stdin. */
const print = (message: unknown): void => {
  process.stdout.write(`${JSON.stringify(message)}\n`);
};
const lines: string[] = [];
// Suspends this process while initdb runs, so that a test can kill it before the database is complete.
if (process.env.SUSPEND_AT_INITDB) {
  const { spawn } = childProcess;
  childProcess.spawn = ((program: string, ...rest: [string[], object]) => {
    const child = spawn(program, ...rest);
    if (basename(program).startsWith('initdb')) process.kill(process.pid, 'SIGSTOP');
    return child;
  }) as typeof spawn;
  syncBuiltinESMExports();
}
try {
  const directory = process.argv[2];
  const database = await startEmbeddedPostgres({
    ...(directory ? { directory } : {}),
    log: (line) => lines.push(line),
  });
  const { url, adopted, dataDirectory } = database;
  print({ url, adopted, dataDirectory, lines });
  // The end of stdin also stops it, so that a failing test leaves no process running.
  for await (const _ of createInterface(process.stdin)) break;
  await database.stop();
  process.exit(0);
} catch (error) {
  print({ error: error instanceof Error ? error.message : String(error), lines });
  process.exit(1);
}
