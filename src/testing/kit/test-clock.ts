import { minute, second } from '../../core/duration.ts';

const units = {
  days: 24 * 60 * minute,
  hours: 60 * minute,
  minutes: minute,
  seconds: second,
  milliseconds: 1,
} as const satisfies Record<keyof Duration, number>;

/** A length of time, the sum of its parts. */
export interface Duration {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly milliseconds?: number;
}

/** The one time of a test: of the service, of its database, and of whatever of yours goes by `now`. */
export interface TestClock {
  /** What time it is. It stands still until it is turned, so that an expiry can be met at its exact instant. */
  now(): Date;
  /**
   * Turns the clock on, by a duration or by milliseconds.
   *
   * @throws TypeError for a unit that there is not, and for what would not turn it forward
   * @example clock.advance({ minutes: 11 });
   */
  advance(by: Duration | number): void;
}

/** A clock that stands at the time of its making. */
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
  throw new TypeError(`a clock is turned forward, not by ${milliseconds} ms`);
}
