/** Event prefixes and their labels. An event prefix selects all events whose names start with it. */
export const kinds = [
  ['', 'All'],
  ['account.', 'Accounts'],
  ['passkey.', 'Passkeys'],
  ['password.', 'Passwords'],
  ['recovery_code.', 'Recovery codes'],
  ['recovery_link.', 'Recovery links'],
  ['recovery.', 'Recoveries'],
  ['session.', 'Sessions'],
  ['invitation.', 'Invitations'],
  ['user.', 'Users'],
  ['organization.', 'Organizations'],
  ['organization_invitation.', 'Organization invitations'],
  ['member.', 'Members'],
  ['audit.', 'Audit log'],
  ['superadmin.', 'First superadmin'],
] as const;

export const outcomes = [
  ['', 'All'],
  ['success', 'Succeeded'],
  ['failure', 'Refused'],
] as const;

export const parts = [
  ['actorId', 'Actor'],
  ['targetId', 'Target'],
] as const;
