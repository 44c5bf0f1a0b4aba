import { closestName } from './closest-name.ts';
import type { FaultList } from './config-fault.ts';

/**
 * Adds a fault for each unknown property of an option, with the most similar known name.
 *
 * @param path the name of the option
 */
export function refuseUnknown(
  faults: FaultList,
  path: string,
  option: object,
  known: readonly string[],
): void {
  for (const name of Object.keys(option))
    if (!known.includes(name)) addUnknown(faults, `${path}.${name}`, closestName(name, known), known);
}

/** @param closest the most similar known name; null: no name is similar */
export function addUnknown(
  faults: FaultList,
  path: string,
  closest: string | null,
  known: readonly string[],
): void {
  // Does not add the value, because it can be a secret under a misspelled name.
  const expected = closest === null ? `one of ${known.join(', ')}` : closest;
  faults.addText(path, 'an unknown option', expected);
}
