import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/api/endpoint.ts',
    replace: "whileImpersonating = on.startsWith('GET ') ? 'allowed' : 'refused',",
    by: "whileImpersonating = 'allowed',",
    breaks: 'An impersonator changes the account',
    killedBy: ['tests/features/impersonation-matrix.test.ts'],
  },
  {
    file: 'src/sessions/store/validity.ts',
    replace:
      "impersonator.status = 'active'\n      and impersonator.session_epoch = sessions.impersonator_epoch",
    by: "impersonator.status = 'active'",
    breaks: 'An impersonated session outlives the sessions of the superadmin',
    killedBy: ['tests/features/impersonation-ends.test.ts'],
  },
  {
    file: 'src/accounts/operations/change-role.ts',
    replace: "        impersonated as (${deleteImpersonatedSessions(userId, andExists('changed'))}),\n",
    by: '',
    breaks: 'An impersonated session is valid again after a demotion and a promotion',
    killedBy: ['tests/features/impersonation-ends.test.ts'],
  },
  {
    file: 'src/sessions/operations.ts',
    replace: 'row.fresh && row.impersonator_type === null',
    by: 'row.fresh',
    breaks: 'An impersonated session has fresh authentication',
    killedBy: ['tests/features/impersonation.test.ts'],
  },
  {
    file: 'src/impersonation/rules.ts',
    replace: 'user.role === role || !isAtLeast(role, user.role)',
    by: '!isAtLeast(role, user.role)',
    breaks: 'A superadmin uses the account of another superadmin',
    killedBy: ['tests/rules/impersonation.test.ts'],
  },
  {
    file: 'src/audit/store.ts',
    replace: 'const impersonator = isSignedIn(actor) ? actor.session.impersonator : null;',
    by: "const impersonator = null as null | { type: 'user'; id: string; name: string };",
    breaks: 'Events in an impersonated session do not name the impersonator',
    killedBy: ['tests/features/impersonation.test.ts'],
  },
  {
    file: 'src/impersonation/operations/start.ts',
    replace: "insertSession(opened, actor, runtime.config, from('replaced'))",
    by: "insertSession(opened, actor, runtime.config, from('entitled'))",
    breaks: 'Concurrent requests of one session open several impersonated sessions',
    killedBy: ['tests/features/impersonation-ends.test.ts'],
  },
  {
    file: 'src/sessions/operations.ts',
    replace: 'if (!row || !isUsable(row, config)) return null;',
    by: 'if (!row) return null;',
    breaks: 'Impersonated sessions are usable after the option impersonation is switched off',
    killedBy: ['tests/features/impersonation.test.ts'],
  },
  {
    file: 'src/sessions/operations.ts',
    replace: '.filter((row) => isUsable(row, runtime.config))',
    by: '.filter(() => true)',
    breaks: 'Lists contain unusable impersonated sessions',
    killedBy: ['tests/features/impersonation.test.ts'],
  },
] satisfies Mutant[];
