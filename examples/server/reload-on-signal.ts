import type { Logger } from 'pino';
import type { RunningServer } from './server.ts';

/** Reloads the certificate on SIGHUP. Without a handler, SIGHUP would end the process. */
export function reloadOnSignal(server: RunningServer, log: Logger): void {
  process.on('SIGHUP', (signal) => {
    log.info({ signal }, 'reloading');
    server.reload();
  });
}
