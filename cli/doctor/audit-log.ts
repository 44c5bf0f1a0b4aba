import type { AuditBacklog } from 'latchkey';
import type { Check } from './check.ts';

const name = 'Audit log';
const alarmSeconds = 300;

/** Checks whether committed audit events get their positions. */
export function examineAuditLog({ waitingSeconds }: AuditBacklog): Check[] {
  if (waitingSeconds < alarmSeconds) return [{ name, level: 'ok', message: 'every event gets its position' }];
  return [
    {
      name,
      level: 'warning',
      message: `events have waited for their positions for ${Math.floor(waitingSeconds / 60)} minutes`,
      why: 'Readers of the log and webhooks do not get these events. Changes to them cannot be noticed, and old events are not deleted.',
      fix: 'Check that a process with AUDIT_SEQUENCER=on is running, and read its log',
    },
  ];
}
