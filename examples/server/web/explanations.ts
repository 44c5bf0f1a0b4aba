export interface Explanation {
  tone: 'info' | 'warning' | 'danger';
  title: string;
  body: string;
}

export const broken: Explanation = {
  tone: 'danger',
  title: 'Something went wrong on the server',
  body: 'Wait a moment, then try again.',
};

/** The explanation of each error code and reason. A page can pass its own explanations for some of them. */
export const explanations: Record<string, Explanation> = {
  network_error: {
    tone: 'danger',
    title: 'The server is unreachable',
    body: 'Check your internet connection, then try again.',
  },
  internal_error: broken,
  invalid_response: broken,
  webauthn_unsupported: {
    tone: 'warning',
    title: 'This browser doesn’t support passkeys',
    body: 'Use a current version of Chrome, Edge, Firefox or Safari. Browsers built into other apps often don’t support them.',
  },
  insecure_context: {
    tone: 'warning',
    title: 'Passkeys don’t work at this address',
    body: 'Open this site at its https:// address, then try again.',
  },
  ceremony_cancelled: {
    tone: 'info',
    title: 'Nothing was changed',
    body: 'The passkey prompt was closed or timed out. Try again when you’re ready.',
  },
  ceremony_failed: {
    tone: 'danger',
    title: 'The passkey didn’t work',
    body: 'Your device or security key reported an error. Try again, or use another passkey.',
  },
  authentication_failed: {
    tone: 'danger',
    title: 'That didn’t work',
    body: 'Try again, or use another passkey.',
  },
  unknown_credential: {
    tone: 'warning',
    title: 'That passkey no longer works here',
    body: 'It was removed, or its account was deleted. Use another passkey, or sign in another way. If your device still offers this one, delete it there.',
  },
  not_authenticated: {
    tone: 'warning',
    title: 'Your session has ended',
    body: 'Sign in again to continue.',
  },
  recovery_session: {
    tone: 'warning',
    title: 'Finish recovering your account first',
    body: 'Make a new passkey to finish. Then try again.',
  },
  forbidden: {
    tone: 'warning',
    title: 'You don’t have permission to do this',
    body: 'Your role may have changed. Ask a user with a higher role.',
  },
  not_found: {
    tone: 'warning',
    title: 'Not found',
    body: 'It may have been deleted. Reload the page to see the current state.',
  },
  account_disabled: {
    tone: 'warning',
    title: 'That account is disabled',
    body: 'Enable it first, then try again.',
  },
  last_superadmin: {
    tone: 'warning',
    title: 'This is the last superadmin',
    body: 'Make another user a superadmin first.',
  },
  last_organization_admin: {
    tone: 'warning',
    title: 'This is the organization’s last admin',
    body: 'Make another member an admin first.',
  },
  already_a_member: {
    tone: 'info',
    title: 'That user is already a member',
    body: 'Find them in the list of members.',
  },
  already_invited: {
    tone: 'info',
    title: 'That user is already invited',
    body: 'The pending invitation is in the list. To make another one, revoke it first.',
  },
  too_many_invitations: {
    tone: 'warning',
    title: 'Too many pending invitations',
    body: 'Revoke invitations that you no longer need, then try again.',
  },
  recovery_link_waiting: {
    tone: 'info',
    title: 'This link doesn’t work yet',
    body: 'A new recovery link starts to work after a delay. Open it again later.',
  },
  slug_taken: {
    tone: 'warning',
    title: 'That short name is taken',
    body: 'Choose another one.',
  },
  invitation_not_found: {
    tone: 'danger',
    title: 'Invitation not found',
    body: 'The link may be incomplete. Open it again from the message, or ask for another one.',
  },
  invitation_unusable: {
    tone: 'warning',
    title: 'This invitation no longer works',
    body: 'It was accepted, declined or revoked, or it has expired. Ask for another one.',
  },
  invitation_for_another_user: {
    tone: 'warning',
    title: 'This invitation is for another user',
    body: 'Sign in with the account it was made for.',
  },
  invitation_already_accepted: {
    tone: 'info',
    title: 'The invitation was already accepted',
    body: 'You can change the user’s role under Users.',
  },
  role_already_held: {
    tone: 'info',
    title: 'That user is already an administrator',
    body: 'They don’t need an invitation.',
  },
};
