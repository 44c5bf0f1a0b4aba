import type { Mutant } from './mutant.ts';

const compatibility = 'tests/db/compatibility.test.ts';
const locks = 'tests/db/migration-locks.test.ts';

export default [
  {
    file: 'src/db/migrate.ts',
    replace: 'compatible_with !== null && compatible_with <= newest',
    by: 'compatible_with !== null',
    breaks: 'A version serves on a schema that is compatible only with later versions',
    killedBy: [compatibility],
  },
  {
    file: 'src/db/migrate.ts',
    replace: 'compatible_with !== null && compatible_with <= newest',
    by: '(compatible_with ?? 0) <= newest',
    breaks: 'A version serves on a schema that states no compatible version',
    killedBy: [compatibility],
  },
  {
    file: 'src/db/migrate.ts',
    replace: 'later.every(',
    by: 'later.some(',
    breaks: 'One compatible migration hides an incompatible migration',
    killedBy: [compatibility],
  },
  {
    file: 'src/db/migrate.ts',
    replace: '(missing.length === 0 && ',
    by: '(',
    breaks: 'A version applies an older migration after a newer one',
    killedBy: [compatibility],
  },
  {
    file: 'src/db/migrate.ts',
    replace: '  compatibleWith > earlier;',
    by: '  compatibleWith > earlier + 1;',
    breaks: '`migrate status` says that processes can keep running although a migration breaks them',
    killedBy: [compatibility],
  },
  {
    file: 'src/db/service-role.ts',
    replace: '    if is_newest then\n',
    by: '    if true then\n',
    breaks: 'An earlier version revokes rights that a later version needs',
    killedBy: [compatibility],
  },
  {
    file: 'src/db/apply-migration.ts',
    replace: 'if (!isLockConflict(error)) throw error;',
    by: 'throw error;',
    breaks: 'A migration fails if another transaction holds a lock for a short time',
    killedBy: [locks],
  },
  {
    file: 'src/db/apply-migration.ts',
    replace: 'timeoutMs: 2 * second',
    by: 'timeoutMs: 20 * second',
    breaks: 'A migration that waits for a lock makes requests fail',
    killedBy: [locks],
  },
] satisfies Mutant[];
