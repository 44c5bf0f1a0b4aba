export interface Explanation {
  tone: 'info' | 'warning' | 'danger';
  title: string;
  body: string;
}

export const broken: Explanation = {
  tone: 'danger',
  title: 'Something is wrong on our side',
  body: 'Nothing was lost. Wait a moment, then try again.',
};

/** The words for each error code and reason. A page can pass its own words for some of them. */
export const explanations: Record<string, Explanation> = {
  network_error: {
    tone: 'danger',
    title: 'The server can’t be reached',
    body: 'Check your internet connection, then try again.',
  },
  internal_error: broken,
  invalid_response: broken,
  webauthn_unsupported: {
    tone: 'warning',
    title: 'This browser doesn’t support passkeys',
    body: 'Use a current version of Chrome, Edge, Firefox or Safari. Browsers built into other apps often can’t.',
  },
  insecure_context: {
    tone: 'warning',
    title: 'Passkeys can’t be used at this address',
    body: 'Open the site at its usual address, beginning with https://, then try again.',
  },
  ceremony_cancelled: {
    tone: 'info',
    title: 'Nothing was changed',
    body: 'The passkey prompt was closed or timed out. You can try again whenever you like.',
  },
  ceremony_failed: {
    tone: 'danger',
    title: 'The passkey didn’t work',
    body: 'Your device or security key couldn’t do it. Try again, or use another passkey.',
  },
  authentication_failed: {
    tone: 'danger',
    title: 'That didn’t work',
    body: 'Try again, or use another passkey.',
  },
  unknown_credential: {
    tone: 'warning',
    title: 'That passkey is no longer known here',
    body: 'It was removed, or its account was deleted. Use another passkey or another way in. Should your device go on offering this one, delete it there.',
  },
  not_authenticated: {
    tone: 'warning',
    title: 'Your session has ended',
    body: 'Sign in again to go on.',
  },
  recovery_session: {
    tone: 'warning',
    title: 'Finish recovering your account first',
    body: 'Until you’ve made a new passkey, nothing else can be done.',
  },
  forbidden: {
    tone: 'warning',
    title: 'You may not do this',
    body: 'Your role may have changed. A user with a higher role can do it.',
  },
  not_found: {
    tone: 'warning',
    title: 'It isn’t there any more',
    body: 'It may have been removed meanwhile. Reload the page to see what is there.',
  },
  account_disabled: {
    tone: 'warning',
    title: 'That account is disabled',
    body: 'Enable it first, then try again.',
  },
  last_superadmin: {
    tone: 'warning',
    title: 'This is the last superadministrator',
    body: 'The service needs at least one superadministrator. Make another user a superadministrator first.',
  },
  last_organization_admin: {
    tone: 'warning',
    title: 'This is the organization’s last admin',
    body: 'Make another member an admin first.',
  },
  already_a_member: {
    tone: 'info',
    title: 'That user is a member already',
    body: 'They’re in the list of members.',
  },
  already_invited: {
    tone: 'info',
    title: 'That user is invited already',
    body: 'The pending invitation is in the list. Revoke it first to make another one.',
  },
  too_many_invitations: {
    tone: 'warning',
    title: 'Too many pending invitations',
    body: 'Revoke invitations that are no longer needed, then try again.',
  },
  recovery_link_waiting: {
    tone: 'info',
    title: 'This link doesn’t work yet',
    body: 'A new recovery link works after a waiting time. Open it again later.',
  },
  slug_taken: {
    tone: 'warning',
    title: 'That short name is taken',
    body: 'Choose another one.',
  },
  invitation_not_found: {
    tone: 'danger',
    title: 'There is no such invitation',
    body: 'The link may have been cut off on its way. Ask for it to be sent again.',
  },
  invitation_unusable: {
    tone: 'warning',
    title: 'This invitation doesn’t work any more',
    body: 'It was accepted, declined or revoked, or it has expired. Ask for another one.',
  },
  invitation_for_another_user: {
    tone: 'warning',
    title: 'This invitation is for another user',
    body: 'Sign in with the account it was made for.',
  },
  invitation_already_accepted: {
    tone: 'info',
    title: 'The invitation was accepted meanwhile',
    body: 'You can change the user’s role under Users.',
  },
  role_already_held: {
    tone: 'info',
    title: 'That user is an administrator already',
    body: 'There is nothing left to accept.',
  },
};
