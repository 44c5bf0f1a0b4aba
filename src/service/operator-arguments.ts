import type { UserSearch } from '../accounts/operations/list-users.ts';
import { NoteError, readVerifierKey } from '../audit/log/note.ts';
import type { AuditVerifyOptions } from '../audit/operations/verify-log.ts';
import { AuthError } from '../core/errors.ts';
import { isUuid } from '../core/identifiers.ts';
import { hoursExpected, isLifetime } from '../core/invitation-lifetime.ts';
import { describe } from '../core/known-options.ts';
import type { Runtime } from '../core/runtime.ts';
import { roles, userStatuses } from '../core/user.ts';
import { sortOrders, userListParts, userSorts } from '../core/user-list.ts';
import { isConfigured, organizationRolesOf } from '../roles/organization-roles.ts';
import type { OperatorUserSearch } from './operator.ts';

/** @throws TypeError unless the value is a text. Otherwise, `undefined` would become the text "undefined". */
export function requireText(name: string, text: unknown): void {
  if (typeof text !== 'string') throw new TypeError(`${name}: expected a text, given ${describe(text)}`);
}

/** @throws TypeError unless the value is `true` or `false` */
export function requireBoolean(name: string, value: unknown): void {
  if (typeof value !== 'boolean')
    throw new TypeError(`${name}: expected true or false, given ${describe(value)}`);
}

/** @throws TypeError for an invalid lifetime */
export function requireLifetime(expiresInHours: number): void {
  if (!isLifetime(expiresInHours))
    throw new TypeError(`expiresInHours: ${hoursExpected}, not ${expiresInHours}`);
}

/** @throws TypeError for a role that an invitation cannot grant */
export function requireInvitedRole(role: string): void {
  if (role !== 'user' && role !== 'admin')
    throw new TypeError(`role: expected "user" or "admin", not ${role}`);
}

/** @throws TypeError for a role that is not configured */
export function requireOrganizationRole({ grants }: Pick<Runtime, 'grants'>, role: string): void {
  if (isConfigured(grants, role)) return;
  throw new TypeError(`role: expected one of ${organizationRolesOf(grants).join(', ')}, not ${role}`);
}

/** @throws TypeError unless the value is a UUID */
export function requireUuid(name: string, id: string): void {
  if (!isUuid(id)) throw new TypeError(`${name}: expected a UUID, not ${id}`);
}

/** @throws TypeError unless the list can be sorted by the key. Undefined: the default. */
export function requireSortKey(keys: readonly string[], given: unknown): void {
  if (given !== undefined && !keys.includes(given as string))
    throw new TypeError(`sortBy: expected ${keys.map((key) => `"${key}"`).join(' or ')}, not ${given}`);
}

/** @throws TypeError for an invalid date */
export function timeOf(name: string, time: Date | undefined): string | undefined {
  if (time !== undefined && !(time.getTime() >= 0))
    throw new TypeError(`${name}: expected a Date in 1970 or later, not ${time}`);
  return time?.toISOString();
}

export const invalid = (path: string, message: string): AuthError =>
  new AuthError('invalid_request', { errors: [{ path, message }] });

/** @throws TypeError for an unknown value, because JavaScript callers have no types */
function requireOneOf(name: string, values: readonly string[], given: string | undefined): void {
  if (given !== undefined && !values.includes(given))
    throw new TypeError(`${name}: expected one of ${values.join(', ')}, not ${describe(given)}`);
}

/** @throws TypeError for an unknown role, status, order or part, for an invalid date, and for values of other types */
export function userSearchOf({
  signedInBefore,
  ...search
}: Omit<OperatorUserSearch, 'organization'>): Omit<UserSearch, 'limit'> {
  requireOneOf('role', roles, search.role);
  requireOneOf('status', userStatuses, search.status);
  requireOneOf('sort', userSorts, search.sort);
  requireOneOf('order', sortOrders, search.order);
  for (const part of search.include ?? []) requireOneOf('include', userListParts, part);
  if (search.search !== undefined) requireText('search', search.search);
  if (search.query !== undefined) requireText('query', search.query);
  if (search.hasPasskey !== undefined) requireBoolean('hasPasskey', search.hasPasskey);
  return { ...search, signedInBefore: timeOf('signedInBefore', signedInBefore) };
}

/** @throws TypeError for an invalid option of `audit.verify` */
export function checkedVerification(options: AuditVerifyOptions): AuditVerifyOptions {
  const { key, retentionDays, newest } = options;
  if (key !== undefined) {
    requireText('key', key);
    requireVerifierKey(key);
  }
  for (const [name, value] of Object.entries({ retentionDays, newest }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1))
      throw new TypeError(`${name}: expected a whole number from 1, not ${value}`);
  return options;
}

function requireVerifierKey(key: string): void {
  try {
    readVerifierKey(key);
  } catch (error) {
    if (error instanceof NoteError) throw new TypeError(`key: ${error.message}`);
    throw error;
  }
}
