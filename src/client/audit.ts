import { clientError } from './errors.ts';
import { expectParts, type Send, withQuery } from './requests.ts';
import type { AuditEvent, Impersonator, Page, PageRequest } from './types.ts';

/** Filters of the audit log. A filter that is not set matches every event. */
export interface AuditFilters {
  /**
   * Event names, such as `user.disable`. A prefix that ends with a dot, such as `user.`, matches all events that start
   * with it.
   */
  event?: string | readonly string[] | undefined;
  /** The id of the user who acted. */
  actorId?: string | undefined;
  /** The id of the superadmin who acted as another user. */
  impersonatorId?: string | undefined;
  /** The id of the user, passkey, session, invitation, organization or webhook that the event is about. */
  targetId?: string | undefined;
  /** The id of the organization that the event belongs to. */
  organizationId?: string | undefined;
  outcome?: AuditEvent['outcome'] | undefined;
  /** The start of the time range, inclusive. RFC 3339. */
  from?: string | undefined;
  /** The end of the time range, exclusive. RFC 3339. */
  to?: string | undefined;
}

/** Filters of the events of the caller's own account. */
export type OwnEventFilters = Pick<AuditFilters, 'event' | 'outcome' | 'from' | 'to'>;

/** An event of the caller's own account. Contains no personal data of other users, and no names of operators. */
export type OwnEvent = Omit<AuditEvent, 'impersonator'> & {
  impersonator: (Omit<Impersonator, 'name'> & { name: string | null }) | null;
};

/** One page of events of the caller's own account. */
export type OwnEventPage = Page<'events', OwnEvent>;

/** Which events `audit.feed` returns. */
export interface AuditFeedRequest {
  /** A `cursor` of an earlier response. `'end'`: after the last event. Null or absent: from the start of the log. */
  after?: string | null | undefined;
  /** The largest number of events, from 1 to 200. Default: 50. */
  limit?: number | undefined;
  /** How many seconds to wait if there is no event, from 0 to 30. Default: 0. */
  waitSeconds?: number | undefined;
  /** Event names, and prefixes that end with a dot, such as `user.`. Absent: all events. */
  event?: string | readonly string[] | undefined;
}

/** A part of the audit log in the order of the log. */
export interface AuditFeed {
  events: {
    /** The place of the event in the log. */
    cursor: string;
    event: AuditEvent;
  }[];
  /** Pass it as `after` in the next request. Null: the log is empty. */
  cursor: string | null;
}

/** One page of audit events. */
export type AuditPage = Page<'events', AuditEvent>;

/**
 * Reads the audit log.
 *
 * Superadmins see every event. Admins see only events of organizations where they are organization admins. If the actor
 * or the target of an event joined the organization after the event and is a member now, admins do not see the event.
 * Admins do not see events outside of organizations. For example, they see no sign-ins, not even their own. Admins get
 * `ip`, `userAgent` and `requestId` only if the actor is a member of the organization now.
 *
 * @example
 * const { events, nextCursor } = await auth.audit.list({ event: 'user.', limit: 20 });
 */
export interface AuditClient {
  /**
   * Lists events, newest first. Returns an empty page if the caller cannot see any event of the given user or
   * organization.
   *
   * @throws AuthClientError `invalid_request` | `forbidden`
   */
  list(filters?: AuditFilters & PageRequest, options?: { signal?: AbortSignal }): Promise<AuditPage>;
  /**
   * Returns the next events of the whole log, in the order in which the service has numbered them. To follow the log,
   * pass the `cursor` of each response as `after` in the next request. Requests that do so get each event once, also
   * events of transactions that committed late. Only for callers who can read every event.
   *
   * @throws AuthClientError `invalid_request` | `forbidden` | `rate_limited`
   * @throws AuthClientError `log_changed` if the log no longer has the event of the cursor
   * @example
   * let { cursor } = await auth.audit.feed({ after: 'end' });
   * for (;;) {
   *   const page = await auth.audit.feed({ after: cursor, waitSeconds: 30 });
   *   for (const { event } of page.events) show(event);
   *   cursor = page.cursor;
   * }
   */
  feed(request?: AuditFeedRequest, options?: { signal?: AbortSignal }): Promise<AuditFeed>;
  /**
   * Returns a file that proves to others that the audit log contains the event (C2SP tlog-proof). The file contains the
   * event with all fields. `checkAuditProof` of `latchkey` and the command `latchkey audit check-proof` check it with the
   * public key of the log. Only for callers who can read every event.
   *
   * @throws AuthClientError `forbidden`
   * @throws AuthClientError `not_found` if the log has no event with this id, or no entry for it yet (about a second)
   * @example
   * const proof = await auth.audit.proof(event.id);
   * const url = URL.createObjectURL(new Blob([proof], { type: 'text/plain' }));
   */
  proof(eventId: string, options?: { signal?: AbortSignal }): Promise<string>;
  /**
   * Lists the events of the caller's own account, newest first: those in which the caller acted, and those about the
   * account. Every user can call it. If another user caused an event, `ip`, `userAgent` and `requestId` are null. The
   * names of other users are null.
   *
   * @throws AuthClientError `invalid_request` | `not_authenticated`
   * @example const { events } = await auth.audit.listOwn({ event: ['passkey.', 'password.'], limit: 10 });
   */
  listOwn(filters?: OwnEventFilters & PageRequest, options?: { signal?: AbortSignal }): Promise<OwnEventPage>;
  /**
   * Returns a URL that downloads the events, oldest first: as newline-delimited JSON, or as CSV for spreadsheets. Open
   * the URL in the browser at once, for example with `location.assign(url)`. Then the browser sends the session cookie,
   * and writes the response into a file.
   *
   * An export needs fresh authentication, and a download cannot run a step-up. So this method first runs a
   * step-up if the authentication is not fresh. To check this, it requests one user, because this request
   * needs the same rights.
   *
   * @param filters.format default: `ndjson`
   * @throws AuthClientError `forbidden` | `ceremony_canceled`
   * @throws TypeError if the client has a `tokenStore`
   * @example location.assign(await auth.audit.prepareExport({ event: 'user.' }));
   */
  prepareExport(filters?: AuditFilters & { format?: 'ndjson' | 'csv' | undefined }): Promise<string>;
}

/** The first line of a proof (C2SP tlog-proof). */
const proofHeader = 'c2sp.org/tlog-proof@v1\n';

export const auditClient = (send: Send, baseUrl: string, usesTokens: boolean): AuditClient => ({
  async list(filters = {}, { signal } = {}) {
    const answer = await send('GET', withQuery('/admin/audit', filters), { signal });
    return expectParts<AuditPage>(answer, 'events', 'nextCursor');
  },
  async feed({ waitSeconds, ...request } = {}, { signal } = {}) {
    const path = withQuery('/admin/audit/feed', { ...request, wait: waitSeconds });
    return expectParts<AuditFeed>(await send('GET', path, { signal }), 'events', 'cursor');
  },
  async proof(eventId, { signal } = {}) {
    const path = `/admin/audit/${encodeURIComponent(eventId)}/proof`;
    const text = await send('GET', path, { signal, isText: true });
    // A server in front of the service can respond with a page of its own.
    if (typeof text !== 'string' || !text.startsWith(proofHeader)) throw clientError('invalid_response');
    return text;
  },
  async listOwn(filters = {}, { signal } = {}) {
    const answer = await send('GET', withQuery('/account/events', filters), { signal });
    return expectParts<OwnEventPage>(answer, 'events', 'nextCursor');
  },
  async prepareExport(filters = {}) {
    if (usesTokens)
      throw new TypeError('prepareExport: not available with tokenStore, because a download has no token');
    await send('GET', withQuery('/admin/users', { limit: 1 }));
    return withQuery(`${baseUrl.replace(/\/+$/, '')}/admin/audit/export`, filters);
  },
});
