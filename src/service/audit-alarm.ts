import { selectBacklog } from '../audit/store/sequence.ts';
import { minute } from '../core/duration.ts';
import { createPauses } from '../core/pauses.ts';
import type { Runtime } from '../core/runtime.ts';

const every = minute;
/** How many seconds an event can wait before the service logs an error. */
const alarmSeconds = 300;
/** How many checks pass between two log entries about the same alarm. */
const checksBetweenEntries = 15;

/** Watches whether committed audit events get their positions. */
export interface AuditAlarm {
  /** How long the oldest event without a position has waited, at the last check. Null: not checked yet. */
  waitingSeconds(): number | null;
  check(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Checks every minute whether audit events wait for their positions. Every process does this, because an attacker who
 * wants to hide events can stop the process that sequences. Does not keep the process running.
 */
export function startAuditAlarm({ db, log, telemetry }: Runtime): AuditAlarm {
  const pauses = createPauses();
  let waiting: number | null = null;
  let alarms = 0;
  const endGauge = telemetry?.gauge(gauge, () => waiting);

  async function check(): Promise<void> {
    try {
      const [row] = await db.query<{ waiting_seconds: number }>(selectBacklog);
      waiting = row?.waiting_seconds ?? null;
    } catch (error) {
      log.warn({ err: error }, 'cannot read how long audit events have waited for their positions');
      return;
    }
    const isBehind = waiting !== null && waiting >= alarmSeconds;
    if (isBehind && alarms % checksBetweenEntries === 0)
      log.error(
        { waitingSeconds: waiting },
        'audit events have waited for their positions for more than five minutes, so changes to them cannot be noticed; check that a process with `auditSequencer: true` is running, and read its log',
      );
    if (!isBehind && alarms > 0)
      log.info({ waitingSeconds: waiting }, 'audit events get their positions again');
    alarms = isBehind ? alarms + 1 : 0;
  }

  async function run(): Promise<void> {
    while (await pauses.take(every)) await check();
  }
  const running = run();
  return {
    waitingSeconds: () => waiting,
    check,
    stop: () => {
      pauses.end();
      endGauge?.();
      return running;
    },
  };
}

const gauge = {
  name: 'latchkey.audit_backlog.age',
  description: 'How long the oldest audit event without a position has waited.',
  unit: 's',
};
