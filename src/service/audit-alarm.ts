import { lastCosignature } from '../audit/log/last-cosignature.ts';
import { selectBacklog } from '../audit/store/sequence.ts';
import { type LogRow, selectLog } from '../audit/store/verification.ts';
import { minute } from '../core/duration.ts';
import { createPauses } from '../core/pauses.ts';
import type { Runtime } from '../core/runtime.ts';
import { createRepeatedAlarm } from './repeated-alarm.ts';

const every = minute;
/** How many seconds an event can wait, or a cosignature can be old, before the service logs an error. */
const alarmSeconds = 300;

/** How many sizes of the log the alarm remembers. */
const mostSizes = 10;

/** What the alarm has read at its last check. */
export interface AuditLag {
  /** For how long the oldest event without a position has waited. Null: not read yet. */
  waitingSeconds: number | null;
  /** The seconds since the witness last cosigned the log. Null: not read yet, or there is nothing to cosign. */
  witnessSeconds: number | null;
}

/** Watches whether committed audit events get their positions, and whether the witness cosigns the log. */
export interface AuditAlarm {
  lag(): AuditLag;
  check(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Checks every minute whether audit events wait for their positions, and whether the witness has cosigned the log. Every
 * process does this, because an attacker who wants to hide events can stop the process that sequences. Does not keep the
 * process running.
 */
export function startAuditAlarm({ db, log, clock, config, telemetry }: Runtime): AuditAlarm {
  const pauses = createPauses();
  const { witness } = config.auditLog;
  const startedAt = clock().getTime();
  /** The sizes of the log that the witness has not cosigned, each with the time when this process first saw it. */
  let grown: { size: number; at: number }[] = [];
  let origin: string | null = null;
  const lag: AuditLag = { waitingSeconds: null, witnessSeconds: null };
  const reportBacklog = createRepeatedAlarm(log, backlogMessages);
  const reportWitness = createRepeatedAlarm(log, witnessMessages);
  const endGauges = [
    telemetry?.gauge(backlogGauge, () => lag.waitingSeconds),
    telemetry?.gauge(witnessGauge, () => lag.witnessSeconds),
  ];

  async function check(): Promise<void> {
    try {
      const [row] = await db.query<{ waiting_seconds: number }>(selectBacklog);
      lag.waitingSeconds = row?.waiting_seconds ?? null;
      if (witness !== null) lag.witnessSeconds = await readWitnessSeconds(witness.key);
    } catch (error) {
      log.warn({ err: error }, 'cannot read whether the audit log is behind');
      return;
    }
    const { waitingSeconds, witnessSeconds } = lag;
    reportBacklog(isLate(waitingSeconds), { waitingSeconds });
    reportWitness(isLate(witnessSeconds), { witnessSeconds });
  }

  /**
   * If the witness has never cosigned the log, the time counts from the start of this process. A witness cosigns the same
   * checkpoint again for anyone, so after a new cosignature of an old checkpoint, the time counts from the first entry that
   * the checkpoint does not cover.
   */
  async function readWitnessSeconds(key: string): Promise<number | null> {
    const [row] = await db.query<LogRow>(selectLog);
    if (!row?.note) return null;
    const now = clock().getTime();
    const cosigned = lastCosignature(key, row);
    const size = cosigned?.size ?? 0;
    // A new log after a restore can be shorter.
    if (row.origin !== origin) grown = [];
    origin = row.origin;
    grown = grown.filter((seen) => seen.size > size);
    if (Number(row.size) > Math.max(size, grown.at(-1)?.size ?? 0))
      grown.push({ size: Number(row.size), at: now });
    // Keeps the oldest size, because the alarm compares only the oldest one with the clock.
    if (grown.length > mostSizes) grown.splice(1, 1);
    const since = Math.min(cosigned?.at ?? startedAt, grown[0]?.at ?? now);
    return Math.max(0, Math.floor((now - since) / 1000));
  }

  async function run(): Promise<void> {
    while (await pauses.take(every)) await check();
  }
  const running = run();
  return {
    lag: () => ({ ...lag }),
    check,
    stop: () => {
      pauses.end();
      for (const end of endGauges) end?.();
      return running;
    },
  };
}

const isLate = (seconds: number | null) => seconds !== null && seconds >= alarmSeconds;

const backlogMessages = {
  late: 'audit events have waited for their positions for more than five minutes, so changes to them cannot be noticed; check that a process with `auditSequencer: true` is running, and read its log',
  recovered: 'audit events get their positions again',
};

const witnessMessages = {
  late: 'the witness has not cosigned the audit log for more than five minutes, so the removal of its newest events could go unnoticed; read the warnings in the log of the process with `auditSequencer: true`',
  recovered: 'the witness cosigns the audit log again',
};

const backlogGauge = {
  name: 'latchkey.audit_backlog.age',
  description: 'How long the oldest audit event without a position has waited.',
  unit: 's',
};

const witnessGauge = {
  name: 'latchkey.audit_witness.age',
  description: 'Time since the witness last cosigned the audit log.',
  unit: 's',
};
