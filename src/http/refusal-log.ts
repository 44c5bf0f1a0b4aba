import { addressBlock } from '../core/address-block.ts';
import { bounds } from '../core/bounds.ts';
import { minute } from '../core/duration.ts';
import type { Logger } from '../core/logger.ts';

/** Logs refused requests, but only a limited number in each minute. */
export interface RefusalLog {
  /** @param ip the IP address of the client; null: unknown */
  warn(ip: string | null, fields: object, message: string): void;
  /** Logs how many requests of the current minute were not logged. */
  flush(): void;
}

/**
 * Creates a log for requests that are refused before the rate limits count them. Without its own limits, such requests
 * could fill the disk.
 *
 * In each minute, the log contains the first requests of each IP address, and not more than a limited number of all IP
 * addresses. One line says how many other requests there were. This line follows when the next request is refused after
 * that minute, or when the service closes.
 */
export function createRefusalLog(log: Logger, clock: () => Date): RefusalLog {
  let startMs = Number.NEGATIVE_INFINITY;
  let unlogged = 0;
  let logged = 0;
  /** The number of logged requests of each IP address. Has at most as many entries as lines were logged. */
  const loggedOf = new Map<string, number>();

  function flush(): void {
    if (unlogged > 0) log.warn({ unlogged }, 'more requests were refused within a minute than the log shows');
    unlogged = 0;
    logged = 0;
    loggedOf.clear();
  }

  function warn(ip: string | null, fields: object, message: string): void {
    const nowMs = clock().getTime();
    if (Math.abs(nowMs - startMs) >= minute) {
      flush();
      startMs = nowMs;
    }
    const block = addressBlock(ip);
    const ofAddress = loggedOf.get(block) ?? 0;
    if (logged >= bounds.loggedRefusals || ofAddress >= bounds.loggedRefusalsOfAddress) {
      unlogged += 1;
      return;
    }
    logged += 1;
    loggedOf.set(block, ofAddress + 1);
    log.warn({ ...fields, ...(ip !== null && { ip }) }, message);
  }

  return { warn, flush };
}
