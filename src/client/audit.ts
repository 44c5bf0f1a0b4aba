import { expectParts, type Send, withQuery } from './requests.ts';
import type { AuditEvent, Page, PageRequest } from './types.ts';

export interface AuditFilters {
  /** A full name, "user.disable", or all of a noun, "user.". */
  event?: string | undefined;
  /** The id of the user who did it. */
  actor?: string | undefined;
  /** The id of the user or thing that it was about. */
  target?: string | undefined;
  /** The id of the organization it happened in. */
  organization?: string | undefined;
  outcome?: AuditEvent['outcome'] | undefined;
  /** RFC 3339, inclusive. */
  from?: string | undefined;
  /** RFC 3339, exclusive. */
  to?: string | undefined;
}

export interface AuditPage extends Page {
  events: AuditEvent[];
}

/**
 * The audit log. Superadmins see every event. Admins see the events of the organizations they manage, except those
 * whose actor or target is a current member who had not joined yet. Admins do not see events outside of organizations,
 * such as sign-ins, even their own. Addresses and browsers are shown of members only.
 */
export interface AuditClient {
  /** One page, newest first. A filter by a user or organization out of the reader's scope gives an empty page. */
  list(filters?: AuditFilters & PageRequest, options?: { signal?: AbortSignal }): Promise<AuditPage>;
  /**
   * The address of the same as newline-delimited JSON, oldest first, for a plain link: the browser sends the
   * session's cookie along.
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
