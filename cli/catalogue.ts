/** A command by its name, and what it is for. */
export interface Entry {
  name: string;
  summary: string;
}

export const catalogue: readonly Entry[] = [
  { name: 'bootstrap', summary: 'Make the first superadmin' },
  { name: 'invitations list', summary: 'Show invitations, the newest first' },
  { name: 'invitations create', summary: 'Invite somebody to become an admin' },
  { name: 'invitations revoke', summary: 'Take an invitation back' },
  { name: 'users list', summary: 'Find people' },
  { name: 'users show', summary: 'Show a person: ways in, sessions, memberships' },
  { name: 'users role', summary: 'Give somebody another role' },
  { name: 'users disable', summary: 'Shut somebody out; every session of theirs ends' },
  { name: 'users enable', summary: 'Let somebody in again' },
  { name: 'users recover', summary: 'Make a recovery link for a user' },
  { name: 'users cancel-recovery', summary: 'Cancel the recovery link of a user' },
  { name: 'users sessions', summary: "Show somebody's sessions, or end them" },
  { name: 'users delete', summary: 'Delete an account for ever; its username stays taken' },
  { name: 'organizations list', summary: 'Show organizations by slug' },
  { name: 'organizations invite', summary: 'Invite a user to an organization, or make a link' },
  { name: 'organizations invitations', summary: 'Show the invitations to an organization, newest first' },
  { name: 'organizations revoke', summary: 'Revoke an invitation to an organization' },
  { name: 'organizations add', summary: 'Add a user to an organization without an invitation' },
  { name: 'audit tail', summary: 'Show the end of the audit log, and go on with --follow' },
  { name: 'audit export', summary: 'Write the audit log as NDJSON, the oldest first' },
  { name: 'migrate', summary: 'Bring the database schema up to date' },
  { name: 'migrate status', summary: 'Say what the schema lacks' },
  { name: 'doctor', summary: 'Look for what is wrong, and say what mends it' },
  { name: 'dev', summary: 'Run a server with pages and a PostgreSQL of its own, to try things' },
  { name: 'secret', summary: 'Print a fresh JWT_SECRET' },
  { name: 'completion', summary: 'Print completions for bash, zsh or fish' },
];

/** The entry that the first words name, the longest first. */
export function findEntry(words: readonly string[]): Entry | null {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const entry = words.length >= length && catalogue.find((known) => known.name === name);
    if (entry) return entry;
  }
  return null;
}
