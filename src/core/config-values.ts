import type { FaultList } from './config-fault.ts';

/** Where a server listens; `host` null means every address. */
export interface AddressSetting {
  host: string | null;
  port: number;
}

/** A comma-separated list without its empty entries. */
export const readList = (given: string | undefined): string[] =>
  (given ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** A whole number within a range, or the default where nothing was given. */
export function readNumber<Default extends number | null>(
  faults: FaultList,
  variable: string,
  given: string | undefined,
  [min, max, byDefault]: [min: number, max: number, byDefault: Default],
  unit: string,
): number | Default {
  if (given === undefined) return byDefault;
  const value = /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return value;
  faults.add(variable, given, `a whole number of ${unit} from ${min} to ${max}`);
  return byDefault;
}

/** `on` or `off`. */
export function readFlag(
  faults: FaultList,
  variable: string,
  given: string | undefined,
  byDefault: boolean,
): boolean {
  if (given === undefined) return byDefault;
  if (given !== 'on' && given !== 'off') faults.add(variable, given, 'on or off');
  return given === 'on';
}

/** `:<port>` or `host:port`, an IPv6 host in brackets; `:3000` by default. */
export function readAddress(faults: FaultList, given = ':3000'): AddressSetting {
  const match = /^(?:\[([\da-f:.]+)\]|([^:\s[\]]*)):(\d{1,5})$/i.exec(given);
  const port = Number(match?.[3]);
  if (match && port <= 65_535) return { host: match[1] ?? (match[2] || null), port };
  faults.add('SERVER_ADDR', given, ':<port> or host:port, such as :3000 or 127.0.0.1:8080');
  return { host: null, port: 3000 };
}

/** One audience of service tokens or several, without duplicates; the RP id by default. */
export function readAudiences(
  faults: FaultList,
  given: string | readonly string[] | undefined,
  rpId: string,
): readonly [string, ...string[]] {
  const audiences = [...new Set(typeof given === 'string' ? [given] : (given ?? [rpId]))];
  const [first, ...others] = audiences;
  if (first !== undefined && audiences.every((audience) => audiencePattern.test(audience)))
    return [first, ...others];
  faults.add(
    'tokenAudiences',
    audiences.join(', '),
    'one or more service names of 1 to 255 printable ASCII characters without spaces, such as orders',
  );
  return [rpId];
}

const audiencePattern = /^[\x21-\x7e]{1,255}$/;
