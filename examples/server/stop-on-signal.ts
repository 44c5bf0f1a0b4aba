import type { Logger } from 'pino';
import type { RunningServer } from './server.ts';

/** Stops gracefully on SIGTERM and SIGINT; a second signal does not wait. */
export function stopOnSignal(server: RunningServer, log: Logger): void {
  let stopping = false;
  const onSignal = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    try {
      await server.stop();
      log.info('stopped');
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'did not stop cleanly');
      process.exit(1);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
