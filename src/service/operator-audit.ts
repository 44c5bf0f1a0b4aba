import type { AuditEvent } from '../audit/event.ts';
import type { AuditEventName, AuditOutcome } from '../audit/event-names.ts';
import type { AuditVerification } from '../audit/log/problem.ts';
import type { AuditCheckpoint } from '../audit/operations/prove-event.ts';
import type { AuditBacklog } from '../audit/operations/read-backlog.ts';
import type { AuditFeed } from '../audit/operations/read-feed.ts';
import type { NewAuditLog } from '../audit/operations/start-new-log.ts';
import type { AuditVerifyOptions } from '../audit/operations/verify-log.ts';
import type { Page, PageRequest } from '../core/page.ts';

/** Filters for the audit log. An event must match every given filter. */
export interface AuditSearch {
  /** An event name, or an event prefix that ends with a dot, such as `passkey.` */
  event?: AuditEventName | `${string}.` | undefined;
  outcome?: AuditOutcome | undefined;
  /** The id of the user who acted. */
  actorId?: string | undefined;
  /** The id of the superadmin who acted as another user. */
  impersonatorId?: string | undefined;
  /** The id of the user or the object that the event is about. */
  targetId?: string | undefined;
  organizationId?: string | undefined;
  /** The start of the period. Includes events at this time. */
  from?: Date | undefined;
  /** The end of the period. Excludes events at this time. */
  to?: Date | undefined;
}

/** Which events `audit.feed` returns. */
export interface OperatorFeedRequest {
  /** A cursor. `'end'`: after the last event. Null or absent: from the start of the log. */
  after?: string | null | undefined;
  /** Event names, and prefixes that end with a dot. Absent: all events. */
  events?: readonly string[] | undefined;
  /** The largest number of events, from 1 to 200. Default: 50. */
  limit?: number | undefined;
}

/** The actions of an operator on the audit log. */
export interface OperatorAudit {
  /** Lists events, newest first. @throws TypeError for an invalid filter */
  list(search?: Partial<PageRequest> & AuditSearch): Promise<Page<'events', AuditEvent>>;
  /**
   * Exports all matching events up to now, oldest first. Returns the events in batches. The audit log records the
   * export as an event.
   *
   * @throws TypeError for an invalid filter
   * @example
   * for await (const events of await auth.asOperator('ops').audit.export({ event: 'passkey.' })) archive(events);
   */
  export(search?: AuditSearch): Promise<AsyncIterable<AuditEvent[]>>;
  /**
   * Returns the next events in the order of the log, for a job that runs now and then. The first events are the oldest
   * in the log. To go on, pass the `cursor` of the last result as `after`. If there is no event after it, the result
   * has the same cursor. A process that stays can use `auth.events` instead.
   *
   * @throws TypeError for an invalid option
   * @throws AuthError `log_changed` if the log no longer has the event of the cursor
   * @example
   * let { events, cursor } = await auth.asOperator('archive').audit.feed({ after: await readCursor() });
   */
  feed(request?: OperatorFeedRequest): Promise<AuditFeed>;
  /**
   * Compares the audit log with its signed checkpoint: every event with its entry, and every entry with the tree. Lists
   * what does not match.
   *
   * @throws TypeError for an invalid option
   * @example
   * const { ok, problems } = await auth.asOperator('ops').audit.verify();
   * @see https://www.rfc-editor.org/rfc/rfc6962#section-2.1
   */
  verify(options?: AuditVerifyOptions): Promise<AuditVerification>;
  /**
   * Returns a file that proves to others that an event is in the audit log. It contains the event. `checkAuditProof`
   * checks it, and needs only the public key.
   *
   * @throws AuthError `not_found` if the audit log has no such event, or no entry for it yet
   * @throws TypeError if `eventId` is not a UUID
   * @example await writeFile('login.tlog-proof', await auth.asOperator('ops').audit.prove(event.id));
   * @see https://c2sp.org/tlog-proof
   */
  prove(eventId: string): Promise<string>;
  /**
   * Returns the newest signed checkpoint, and the public keys of the audit log.
   *
   * @example const { note, keys } = await auth.asOperator('ops').audit.checkpoint();
   * @see https://c2sp.org/tlog-checkpoint
   */
  checkpoint(): Promise<AuditCheckpoint>;
  /**
   * Signs the entries that the database has now as a new log, with another identifier. Use this after you have restored
   * the database from a backup: the service does not continue a log that is older than its signed checkpoint. The audit
   * log records the reason.
   *
   * @param request `reason`: 1 to 200 characters without control characters
   * @throws AuthError `invalid_request` if an entry is missing
   * @throws TypeError for an invalid reason
   * @example await auth.asOperator('ops').audit.startNewLog({ reason: 'restored the backup of Monday' });
   */
  startNewLog(request: { reason: string }): Promise<NewAuditLog>;
  /**
   * Reads for how long the oldest committed event has waited for its position in the log. 0 seconds: no event waits.
   *
   * @example const { waitingSeconds } = await auth.asOperator('ops').audit.backlog();
   */
  backlog(): Promise<AuditBacklog>;
}
