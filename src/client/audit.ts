import { expectParts, type Send, withQuery } from './requests.ts';
import type { AuditEvent, Page, PageRequest } from './types.ts';

/** Filters of the audit log. A filter that is not set matches every event. */
export interface AuditFilters {
  /** An event name, such as `user.disable`, or an event prefix that ends with a dot, such as `user.` */
  event?: string | undefined;
  /** The id of the user who acted. */
  actorId?: string | undefined;
  /** The id of the user, passkey, session, invitation or organization that the event is about. */
  targetId?: string | undefined;
  /** The id of the organization that the event belongs to. */
  organizationId?: string | undefined;
  outcome?: AuditEvent['outcome'] | undefined;
  /** The start of the time range, inclusive. RFC 3339. */
  from?: string | undefined;
  /** The end of the time range, exclusive. RFC 3339. */
  to?: string | undefined;
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
   * Returns a URL for a link that downloads the events as newline-delimited JSON, oldest first. Sends no request. When
   * the user follows the link, the browser sends the session cookie.
   */
  exportUrl(filters?: AuditFilters): string;
}

export const auditClient = (send: Send, baseUrl: string): AuditClient => ({
  async list(filters = {}, { signal } = {}) {
    const answer = await send('GET', withQuery('/admin/audit', filters), { signal });
    return expectParts<AuditPage>(answer, 'events', 'nextCursor');
  },
  exportUrl(filters = {}) {
    return withQuery(`${baseUrl.replace(/\/+$/, '')}/admin/audit/export`, filters);
  },
});
