import { expectParts, type Send, withQuery } from './requests.ts';
import type { AuditEvent, Page, PageRequest } from './types.ts';

export interface AuditFilters {
  /** A full name, "user.disable", or all of a noun, "user.". */
  event?: string | undefined;
  /** The id of who did it. */
  actor?: string | undefined;
  /** The id of whom or what it was about. */
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
 * The audit log: for a superadmin all of it, for an administrator what happened in the organizations whose admin
 * they are, and to the members of those.
 */
export interface AuditClient {
  /** A page of it, newest first. */
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
