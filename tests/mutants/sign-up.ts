import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/sign-up/rules.ts',
    replace: "return hasInvitation ? null : 'invitation_required';",
    by: 'return null;',
    breaks: 'A user signs up without an invitation',
    killedBy: ['tests/features/sign-up-modes.test.ts'],
  },
  {
    file: 'src/passkeys/operations/sign-up.ts',
    replace: 'let invitation = await admit();',
    by: 'let invitation = invitationHash === null ? null : await admit();',
    breaks: 'A sign-up finishes after the service was closed to sign-ups without an invitation',
    killedBy: ['tests/features/sign-up-modes.test.ts'],
  },
  {
    file: 'src/invitations/rules.ts',
    replace: "{ user: 'user:invite', admin: 'invitation:manage' } as const",
    by: "{ user: 'user:invite', admin: 'user:invite' } as const",
    breaks: 'An admin invitation works although its creator is no longer a superadmin',
    killedBy: ['tests/rules/invitations.test.ts'],
  },
  {
    file: 'src/passkeys/operations/sign-up.ts',
    replace: "const requires = invitation ? 'pending_invitation' : undefined;",
    by: 'const requires = undefined;',
    breaks: 'Two users sign up with one invitation',
    killedBy: ['tests/features/user-invitations-races.test.ts'],
  },
  {
    file: 'src/invitations/operations/revoke.ts',
    replace: "if (invitation.invited_role !== 'user' || !isOwn) {",
    by: "if (invitation.invited_role !== 'user') {",
    breaks: 'An admin revokes the invitation of another user',
    killedBy: ['tests/features/user-invitations.test.ts'],
  },
  {
    file: 'src/passkeys/operations/sign-up.ts',
    replace: 'await askAboutSignUp(runtime, actor, ceremony, invitation)',
    by: 'runtime.fields.onlyOfUser(ceremony.fields ?? {})',
    breaks: 'A sign-up finishes although the application refuses it',
    killedBy: ['tests/features/sign-up-before.test.ts'],
  },
  {
    file: 'src/db/sql-states.ts',
    replace: "if (!['latchkey', null].includes(schemaOf(error))) return false;",
    by: '',
    breaks: 'A unique value in a table of the application is reported as a taken username',
    killedBy: ['tests/features/sign-up-after.test.ts'],
  },
] satisfies Mutant[];
