import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { v7 as uuid } from 'uuid';
import { recordEvent } from '../../audit/store.ts';
import type { Actor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { OpenedSession } from '../../core/session.ts';
import type { SignUpInvitation } from '../../core/sign-up.ts';
import { lowestRole, type User } from '../../core/user.ts';
import type { StoredFields } from '../../core/user-fields.ts';
import { sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { type OpenedSessionRow, openedFromRow } from '../../sessions/store/session-row.ts';
import { deletePresented, insertSession } from '../../sessions/store.ts';
import { newSessionToken } from '../../sessions/token.ts';
import { applicationStatement, explainStatementError } from '../../sign-up/application-statement.ts';
import { admitSignUp, hashOfInvitation } from '../../sign-up/operations/admit.ts';
import { askApplication } from '../../sign-up/operations/ask-application.ts';
import {
  acceptInvitation,
  type InvitationToSignUp,
  lockInvitation,
} from '../../sign-up/operations/invitation.ts';
import { assertUsernameAllowed, findUsernameConflict } from '../../users/operations.ts';
import { canonicalUsername } from '../../users/rules.ts';
import { retryIfSkeletonTaken } from '../../users/skeleton-conflict.ts';
import { recordSignUp } from '../../users/store/sign-ins.ts';
import { insertUser, lacksRequired, type UserRow, userFromRow } from '../../users/store.ts';
import { newUserHandle } from '../../users/user-handle.ts';
import { type CeremonyOf, sealCeremony } from '../ceremony.ts';
import { type ChosenLabel, chooseLabel } from '../default-label.ts';
import { creationOptions } from '../options.ts';
import type { NewlyAddedPasskey } from '../passkey.ts';
import { insertPasskey, type PasskeyRow, passkeyFromRow } from '../store.ts';
import type { VerifiedRegistration } from '../verify-registration.ts';
import { requireAllowed } from './check-authenticator.ts';
import {
  conflictReason,
  type RegistrationFinish,
  refuseRegistration,
  targetOf,
  verifyRegistrationCeremony,
} from './verify-registration-ceremony.ts';

export interface SignUpStart {
  username: string;
  displayName?: string | undefined;
  /** The token of an invitation. */
  invitation?: string | undefined;
  /** The own fields that users can write. */
  fields?: Readonly<Record<string, unknown>> | undefined;
}

const event = 'account.signup';

/**
 * Starts a sign-up: returns the options for the first passkey. Stores nothing and does not reserve the username.
 *
 * First checks whether the caller can sign up at all. So without an invitation, the mode `invitation` does not reveal
 * whether a username exists.
 *
 * @throws AuthError `invalid_request` for invalid fields | `username_unacceptable` | `username_taken` | `sign_up_refused`
 * @throws the errors of `admitSignUp`
 */
export async function startSignUp(
  runtime: Runtime,
  actor: Actor,
  { username: given, displayName, fields = {}, invitation: invitationToken }: SignUpStart,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { username: applicant } = canonicalUsername(given, runtime.config.usernames);
  const invitationHash = hashOfInvitation(invitationToken);
  const invitation = await admitSignUp(runtime, actor, { username: applicant, invitationHash });
  const checked = await runtime.fields.checkSignUp(fields);
  const username = await assertUsernameAllowed(runtime, given, null);
  const newUser = {
    username,
    displayName: displayName ?? null,
    userHandle: newUserHandle(),
  };
  const own = Object.keys(checked).length > 0 ? { fields: checked } : {};
  await askAboutSignUp(runtime, actor, { ...newUser, ...own }, invitation);
  const challenge = sealCeremony(runtime, actor, { kind: 'signup', ...newUser, ...own, invitationHash });
  return creationOptions(runtime.config, challenge, newUser, []);
}

export interface SignedUp extends OpenedSession {
  user: User;
  passkey: NewlyAddedPasskey;
}

/**
 * Finishes a sign-up. One statement creates the account, the passkey, the session and the audit event.
 *
 * Checks the username in the challenge again, for two reasons. An attacker with a stolen secret can forge a challenge.
 * And during a rolling upgrade, an older process with other username rules can create a challenge.
 *
 * Also checks the mode and the invitation again, and calls `signUp.before` again. The statement uses up the invitation.
 *
 * @throws AuthError `registration_failed` | `username_unacceptable` | `username_taken` | `passkey_already_registered`
 * @throws AuthError `sign_up_refused` | `authenticator_not_allowed`
 * @throws the errors of `admitSignUp`
 */
export async function finishSignUp(
  runtime: Runtime,
  actor: Actor,
  finish: RegistrationFinish,
): Promise<SignedUp> {
  const { ceremony, registration } = await verifyRegistrationCeremony(runtime, actor, finish, 'signup');
  const { username, problem } = canonicalUsername(ceremony.username, runtime.config.usernames);
  if (problem !== null || username !== ceremony.username) {
    // An invalid username can contain control characters, so the audit log does not record it.
    const target = { type: 'user', id: null, name: problem === 'invalid' ? null : username } as const;
    return refuseRegistration(runtime, actor, 'signup', { reason: 'username_unacceptable' }, target);
  }
  const invitationHash = ceremony.invitationHash ?? null;
  const admit = () => admitSignUp(runtime, actor, { username, invitationHash });
  let invitation = await admit();
  const fields = await askAboutSignUp(runtime, actor, ceremony, invitation);
  const chosen = chooseLabel(finish.label, registration, finish.credential, actor);
  const create = async () => {
    await requireAllowed(runtime, actor, registration, invitation?.role ?? lowestRole, {
      event,
      target: targetOf(ceremony),
    });
    return createAccount(runtime, actor, { ...ceremony, fields }, registration, { chosen, invitation });
  };
  try {
    return await retryVersionConflicts(() =>
      create().catch(async (error): Promise<typeof versionConflict> => {
        if (lacksRequired(error)) {
          // A concurrent statement used or revoked the invitation, or changed the role of its creator.
          invitation = await admit();
          return versionConflict;
        }
        if (runtime.config.lookAlikes === 'refuse') throw error;
        return retryIfSkeletonTaken(error);
      }),
    );
  } catch (error) {
    const reason = conflictReason(error);
    if (reason === null) throw explainStatementError(runtime, error);
    // If an account has the same username, its skeleton is the same, too. PostgreSQL can report either
    // conflict.
    const isTaken = reason === 'look_alike' && (await findUsernameConflict(runtime, username)) === 'taken';
    const refused = { reason: isTaken ? 'username_taken' : reason } as const;
    return refuseRegistration(runtime, actor, 'signup', refused, targetOf(ceremony));
  }
}

/**
 * Calls `signUp.before` for a sign-up. Returns the own fields of the new account: those of the user, and those that the
 * application adds.
 *
 * @throws AuthError `sign_up_refused` | `invalid_request` if the values of the user are too large together with the
 *   added values
 * @throws TypeError if the application adds a field that does not exist, or a value that the schema does not allow
 */
async function askAboutSignUp(
  runtime: Runtime,
  actor: Actor,
  {
    username,
    displayName,
    fields: given = {},
  }: Pick<CeremonyOf<'signup'>, 'username' | 'displayName' | 'fields'>,
  invitation: InvitationToSignUp | null,
): Promise<StoredFields> {
  // A process with other own fields can have created the challenge.
  const fields = runtime.fields.onlyOfUser(given);
  const request = {
    kind: 'sign_up',
    username,
    displayName,
    fields,
    invitation: publicPart(invitation),
  } as const;
  const added = await askApplication(runtime, actor, request, {
    event,
    target: { type: 'user', id: null, name: username },
  });
  return runtime.fields.withAdded(fields, added);
}

/** The part of an invitation that the application gets. */
const publicPart = (invitation: InvitationToSignUp | null): SignUpInvitation | null => {
  if (invitation === null) return null;
  const { id, role, username, createdBy, organization } = invitation;
  return { id, role, username, createdBy, organization };
};

async function createAccount(
  runtime: Runtime,
  actor: Actor,
  { username, displayName, userHandle, fields = {} }: Omit<CeremonyOf<'signup'>, 'kind'>,
  registration: VerifiedRegistration,
  {
    chosen: { label, hasDefaultLabel },
    invitation,
  }: { chosen: ChosenLabel; invitation: InvitationToSignUp | null },
): Promise<SignedUp> {
  const userId = uuid();
  const role = invitation?.role ?? lowestRole;
  const user = { id: userId, username, displayName, role };
  const { lookAlikes } = runtime.config;
  const requires = invitation ? 'pending_invitation' : undefined;
  const passkey = {
    id: uuid(),
    userId,
    label,
    ...registration,
  };
  const token = newSessionToken();
  const opened = {
    user: { id: userId, role },
    token,
    kind: 'full',
    method: 'passkey',
    passkeyId: passkey.id,
  } as const;
  const entry = {
    event,
    outcome: 'success',
    target: { type: 'user', id: userId, name: username },
    details: {
      passkeyId: passkey.id,
      aaguid: passkey.aaguid,
      ...(invitation && { invitationId: invitation.id, role }),
    },
  } as const;
  // `account` must be last in the `from` list, because pg-mem starts at the end of the list and checks foreign keys
  // immediately.
  const [row] = await runtime.db.query<UserRow & PasskeyRow & OpenedSessionRow>(sql`
    with ${invitation ? sql`${lockInvitation(runtime, invitation)},` : sql``}
      account as (${insertUser({ ...user, userHandle, fields, lookAlikes, requires })}),
      ${invitation ? sql`${acceptInvitation(actor, invitation, user)},` : sql``}
      ${applicationStatement(runtime, { user, fields, invitation: publicPart(invitation) })}
      passkey as (${insertPasskey(passkey)}),
      replaced as (${deletePresented(actor)}),
      session as (${insertSession(opened, actor, runtime.config)}),
      signed_in as (${recordSignUp(userId, opened.method, actor)}),
      entry as (${recordEvent(actor, entry, undefined, { id: userId, username })})
    select * from session, passkey, account`);
  if (!row) throw new Error('the sign-up statement returned no row');
  return {
    user: userFromRow(row),
    passkey: { ...passkeyFromRow(row, row.passkey_id), hasDefaultLabel },
    ...openedFromRow(row, token),
  };
}
