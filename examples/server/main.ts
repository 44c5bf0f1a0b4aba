import { explain } from './explain.ts';
import { createLog, isForTerminal } from './log.ts';
import { reloadOnSignal } from './reload-on-signal.ts';
import { startServer } from './server.ts';
import { readSettings } from './settings.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { welcome } from './terminal/welcome.ts';

const forTerminal = isForTerminal();
const log = createLog(forTerminal);

try {
  const settings = readSettings();
  const server = await startServer(settings, log);
  // In development, SIGHUP has its default effect, so closing the terminal stops the server.
  if (settings.production || settings.certificate) reloadOnSignal(server, log);
  stopOnSignal(server, log);
  if (forTerminal) {
    process.stdout.write(welcome(await server.readSetup()));
    // From here on, logs only warnings and errors, because a line for each request would hide them.
    log.level = 'warn';
  }
} catch (error) {
  const { message, exitCode } = explain(error);
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}
