/** The kinds of events, by the noun that their names begin with. */
export const kinds = [
  ['', 'Everything'],
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
  ['audit.', 'Activity itself'],
  ['superadmin.', 'First superadministrator'],
] as const;

export const outcomes = [
  ['', 'All'],
  ['success', 'Done'],
  ['failure', 'Refused'],
] as const;

export const parts = [
  ['actor', 'Did it'],
  ['target', 'It was done to'],
] as const;
