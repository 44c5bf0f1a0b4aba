import type { Logger } from 'pino';
import type { RunningServer } from './server.ts';

/** SIGHUP: what may change while the server runs is read again. Without this it would end the process. */
export function reloadOnSignal(server: RunningServer, log: Logger): void {
  process.on('SIGHUP', (signal) => {
    log.info({ signal }, 'reading again what may change');
    server.reload();
  });
}
