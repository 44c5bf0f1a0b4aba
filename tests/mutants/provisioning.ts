import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/passkeys/verify-assertion.ts',
    replace: 'isUnknown ? isUserHandle(userHandle) : userHandle === stored.userHandle',
    by: 'isUserHandle(userHandle)',
    breaks: 'A passkey signs in with any user handle',
    killedBy: ['tests/features/import-passkeys.test.ts', 'tests/features/assertion-matrix.test.ts'],
  },
  {
    file: 'src/passkeys/operations/verify-authentication-ceremony.ts',
    replace: 'assertion.learnedUserHandle !== null && row.holder_id !== null && row.holder_id !== user.id',
    by: 'false',
    breaks: 'An imported passkey learns the user handle of another account',
    killedBy: ['tests/features/import-passkeys.test.ts'],
  },
  {
    file: 'src/passkeys/rules.ts',
    replace: ' && (userHandle?.length ?? 0) >= ownHandleCharacters',
    by: '',
    breaks: 'A guessed user handle of another system reveals that an account exists',
    killedBy: ['tests/rules/passkeys.test.ts', 'tests/features/import-passkeys.test.ts'],
  },
  {
    file: 'src/password/verify-foreign.ts',
    replace: "if (typeof matches !== 'boolean')\n",
    by: "if (typeof matches === 'undefined')\n",
    breaks: 'A function that returns a value that is not a boolean lets users sign in with every password',
    killedBy: ['tests/features/import-passwords.test.ts'],
  },
  {
    file: 'src/password/stored-hash.ts',
    replace: "if (stored.startsWith('$latchkey')) return { form: 'unknown' };",
    by: '',
    breaks: 'The application gets damaged hashes of the service',
    killedBy: ['tests/features/import-passwords.test.ts'],
  },
  {
    file: 'src/provisioning/check-record.ts',
    replace: "if (role === 'superadmin')",
    by: 'if (false)',
    breaks: 'An import creates superadmins',
    killedBy: ['tests/features/import-users.test.ts', 'tests/features/create-user.test.ts'],
  },
  {
    file: 'src/provisioning/rules.ts',
    replace: 'taken.usernames.has(username) || ',
    by: '',
    breaks: 'A user who has a taken username stops the whole import',
    killedBy: ['tests/features/import-users.test.ts'],
  },
  {
    file: 'src/provisioning/rules.ts',
    replace: "if (origin === false) return { kind: 'already_imported' };",
    by: '',
    breaks: 'A repeated import refuses the users who are imported',
    killedBy: ['tests/features/import-users.test.ts'],
  },
] satisfies Mutant[];
