import type { ImportOptions } from '../provisioning/imported-user.ts';
import type { ImportSettings } from '../provisioning/operations/import-users.ts';

const known = ['source', 'dryRun', 'onRefused', 'onProgress'] satisfies (keyof ImportOptions)[];

/**
 * Checks the arguments of `users.import` and adds defaults.
 *
 * @throws TypeError for invalid or unknown options, and for records that are not iterable
 */
export function importSettings(records: unknown, options: ImportOptions): ImportSettings {
  if (!isIterable(records))
    throw new TypeError(
      'users.import: expected an iterable of users or lines, such as an array or a readline interface',
    );
  if (typeof options !== 'object' || options === null)
    throw new TypeError('users.import: expected an object of options');
  for (const name of Object.keys(options))
    if (!known.some((option) => option === name))
      throw new TypeError(`users.import: expected one of the options ${known.join(', ')}, not ${name}`);
  const { source = 'import', dryRun = false, onRefused, onProgress } = options;
  if (typeof source !== 'string' || !source.isWellFormed() || !/^\P{Cc}{1,64}$/u.test(source))
    throw new TypeError('source: expected 1 to 64 characters without control characters');
  if (typeof dryRun !== 'boolean') throw new TypeError('dryRun: expected true or false');
  for (const [name, given] of Object.entries({ onRefused, onProgress }))
    if (given !== undefined && typeof given !== 'function')
      throw new TypeError(`${name}: expected a function`);
  return { source, dryRun, onRefused, onProgress };
}

/** A string is also iterable, but its characters are not records. */
const isIterable = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && (Symbol.iterator in given || Symbol.asyncIterator in given);
