export interface Entry {
  name: string;
  summary: string;
}

/** These commands read no settings. A shell runs `completion` in any directory, so it must not run code from there. */
const withoutSettings = ['completion', 'secret', 'dev'];

export const readsSettings = (name: string): boolean => !withoutSettings.includes(name);

export const catalogue: readonly Entry[] = [
  { name: 'bootstrap', summary: 'Create the first superadmin' },
  { name: 'invitations list', summary: 'List invitations to the service, newest first' },
  { name: 'invitations create', summary: 'Invite a user to sign up or to become an admin' },
  { name: 'invitations revoke', summary: 'Revoke an invitation' },
  { name: 'users list', summary: 'List users' },
  { name: 'users get', summary: 'Show a user with sessions and memberships' },
  { name: 'users change-role', summary: "Change a user's role" },
  { name: 'users disable', summary: 'Disable a user and end their sessions' },
  { name: 'users enable', summary: 'Enable a disabled user' },
  { name: 'users end-sessions', summary: 'End all sessions of a user' },
  { name: 'users create-recovery-link', summary: 'Create a recovery link for a user' },
  { name: 'users cancel-recovery-link', summary: 'Cancel the recovery link of a user' },
  { name: 'users impersonate', summary: 'Create a link to use the account of a user for support' },
  { name: 'users delete', summary: 'Delete a user; the username stays taken' },
  { name: 'users erase', summary: 'Erase a user, also from the audit log' },
  { name: 'organizations list', summary: 'List organizations, sorted by slug' },
  { name: 'organizations invite', summary: 'Invite a user, or create an invitation link' },
  { name: 'organizations list-invitations', summary: 'List invitations, newest first' },
  { name: 'organizations revoke-invitation', summary: 'Revoke an invitation' },
  { name: 'organizations add-member', summary: 'Add a user without an invitation' },
  { name: 'audit tail', summary: 'Show the latest audit events' },
  { name: 'audit export', summary: 'Export the audit log as NDJSON, oldest first' },
  { name: 'migrate', summary: 'Migrate the database schema' },
  { name: 'migrate status', summary: 'Show applied and pending migrations' },
  { name: 'doctor', summary: 'Check settings, database and superadmins' },
  { name: 'dev', summary: 'Run the example server to try Latchkey' },
  { name: 'secret', summary: 'Print a new JWT_SECRET' },
  { name: 'completion', summary: 'Print completions for bash, zsh or fish' },
];

export const findEntry = ([first, second]: readonly string[]): Entry | undefined =>
  catalogue.find(({ name }) => name === `${first} ${second}`) ?? catalogue.find(({ name }) => name === first);
