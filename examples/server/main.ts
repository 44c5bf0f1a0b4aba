import { explain } from './explain.ts';
import { createLog } from './log.ts';
import { reloadOnSignal } from './reload-on-signal.ts';
import { startServer } from './server.ts';
import { readSettings } from './settings.ts';
import { stopOnSignal } from './stop-on-signal.ts';

const log = createLog();

try {
  const settings = readSettings();
  const server = await startServer(settings, log);
  // In development, SIGHUP has its default effect, so closing the terminal stops the server.
  if (settings.production || settings.certificate) reloadOnSignal(server, log);
  stopOnSignal(server, log);
} catch (error) {
  const { message, exitCode } = explain(error);
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}
