import { expect, test } from 'vitest';
import { examineAuditLog } from '../../../cli/doctor/audit-log.ts';

test('the doctor warns when audit events have waited for their positions for five minutes', () => {
  expect(examineAuditLog({ waitingSeconds: 299 })).toEqual([
    { name: 'Audit log', level: 'ok', message: 'every event gets its position' },
  ]);
  expect(examineAuditLog({ waitingSeconds: 420 })).toMatchObject([
    { level: 'warning', message: 'events have waited for their positions for 7 minutes' },
  ]);
});
