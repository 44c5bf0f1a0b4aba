import * as v from 'valibot';
import type { UserProfile } from '../accounts/operations/update-profile.ts';
import type { Runtime } from '../core/runtime.ts';
import type { User } from '../core/user.ts';
import { exactly, shortText, text } from '../http/input.ts';
import { userResource } from './resources.ts';

/**
 * Marks an object of own fields in the schemas of the OpenAPI document. `withOwnFields` replaces the mark:
 *
 * - `read`: by the fields that users can read
 * - `write`: by the fields that users can write; each can be null
 * - `sign_up`: by the fields that users can write; required fields are required
 * - `any`: by nothing, because the fields depend on the role of the caller
 */
export type OwnFieldsMark = 'read' | 'write' | 'sign_up' | 'any';

const fieldsWith = (ownFields: OwnFieldsMark, description: string) =>
  v.pipe(
    v.record(v.string(), v.unknown(), 'expected an object'),
    v.description(description),
    v.metadata({ ownFields }),
  );

/**
 * The own fields in a body. The operations check them, because the schemas of the application can be asynchronous, and
 * because they differ by caller.
 */
export const fieldsInput = (mark: 'write' | 'any') =>
  v.optional(fieldsWith(mark, 'Own fields of the application. Null removes a value.'));

export const signUpFields = v.optional(fieldsWith('sign_up', 'Own fields of the application.'));

/** The display name in a body that changes a profile. */
export const newName = {
  displayName: v.optional(v.pipe(v.nullable(shortText), v.description('Null removes the display name.'))),
};

/** The body of a request that changes a username. */
export const newUsername = exactly({ username: text });

/** The own fields in a response. */
const fieldsOutput = (mark: 'read' | 'any') =>
  v.exactOptional(
    fieldsWith(
      mark,
      'The own fields of the application that the caller can read. Absent if the application has none.',
    ),
  );

export const fieldsOfOwnAccount = { fields: fieldsOutput('read') };

export const profileResource = v.object({ ...userResource.entries, fields: fieldsOutput('any') });

/** What an administrator reads about a user. */
export const managedUserResource = v.object({
  ...profileResource.entries,
  disabledReason: v.pipe(
    v.nullable(v.string()),
    v.description(
      'Why the user is disabled. Null: no reason was given, the user is active, or the caller cannot see all users.',
    ),
  ),
});

export const ownProfileResource = v.object({ ...userResource.entries, ...fieldsOfOwnAccount });

/** Returns a user with the fields of the profile. Without own fields of the application, returns only the user. */
export const profileOf = (
  { fields: { isEmpty } }: Pick<Runtime, 'fields'>,
  { user, fields }: UserProfile,
): User & { fields?: Record<string, unknown> } => (isEmpty ? user : { ...user, fields });
