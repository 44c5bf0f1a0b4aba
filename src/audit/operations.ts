import type { Actor } from '../core/actor.ts';
import type { Runtime } from '../core/runtime.ts';
import type { AuditEntry } from './events.ts';
import { type ActorName, recordEvent } from './store.ts';

/** Writes down a refusal. A success is never recorded here: it travels in the statement of its change. */
export async function recordFailure(
  runtime: Runtime,
  actor: Actor,
  entry: Omit<AuditEntry, 'outcome'>,
  proven?: ActorName,
): Promise<void> {
  await runtime.db.query(recordEvent(actor, { ...entry, outcome: 'failure' }, undefined, proven));
}
