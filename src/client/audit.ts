import { expectParts, type Send, withQuery } from './requests.ts';
import type { AuditEvent, Page, PageRequest } from './types.ts';

/** Filters of the audit log. An absent filter matches every event. */
export interface AuditFilters {
  /** A full event name (`user.disable`), or a prefix that ends with a dot (`user.`). */
  event?: string | undefined;
  /** The id of the user who acted. */
  actorId?: string | undefined;
  /** The id of the user or resource that the event is about. */
  targetId?: string | undefined;
  /** The id of the organization that the event belongs to. */
  organizationId?: string | undefined;
  outcome?: AuditEvent['outcome'] | undefined;
  /** The start of the time range, RFC 3339, inclusive. */
  from?: string | undefined;
  /** The end of the time range, RFC 3339, exclusive. */
  to?: string | undefined;
}

/** One page of audit events. */
export type AuditPage = Page<'events', AuditEvent>;

/**
 * Reads the audit log.
 *
 * Superadmins see every event. Admins see the events of the organizations they manage. An event from before its actor or
 * target joined the organization is hidden while that user is a member. Admins do not see events outside of
 * organizations, such as sign-ins, even their own. Admins see IP addresses and user agents of members only.
 *
 * @example
 * const { events, nextCursor } = await auth.audit.list({ event: 'user.', limit: 20 });
 */
export interface AuditClient {
  /**
   * Lists events, newest first. Returns an empty page if the filtered user or organization is outside the caller's
   * scope.
   *
   * @throws AuthClientError `invalid_request` | `forbidden`
   */
  list(filters?: AuditFilters & PageRequest, options?: { signal?: AbortSignal }): Promise<AuditPage>;
  /**
   * Returns the URL of an export for a plain link: newline-delimited JSON, oldest first. The browser sends the session
   * cookie with the link.
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
