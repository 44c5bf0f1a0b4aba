import { afterAll, beforeAll, vi } from 'vitest';

/**
 * Stops the clocks by which cached sessions expire, for all tests of the file. A cached session then changes only when
 * it is invalidated, however slow the machine is.
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
