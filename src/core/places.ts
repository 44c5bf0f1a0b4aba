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
 * first such call is logged. The log contains only the name of the application's error, because its message often
 * contains the address. The number of unfinished calls is limited, because a function might never return. At the limit,
 * further addresses have no place.
 */
export function createPlaces(placeOf: PlaceOf | null, log: Logger): Places {
  let unfinished = 0;
  let isLogged = false;

  function report(reason: string): void {
    if (isLogged) return;
    isLogged = true;
    log.warn({ reason }, 'placeOf failed; the places of some sessions are not shown');
  }

  async function find(find: PlaceOf, address: string, found: Map<string, string>): Promise<void> {
    unfinished += 1;
    try {
      const place = await find(address);
      if (typeof place === 'string') {
        const text = shortened(place);
        if (text !== '') found.set(address, text);
      } else if (place !== null && place !== undefined)
        report(`expected a text or null from placeOf, given ${typeof place}`);
    } catch (error) {
      report(`placeOf failed with ${nameOf(error)}`);
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
          report(`${bounds.unfinishedPlaces} calls of placeOf are unfinished`);
          break;
        }
        calls.push(find(placeOf, address, found));
      }
      if (!(await settledInTime(calls))) report(`placeOf took longer than ${timeLimitMs} ms`);
      // A copy, because late calls still write into `found`.
      return new Map(found);
    },
  };
}

function shortened(place: string): string {
  const text = place
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim();
  return [...text].slice(0, bounds.placeCharacters).join('');
}

/** Returns the name of the error. An address is never such a name. */
function nameOf(error: unknown): string {
  const name: unknown = error instanceof Error ? error.name : undefined;
  return typeof name === 'string' && /^[A-Za-z_]\w{0,59}$/.test(name)
    ? name
    : 'an error without a usual name';
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
