import { explain } from './explain.ts';
import { createLog } from './log.ts';
import { startServer } from './server.ts';
import { readSettings } from './settings.ts';
import { stopOnSignal } from './stop-on-signal.ts';

const log = createLog();

try {
  const server = await startServer(readSettings(), log);
  stopOnSignal(server, log);
} catch (error) {
  const { message, exitCode } = explain(error);
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}
