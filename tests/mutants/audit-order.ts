import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/audit/store/append.ts',
    replace:
      'where audit_log.size = ${before.size}::text::bigint and audit_log.note is not distinct from ${before.note}::text',
    by: 'where audit_log.size <> ${before.size}::text::bigint - 1 and ${before.note}::text is distinct from 1::text',
    breaks: 'Two sequencers at the same time overwrite each other',
    killedBy: ['tests/features/audit-order-races.test.ts'],
  },
  {
    file: 'src/audit/store/sequence.ts',
    replace: 'where audit_events.xid = any (',
    by: 'where audit_events.xid is null and audit_events.xid = any (',
    breaks: 'Events of transactions that commit late get no position',
    killedBy: ['tests/features/audit-order-races.test.ts'],
  },
  {
    file: 'src/audit/log/sequencer.ts',
    replace: 'state.seen === null || state.went_back',
    by: 'state.seen === null',
    breaks: 'After a restore, new events get no position until a process starts',
    killedBy: ['tests/features/audit-order-restore.test.ts'],
  },
  {
    file: 'src/audit/log/sequencer.ts',
    replace: 'state.sweep_due || !hasSwept',
    by: 'state.sweep_due',
    breaks: 'Events that a restore has hidden are found only after a day',
    killedBy: ['tests/features/audit-order-restore.test.ts'],
  },
  {
    file: 'src/audit/log/append.ts',
    replace: 'if (!rootOf(signed.size, readFrom(edge)).equals(signed.root))',
    by: 'if (false)',
    breaks: 'The service signs a tree whose tiles an attacker has replaced',
    killedBy: ['tests/features/audit-order-restore.test.ts'],
  },
  {
    file: 'src/db/migrations/0027-audit-log.ts',
    replace: '      salt = null\n    from chosen',
    by: '      salt = audit_events.salt\n    from chosen',
    breaks: 'Erased names can be guessed with the salt',
    killedBy: ['tests/features/audit-order-erasure.test.ts'],
  },
  {
    file: 'src/db/migrations/0027-audit-log.ts',
    replace:
      'and exists (select from latchkey.audit_entries where audit_entries.event_id = audit_events.id)\n      order by',
    by: 'order by',
    breaks: 'Events are deleted before they are in the log',
    killedBy: ['tests/features/audit-order-erasure.test.ts'],
  },
  {
    file: 'src/service/audit-alarm.ts',
    replace: 'seconds >= alarmSeconds',
    by: 'seconds < 0',
    breaks: 'A log without new positions causes no error',
    killedBy: ['tests/features/audit-backlog.test.ts'],
  },
  {
    file: 'src/audit/log/snapshot.ts',
    replace: 'each >= reached || now.running.includes(each)',
    by: 'each >= reached',
    breaks:
      'The events of a transaction that ends late get no position if many other events wait before them',
    killedBy: ['tests/rules/audit-log/snapshot.test.ts'],
  },
  {
    file: 'src/audit/log/snapshot.ts',
    replace: 'const xmax = seen.xmax > reached ? seen.xmax : reached;',
    by: 'const xmax = reached;',
    breaks: 'The sequencer rereads the events after a large transaction',
    killedBy: ['tests/features/audit-order-large.test.ts', 'tests/rules/audit-log/snapshot.test.ts'],
  },
  {
    file: 'src/audit/log/sequencer.ts',
    replace: 'return appendTransaction(large, state);',
    by: 'return sweep(state, true);',
    breaks: 'A large transaction makes the sequencer read the complete log',
    killedBy: ['tests/features/audit-order-large.test.ts'],
  },
  {
    file: 'src/audit/log/sequencer.ts',
    replace: 'if (rows.length > mostIds) return sweep(start, true);',
    by: '',
    breaks: 'Some events of a very large transaction get no position',
    killedBy: ['tests/features/audit-order-large.test.ts'],
  },
] satisfies Mutant[];
