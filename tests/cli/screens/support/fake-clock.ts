import type { Clock } from '../../../../cli/hooks/clock.ts';
import { settle } from './settle.ts';

export interface FakeClock extends Clock {
  /** Advances the time and runs all timers that are due, in order. */
  advance(milliseconds: number): Promise<void>;
  /** The number of pending timers. */
  pending(): number;
}

export function createFakeClock(start = Date.parse('2026-03-01T12:00:00Z')): FakeClock {
  let now = start;
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => new Date(now),
    after: (milliseconds, run) => {
      const timer = { at: now + milliseconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pending: () => timers.size,
    advance: async (milliseconds) => {
      const end = now + milliseconds;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
        if (!next) break;
        now = Math.max(now, next.at);
        timers.delete(next);
        next.run();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}
