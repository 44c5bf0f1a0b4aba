import { afterAll, beforeAll, vi } from 'vitest';

/**
 * Stops the clocks that expire cached sessions, for all tests of the file. A cached session then stays in the cache
 * until it is invalidated, even on a slow machine.
 *
 * @returns the `clock` option for the services
 */
export function stopCacheExpiry(): () => Date {
  const nowMs = Date.now();
  const monotonicMs = performance.now();
  beforeAll(() => {
    vi.spyOn(performance, 'now').mockReturnValue(monotonicMs);
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });
  return () => new Date(nowMs);
}
