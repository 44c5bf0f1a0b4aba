import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/audit/feed/read-page.ts',
    replace: 'return confirmAnswer({ db }, { position,',
    by: 'return Promise.resolve({ position,',
    breaks: 'After a failover, the feed says that the log has changed to a reader who has started at its end',
    killedBy: ['tests/faults/synchronous-answers.test.ts'],
  },
  {
    file: 'src/audit/feed/read-page.ts',
    replace: 'return confirmAnswer({ db }, { events,',
    by: 'return Promise.resolve({ events,',
    breaks: 'A failover loses audit events that another system has already stored',
    killedBy: ['tests/faults/synchronous-answers.test.ts'],
  },
  {
    file: 'src/audit/conventions/event-conventions.ts',
    replace: "outcome !== 'success' ||",
    by: '',
    breaks: 'A refused attempt to disable a user is sent to other services as a disabled account',
    killedBy: ['tests/features/audit-event-schema.test.ts'],
  },
  {
    file: 'src/audit/conventions/administration-events.ts',
    replace: 'signals: [accountDisabled, sessionRevoked],',
    by: 'signals: [accountDisabled],',
    breaks: 'Receivers that know only CAEP keep the sessions of a disabled user',
    killedBy: ['tests/features/audit-event-schema.test.ts'],
  },
  {
    file: 'src/client/audit.ts',
    replace: ' || !text.startsWith(proofHeader)',
    by: '',
    breaks: 'A page of a proxy is downloaded as the proof of an event',
    killedBy: ['tests/client/audit.test.ts'],
  },
  {
    file: 'src/audit/conventions/event-schema.ts',
    replace: 'required: Object.keys(fields).filter((name) => !fields[name]?.optional),',
    by: '',
    breaks: 'The published schema does not require any field of details',
    killedBy: ['tests/features/audit-event-schema.test.ts'],
  },
  {
    file: 'src/authorization/authorize.ts',
    replace: "(everywhere && reached !== 'any')",
    by: 'false',
    breaks: 'An admin who manages one organization can follow the whole audit log',
    killedBy: ['tests/features/audit-feed.test.ts'],
  },
  {
    file: 'src/audit/feed/read-page.ts',
    replace: '  if (after !== null) await requireEntry(db, after);\n',
    by: '',
    breaks: 'A reader does not notice that a failover has lost events and given their positions to others',
    killedBy: ['tests/features/audit-feed.test.ts'],
  },
  {
    file: 'src/audit/operations/read-feed.ts',
    replace: '(await db.query(by.stillEntitled)).length === 0',
    by: 'false',
    breaks: 'A request that waits gets events after the session has ended or the role was changed',
    killedBy: ['tests/features/audit-feed.test.ts'],
  },
  {
    file: 'src/audit/feed/follow.ts',
    replace: '    cursor = page.cursor;\n',
    by: '',
    breaks: 'The iterator returns the same events again and again',
    killedBy: ['tests/features/audit-events-iterator.test.ts'],
  },
] as const satisfies readonly Mutant[];
