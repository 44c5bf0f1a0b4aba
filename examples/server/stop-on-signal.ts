import type { Logger } from 'pino';
import type { RunningServer } from './server.ts';

// Under npm, one Ctrl-C sends two signals: one from the terminal and one from npm. Signals within this time count as
// one.
const sameSignalMs = 1000;

/** The process exits within ten seconds after the signal, even if a connection or the database hangs. */
export const longestStopMs = 9500;

/** Stops gracefully on SIGTERM and SIGINT. A second signal, more than a second later, ends the process immediately. */
export function stopOnSignal(server: Pick<RunningServer, 'stop'>, log: Logger): void {
  let stoppingSince: number | null = null;

  async function stop(signal: NodeJS.Signals): Promise<void> {
    const now = performance.now();
    if (stoppingSince !== null) {
      if (now - stoppingSince > sameSignalMs) process.exit(1);
      return;
    }
    stoppingSince = now;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('did not stop in time');
      process.exit(1);
    }, longestStopMs).unref();
    try {
      await server.stop();
      log.info('stopped');
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'did not stop cleanly');
      process.exit(1);
    }
  }

  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
