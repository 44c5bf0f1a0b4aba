import type { Runtime } from '../../core/runtime.ts';
import { selectBacklog } from '../store/sequence.ts';
import type { AuditReader } from './read-events.ts';

/** The committed audit events that have no position yet. */
export interface AuditBacklog {
  /** For how long the oldest of them has waited. 0: no event waits. */
  waitingSeconds: number;
}

/** Reads for how long the oldest event has waited for its position. */
export async function readBacklog({ db }: Runtime, _reader: AuditReader): Promise<AuditBacklog> {
  const [row] = await db.query<{ waiting_seconds: number }>(selectBacklog);
  return { waitingSeconds: row?.waiting_seconds ?? 0 };
}
