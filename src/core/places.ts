import { bounds } from './bounds.ts';
import type { FaultList } from './config-fault.ts';
import type { Logger } from './logger.ts';

/** The option `placeOf`: returns the approximate place of an IP address, or null if it is unknown. */
export type PlaceOf = (address: string) => string | null | undefined | Promise<string | null | undefined>;

/** Finds the places of IP addresses with the application's function. Stores nothing. */
export interface Places {
  /** Returns the known places. Never rejects, and takes at most half a second. */
  of(addresses: readonly (string | null)[]): Promise<ReadonlyMap<string, string>>;
}

const timeLimitMs = 500;

/** Reads the option `placeOf`. Null: places are not shown. */
export function readPlaceOf(faults: FaultList, given: PlaceOf | undefined): PlaceOf | null {
  if (given === undefined) return null;
  if (typeof given === 'function') return given;
  faults.addText(
    'placeOf',
    given === null ? 'null' : typeof given,
    'a function that returns a place for an IP address',
  );
  return null;
}

/**
 * Calls the function once for each different address. If a call fails or is too slow, the address has no place, and the
 * first such call is logged. The log does not contain the address. The number of unfinished calls is limited, because
 * a function might never return. At the limit, further addresses have no place.
 */
export function createPlaces(placeOf: PlaceOf | null, log: Logger): Places {
  let unfinished = 0;
  let isLogged = false;

  function report(error: unknown): void {
    if (isLogged) return;
    isLogged = true;
    log.warn({ err: error }, 'placeOf failed; the places of some sessions are not shown');
  }

  async function find(find: PlaceOf, address: string, found: Map<string, string>): Promise<void> {
    unfinished += 1;
    try {
      const place = checked(await find(address));
      if (place !== null) found.set(address, place);
    } catch (error) {
      report(error);
    } finally {
      unfinished -= 1;
    }
  }

  return {
    async of(addresses) {
      const found = new Map<string, string>();
      if (placeOf === null) return found;
      const calls: Promise<void>[] = [];
      for (const address of new Set(addresses)) {
        if (address === null) continue;
        if (unfinished >= bounds.unfinishedPlaces) {
          report(new Error(`${bounds.unfinishedPlaces} calls of placeOf are unfinished`));
          break;
        }
        calls.push(find(placeOf, address, found));
      }
      if (!(await settledInTime(calls))) report(new Error(`placeOf took longer than ${timeLimitMs} ms`));
      // A copy, because late calls still write into `found`.
      return new Map(found);
    },
  };
}

/** @throws TypeError unless the place is a text, null or undefined */
function checked(place: unknown): string | null {
  if (place === null || place === undefined) return null;
  if (typeof place !== 'string')
    throw new TypeError(`placeOf: expected a text or null, given ${typeof place}`);
  const text = place
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim();
  return [...text].slice(0, bounds.placeCharacters).join('') || null;
}

async function settledInTime(calls: readonly Promise<void>[]): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeLimitMs);
  });
  const inTime = await Promise.race([Promise.all(calls).then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
