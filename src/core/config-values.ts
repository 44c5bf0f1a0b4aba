import type { FaultList, Given } from './config-fault.ts';
import { type PrivilegedMethod, privilegedMethods } from './session.ts';

/** The address that a server listens on. */
export interface AddressSetting {
  /** Null: all addresses. */
  host: string | null;
  port: number;
}

/** Splits a comma-separated list and drops empty entries. */
export const readList = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** The allowed whole numbers of a setting, the unit that error messages name, and the default. */
export interface NumberRange {
  /** Null: no unit. */
  unit: string | null;
  min: number;
  max: number;
  byDefault: number | null;
}

/** Reads a whole number within a range. */
export function readNumber<Range extends NumberRange>(
  faults: FaultList,
  { name, text }: Given,
  { unit, min, max, byDefault }: Range,
): number | Range['byDefault'] {
  if (text === undefined) return byDefault;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  faults.add(name, text, `a whole number${unit === null ? '' : ` of ${unit}`} from ${min} to ${max}`);
  return byDefault;
}

/** Reads `on` or `off`. */
export function readFlag(faults: FaultList, { name, text }: Given, byDefault: boolean): boolean {
  if (text === undefined) return byDefault;
  if (text !== 'on' && text !== 'off') faults.add(name, text, 'on or off');
  return text === 'on';
}

/** Reads an option that is `true` or `false`, or else its variable, which is `on` or `off`. Default: `false`. */
export function readSwitch(faults: FaultList, option: boolean | undefined, given: Given): boolean {
  // JavaScript can pass null, which counts as missing.
  if (option == null) return readFlag(faults, given, false);
  // Callers in JavaScript can pass any value, and a text such as `off` must not turn anything on.
  if (typeof option !== 'boolean') faults.add(given.name, given.text, 'true or false');
  return option === true;
}

/** Reads one of several words. Default: the first. */
export function readChoice<Choice extends string>(
  faults: FaultList,
  { name, text }: Given,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  if (text === undefined) return choices[0];
  const choice = choices.find((known) => known === text);
  if (choice === undefined) faults.add(name, text, choices.join(' or '));
  return choice ?? choices[0];
}

/** Reads a list of methods of authentication that contains `passkey`. */
export function readPrivilegedMethods(faults: FaultList, { name, text }: Given): readonly PrivilegedMethod[] {
  if (text === undefined) return privilegedMethods;
  const methods = readList(text);
  const isValid = methods.every((method) => privilegedMethods.some((known) => known === method));
  if (!isValid || !methods.includes('passkey')) faults.add(name, text, 'passkey, or passkey,password');
  return privilegedMethods.filter((method) => methods.includes(method));
}

/** Reads `:<port>` or `host:port`, with an IPv6 host in brackets. Default: `:3000`. */
export function readAddress(faults: FaultList, { name, text = ':3000' }: Given): AddressSetting {
  const match = /^(?:\[([\da-f:.]+)\]|([^:\s[\]]*)):(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3]);
  if (match && port <= 65_535) return { host: match[1] ?? (match[2] || null), port };
  faults.add(name, text, ':<port> or host:port, such as :3000 or 127.0.0.1:8080');
  return { host: null, port: 3000 };
}

/** Reads the audiences of service tokens and drops duplicates. Default: the RP id. */
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
