import type { Mutant } from './mutant.ts';

const published = ['tests/features/audit-log-public.test.ts'];
const witness = ['tests/features/audit-witness-for-others.test.ts'];

export default [
  {
    file: 'src/api/availability.ts',
    replace: "publicWith === 'auditLogPublic' && auditLog.isPublic",
    by: "publicWith === 'auditLogPublic'",
    breaks: 'Everyone can read an audit log that is not public',
    killedBy: published,
  },
  {
    file: 'src/api/audit-log.ts',
    replace: "if (runtime.config.auditLog.isPublic) ctx.set('Cache-Control', cacheControl);",
    by: "ctx.set('Cache-Control', cacheControl);",
    breaks: 'Caches keep the audit log that only superadmins can read',
    killedBy: published,
  },
  {
    file: 'src/audit/operations/publish-log.ts',
    replace: '!isLog(origin, log) || ',
    by: 'origin === null || ',
    breaks: 'Caches keep tiles of a replaced log as those of the new one',
    killedBy: published,
  },
  {
    file: 'src/audit/log/tile-path.ts',
    replace: 'if (indexPath(n) !== path || ',
    by: 'if (',
    breaks: 'A tile has many paths, which fill caches',
    killedBy: ['tests/rules/audit-log/tile-path.test.ts'],
  },
  {
    file: 'src/audit/store/witnessed.ts',
    replace:
      'and audit_witnessed.size = ${before.size}::text::bigint and audit_witnessed.root = ${before.root}::text',
    by: 'and (${before.size}::text || ${before.root}::text) is not null',
    breaks: 'A witness cosigns two forks at the same time',
    killedBy: witness,
  },
  {
    file: 'src/audit/store/witnessed.ts',
    replace: 'on conflict (origin) do nothing',
    by: 'on conflict (origin) do update set size = excluded.size, root = excluded.root, note = excluded.note',
    breaks: 'A witness cosigns two forks of a new log at the same time',
    killedBy: witness,
  },
  {
    file: 'src/audit/log/witness-request.ts',
    replace: "return verifyConsistency(witnessed, checkpoint, proof) ? 'consistent' : 'inconsistent';",
    by: "return 'consistent';",
    breaks: 'A witness cosigns a fork',
    killedBy: witness,
  },
  {
    file: 'src/audit/log/witness-request.ts',
    replace: "if (oldSize !== witnessed.size) return 'outdated';",
    by: "if (oldSize > witnessed.size) return 'outdated';",
    breaks: 'A witness answers an outdated size with a status that does not tell the log where to continue',
    killedBy: witness,
  },
  {
    file: 'src/audit/operations/cosign-checkpoint.ts',
    replace: 'known.filter(({ name }) => name === checkpoint.origin)',
    by: '[...known]',
    breaks: 'The key of one log signs checkpoints of another log',
    killedBy: witness,
  },
  {
    file: 'src/audit/operations/cosign-checkpoint.ts',
    replace: 'if (isRepeated)',
    by: '    if (false)',
    breaks: 'One request makes a witness verify a signature a hundred times',
    killedBy: witness,
  },
  {
    file: 'src/audit/operations/cosign-checkpoint.ts',
    replace: '< minute) return;',
    by: '< 0) return;',
    breaks: 'Anyone fills the log of a witness by repeating a request',
    killedBy: witness,
  },
] satisfies Mutant[];
