import { minute, second } from '../../core/duration.ts';

const units = {
  days: 24 * 60 * minute,
  hours: 60 * minute,
  minutes: minute,
  seconds: second,
  milliseconds: 1,
} as const satisfies Record<keyof Duration, number>;

/** A duration: the sum of all members. */
export interface Duration {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly milliseconds?: number;
}

/** The clock of a test. The service and its database use this clock. The app under test can use `now`. */
export interface TestClock {
  /** The current time. Only `advance` changes the time, so a test can check the exact time of an expiry. */
  now(): Date;
  /**
   * Advances the clock by a duration, or by milliseconds.
   *
   * @throws TypeError for an unknown unit, or a negative or infinite duration
   * @example clock.advance({ minutes: 11 });
   */
  advance(by: Duration | number): void;
}

/** Creates a clock that starts at the current time. */
export function createTestClock(): TestClock {
  let now = Date.now();
  return {
    now: () => new Date(now),
    advance: (by) => {
      now += typeof by === 'number' ? forward(by) : inMilliseconds(by);
    },
  };
}

function inMilliseconds(duration: Duration): number {
  const parts = Object.entries(duration).map(([unit, count]) => {
    if (!isUnit(unit)) throw new TypeError(`${unit}: expected one of ${Object.keys(units).join(', ')}`);
    return count * units[unit];
  });
  return forward(parts.reduce((sum, part) => sum + part, 0));
}

const isUnit = (name: string): name is keyof typeof units => Object.hasOwn(units, name);

function forward(milliseconds: number): number {
  if (milliseconds >= 0 && milliseconds < Number.POSITIVE_INFINITY) return milliseconds;
  throw new TypeError(`advance: expected a duration of 0 ms or more, not ${milliseconds} ms`);
}
