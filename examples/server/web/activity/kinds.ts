/** The kinds of events, by the prefix of their names. */
export const kinds = [
  ['', 'All'],
  ['account.', 'Accounts'],
  ['passkey.', 'Passkeys'],
  ['password.', 'Passwords'],
  ['recovery_code.', 'Recovery codes'],
  ['recovery_link.', 'Recovery links'],
  ['recovery.', 'Recoveries'],
  ['session.', 'Sessions'],
  ['invitation.', 'Administrator invitations'],
  ['user.', 'Users'],
  ['organization.', 'Organizations'],
  ['organization_invitation.', 'Organization invitations'],
  ['member.', 'Members'],
  ['audit.', 'Views and exports of activity'],
  ['superadmin.', 'First superadmin'],
] as const;

export const outcomes = [
  ['', 'All'],
  ['success', 'Done'],
  ['failure', 'Refused'],
] as const;

export const parts = [
  ['actorId', 'Actor'],
  ['targetId', 'Target'],
] as const;
