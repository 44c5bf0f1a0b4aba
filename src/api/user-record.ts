import * as v from 'valibot';
import {
  type UserActionState,
  type UserRecordDetails,
  userActionNames,
  userActionObstacles,
} from '../directory/user-record.ts';
import { exactly, oneOf } from '../http/input.ts';
import { userOrganizationResource } from './organizations.ts';
import { passkeyResource } from './passkey-schemas.ts';
import { managedUserResource } from './profiles.ts';
import { pendingRecoveryLinkResource } from './recovery.ts';
import { listedSessionResource } from './resources.ts';
import { lastSignInResource } from './user-list.ts';

export const userRecordQuery = exactly({
  include: v.optional(
    v.pipe(oneOf(['details']), v.description('Adds `details` and `actions` to the response.')),
  ),
});

const detailsResource = v.object({
  hasPassword: v.boolean(),
  recoveryCodesRemaining: v.pipe(v.number(), v.integer()),
  lastSignIn: v.pipe(
    v.nullable(lastSignInResource),
    v.description('Null: no sign-in is known, or the caller cannot see all users.'),
  ),
  passkeys: v.pipe(
    v.array(passkeyResource),
    v.description(
      'If the caller cannot see all users, `lastUsedAt`, `lastUsedIp` and `lastUsedUserAgent` are null.',
    ),
  ),
  sessions: v.pipe(
    v.nullable(v.array(listedSessionResource)),
    v.description('Live sessions, most recently used first. Null: the caller cannot see all users.'),
  ),
  organizations: v.pipe(v.array(userOrganizationResource), v.description('Sorted by name.')),
  recoveryLink: v.pipe(
    v.nullable(pendingRecoveryLinkResource),
    v.description('Null: the account has no pending recovery link.'),
  ),
}) satisfies v.GenericSchema<UserRecordDetails>;

const actionResource = v.object({
  name: v.pipe(v.picklist(userActionNames), v.description('The name of the audit event of the action.')),
  obstacle: v.pipe(
    v.nullable(v.picklist(userActionObstacles)),
    v.description(
      'Why the caller cannot do this. Null: the caller can do it. `switched_off`: the service does not offer it.',
    ),
  ),
}) satisfies v.GenericSchema<UserActionState>;

export const userRecordResource = v.object({
  user: managedUserResource,
  details: v.optional(
    v.pipe(
      v.nullable(detailsResource),
      v.description(
        'With `include=details`. Null: the caller cannot read them. Admins can read them only for users for whom they can create recovery links, and without sessions, sign-ins and uses of passkeys.',
      ),
    ),
  ),
  actions: v.optional(
    v.pipe(
      v.array(actionResource),
      v.description('With `include=details`: what the caller can do with the user now.'),
    ),
  ),
});
