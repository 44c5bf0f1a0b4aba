import { inspect } from 'node:util';
import { bounds } from './bounds.ts';
import type { FaultList, Given } from './config-fault.ts';
import { readChoice, readFlag } from './config-values.ts';
import { refuseUnknown } from './unknown-names.ts';
import type { Role } from './user.ts';

/** The option `organizations`. */
export interface OrganizationOptions {
  /**
   * ORGANIZATION_CREATORS: the lowest role whose users can create organizations: `user`, `admin` or `superadmin`.
   * Default: `admin`.
   */
  readonly createdBy?: Role;
  /**
   * The largest number of existing organizations that one user created: 1 to 100. The service refuses another one with
   * `too_many_organizations`. Default: no limit. In any case, a user belongs to at most 100 organizations.
   */
  readonly perUser?: number;
}

/** The checked option `organizations`. */
export interface OrganizationSettings {
  /** The lowest role whose users can create organizations. */
  readonly createdBy: Role;
  /** The largest number of existing organizations that one user created. Null: no limit. */
  readonly perUser: number | null;
}

// The first is the default.
const creators = ['admin', 'user', 'superadmin'] as const satisfies readonly Role[];

/** Reads the option `organizations`. Null: the service has no organizations. */
export function readOrganizations(
  faults: FaultList,
  option: OrganizationOptions | false | undefined,
  given: { switch: Given; createdBy: Given },
): OrganizationSettings | null {
  // JavaScript can pass null, which counts as missing.
  const isOn = option == null ? readFlag(faults, given.switch, true) : option !== false;
  const isObject = typeof option === 'object' && option !== null && !Array.isArray(option);
  if (option != null && option !== false && !isObject)
    faults.addText('organizations', inspect(option).slice(0, 100), 'false or an object');
  const options: OrganizationOptions = isObject ? option : {};
  refuseUnknown(faults, 'organizations', options, ['createdBy', 'perUser']);
  const createdBy = readChoice(
    faults,
    // `undefined` in the code must not become the default, because the name of a variable can be misspelled.
    Object.hasOwn(options, 'createdBy')
      ? { name: 'organizations.createdBy', text: `${options.createdBy}` }
      : given.createdBy,
    creators,
  );
  // As with `createdBy`, `undefined` in the code must not become the default, which is no limit.
  const { perUser = null } = options;
  if (Object.hasOwn(options, 'perUser') && !isLimit(perUser))
    faults.addText(
      'organizations.perUser',
      inspect(options.perUser).slice(0, 100),
      `a whole number from 1 to ${bounds.organizations}; for no limit, leave out perUser`,
    );
  return isOn ? { createdBy, perUser } : null;
}

const isLimit = (given: unknown): given is number =>
  typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= bounds.organizations;
