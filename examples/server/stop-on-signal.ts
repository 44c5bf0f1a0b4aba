import type { Logger } from 'pino';
import type { RunningServer } from './server.ts';

// npm passes on the Ctrl-C that the terminal has sent to us as well: that is one wish, not two.
const sameWishMs = 1000;

// Whatever hangs, a hung database say, the process is gone ten seconds after the signal.
const longestStopMs = 9500;

/** Stops gracefully on SIGTERM and SIGINT; a second signal, some time later, does not wait. */
export function stopOnSignal(server: RunningServer, log: Logger): void {
  let stoppingSince: number | null = null;

  async function stop(signal: NodeJS.Signals): Promise<void> {
    const now = performance.now();
    if (stoppingSince !== null) {
      if (now - stoppingSince > sameWishMs) process.exit(1);
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
