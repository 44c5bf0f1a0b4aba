import type { Feature, Features } from './features.ts';

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
  { name: 'invitations create', summary: 'Create an invitation to the service' },
  { name: 'invitations revoke', summary: 'Revoke an invitation' },
  { name: 'users list', summary: 'List users' },
  { name: 'users get', summary: 'Show a user with sign-in methods and sessions' },
  { name: 'users create', summary: 'Create a user with a password or with a link' },
  { name: 'users import', summary: 'Import users of another system from NDJSON' },
  { name: 'users change-role', summary: "Change a user's role" },
  { name: 'users disable', summary: 'Disable a user and end their sessions' },
  { name: 'users enable', summary: 'Enable a disabled user' },
  { name: 'users end-sessions', summary: 'End all sessions of a user, or one of them' },
  { name: 'users end-all-sessions', summary: 'End all sessions of all users' },
  { name: 'users create-recovery-link', summary: 'Create a recovery link for a user' },
  { name: 'users cancel-recovery-link', summary: 'Cancel the recovery link of a user' },
  { name: 'users impersonate', summary: 'Create a link to use the account of a user for support' },
  { name: 'users delete', summary: 'Delete a user; the username stays taken' },
  { name: 'users erase', summary: 'Erase a user, also from the audit log' },
  { name: 'users export', summary: 'Export everything about a user as JSON' },
  { name: 'organizations list', summary: 'List organizations, sorted by slug' },
  { name: 'organizations create', summary: 'Create an organization' },
  { name: 'organizations get', summary: 'Show an organization' },
  { name: 'organizations update', summary: 'Change the name or slug of an organization' },
  { name: 'organizations delete', summary: 'Delete an organization and its memberships' },
  { name: 'organizations members', summary: 'List the members of an organization' },
  { name: 'organizations invite', summary: 'Invite a user, or create an invitation link' },
  { name: 'organizations list-invitations', summary: 'List invitations, newest first' },
  { name: 'organizations revoke-invitation', summary: 'Revoke an invitation' },
  { name: 'organizations add-member', summary: 'Add a user without an invitation' },
  { name: 'organizations change-role', summary: "Change a member's role in an organization" },
  { name: 'organizations remove-member', summary: 'Remove a member from an organization' },
  { name: 'organizations import', summary: 'Create organizations and add members from NDJSON' },
  { name: 'organizations export', summary: 'Export organizations and members as NDJSON' },
  { name: 'audit tail', summary: 'Show the latest audit events' },
  { name: 'audit export', summary: 'Export the audit log as NDJSON, oldest first' },
  { name: 'audit verify', summary: 'Check whether the audit log was tampered with' },
  { name: 'audit proof', summary: 'Write a file that proves an event to others' },
  { name: 'audit check-proof', summary: 'Check a proof without a database' },
  { name: 'audit checkpoint', summary: 'Print the signed checkpoint and the public key' },
  { name: 'audit new-log', summary: 'Start a new audit log after a restore' },
  { name: 'webhooks list', summary: 'List webhooks with their state' },
  { name: 'webhooks create', summary: 'Create a webhook and print its secret' },
  { name: 'webhooks update', summary: 'Change the URL or the events of a webhook' },
  { name: 'webhooks rotate-secret', summary: 'Replace the secret of a webhook' },
  { name: 'webhooks pause', summary: 'Pause a webhook without losing events' },
  { name: 'webhooks resume', summary: 'Make a paused or disabled webhook active again' },
  { name: 'webhooks test', summary: 'Send a test event and show the result' },
  { name: 'webhooks delete', summary: 'Delete a webhook' },
  { name: 'policy test', summary: 'List passkeys that the option authenticators excludes' },
  { name: 'migrate', summary: 'Migrate the database schema' },
  { name: 'migrate status', summary: 'Show applied and pending migrations' },
  { name: 'doctor', summary: 'Check settings, database and superadmins' },
  { name: 'dev', summary: 'Run the example server to try Latchkey' },
  { name: 'secret', summary: 'Print a new JWT_SECRET' },
  { name: 'completion', summary: 'Print completions for bash, zsh or fish' },
];

/** The features that commands belong to, by the name of the command or by its first word. */
const needs: Readonly<Record<string, Feature>> = {
  organizations: 'organizations',
  invitations: 'invitations',
  'users impersonate': 'impersonation',
  webhooks: 'webhooks',
};

/** The feature that a command belongs to. Undefined: the command is always available. */
export const featureOf = (name: string): Feature | undefined =>
  needs[name] ?? needs[name.split(' ')[0] ?? ''];

/** The commands that are not switched off. */
export const availableCommands = (features: Features): Entry[] =>
  catalogue.filter(({ name }) => {
    const feature = featureOf(name);
    return feature === undefined || features[feature];
  });

export const findEntry = ([first, second]: readonly string[]): Entry | undefined =>
  catalogue.find(({ name }) => name === `${first} ${second}`) ?? catalogue.find(({ name }) => name === first);
