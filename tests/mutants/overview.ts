import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/api/overview.ts',
    replace: "requires: 'overview:read'",
    by: "requires: 'audit:read'",
    breaks: 'Admins of organizations read the figures of the whole service',
    killedBy: ['tests/features/authorization-matrix.test.ts'],
  },
  {
    file: 'src/overview/rules.ts',
    replace: 'now - (now % hourMs) - longestTailMs)',
    by: '0)',
    breaks: 'A request for the overview reads the whole audit log while no hour is counted',
    killedBy: ['tests/rules/overview-rules.test.ts'],
  },
  {
    file: 'src/overview/store.ts',
    replace: '${lastActiveHour} < ${from}::text::timestamptz',
    by: 'true',
    breaks: 'A user who is already counted counts again as an active user',
    killedBy: ['tests/db/overview-figures.test.ts'],
  },
  {
    file: 'src/service/housekeeping.ts',
    replace: 'removed: await countHours(runtime, hourBatch)',
    by: 'removed: 0',
    breaks: 'Pruned events are missing in the figures',
    killedBy: ['tests/db/overview-figures.test.ts'],
  },
  {
    file: 'src/core/csv.ts',
    replace: 'startsFormula.test(value)',
    by: "value.startsWith('=')",
    breaks: 'A spreadsheet runs a formula that begins with @, + or -',
    killedBy: ['tests/core/csv.test.ts'],
  },
  {
    file: 'src/core/csv.ts',
    replace: `value.replace(innerFormula, "'$&")`,
    by: 'value',
    breaks: 'A spreadsheet that splits at semicolons runs a formula in the middle of a user agent',
    killedBy: ['tests/core/csv.test.ts', 'tests/features/activity-csv.test.ts'],
  },
  {
    file: 'src/accounts/operations/list-own-events.ts',
    replace: 'exportedEvent(eventFromRow(row), owner)',
    by: 'eventFromRow(row)',
    breaks: 'Users see the names and addresses of the admins who acted on their accounts',
    killedBy: ['tests/features/own-events.test.ts'],
  },
  {
    file: 'src/audit/store/events.ts',
    replace: '${selectIds({ ...filter, targetId: userId }, range)}',
    by: '${selectIds({ ...filter, actorId: userId }, range)}',
    breaks: 'Users do not see what others did to their accounts',
    killedBy: ['tests/features/own-events.test.ts'],
  },
  {
    file: 'src/api/audit.ts',
    replace: "text.split(',').every((name)",
    by: "text.split(',').some((name)",
    breaks: 'A filter with an unknown event name is accepted',
    killedBy: ['tests/features/activity-csv.test.ts'],
  },
] satisfies Mutant[];
