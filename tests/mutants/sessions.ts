import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/sessions/store.ts',
    replace: 'where sessions.token_hash = ${tokenHash}::text\n    and sessions.expires_at > latchkey.clock()',
    by: 'where sessions.token_hash = ${tokenHash}::text',
    breaks: 'An expired session is live',
    killedBy: ['tests/features/sessions.test.ts'],
  },
] satisfies Mutant[];
