import type { AuditTarget } from '../../audit/event-names.ts';
import { refuse } from '../../audit/operations/refuse.ts';
import type { Actor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { InvitationObstacle } from '../../invitations/operations/sign-up.ts';
import { hashToken } from '../../sessions/token.ts';
import { checkUsernameAvailability, type UsernameAvailability } from '../../users/operations.ts';
import { usernameToFind } from '../../users/rules.ts';
import { obstacleToSignUp } from '../rules.ts';
import { type InvitationToSignUp, readInvitation } from './invitation.ts';

const event = 'account.signup';

/** A caller who wants to sign up. */
export interface Applicant {
  /** The canonical form. */
  username: string;
  /** Null: the request contains no invitation. */
  invitationHash: string | null;
}

/**
 * Checks whether the mode allows a sign-up, and whether the invitation is usable. Records a refusal in the audit log.
 *
 * @returns the invitation, or null for a sign-up without an invitation
 * @throws AuthError `sign_up_closed` | `invitation_required` | `invitation_not_found` | `invitation_unusable` |
 *   `invitation_for_another_user`
 */
export async function admitSignUp(
  runtime: Runtime,
  actor: Actor,
  applicant: Applicant,
): Promise<InvitationToSignUp | null> {
  const admitted = await readAdmission(runtime, applicant);
  if (typeof admitted !== 'string') return admitted;
  // The request claims this username. It can be invalid.
  const target: AuditTarget = {
    type: 'user',
    id: null,
    name: usernameToFind(applicant.username, runtime.config.usernames) || null,
  };
  return refuse(runtime, actor, { event, code: admitted, reason: admitted, target });
}

type AdmissionObstacle = 'sign_up_closed' | 'invitation_required' | InvitationObstacle;

async function readAdmission(
  runtime: Runtime,
  { username, invitationHash }: Applicant,
): Promise<InvitationToSignUp | AdmissionObstacle | null> {
  const obstacle = obstacleToSignUp(runtime.config.signUpMode, invitationHash !== null);
  if (obstacle) return obstacle;
  return invitationHash === null ? null : readInvitation(runtime, invitationHash, username);
}

/** Returns the hash of the token in a request. Null: the request contains no invitation. */
export const hashOfInvitation = (token: string | undefined): string | null =>
  token === undefined ? null : hashToken(token);

/**
 * Checks whether a username is available, for a caller who can sign up. In the mode `open`, this is everyone.
 *
 * @throws the errors of `admitSignUp`
 */
export async function checkAvailabilityToSignUp(
  runtime: Runtime,
  _: Actor,
  { username: given, invitation }: { username: string; invitation?: string | undefined },
): Promise<UsernameAvailability> {
  const invitationHash = hashOfInvitation(invitation);
  const admitted = await readAdmission(runtime, {
    username: usernameToFind(given, runtime.config.usernames),
    invitationHash,
  });
  if (typeof admitted === 'string') throw new AuthError(admitted);
  return checkUsernameAvailability(runtime, given);
}
