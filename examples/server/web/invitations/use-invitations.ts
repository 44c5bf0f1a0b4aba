import type { Invitation } from 'latchkey/client';
import { useCallback } from 'preact/hooks';
import { auth } from '../auth.ts';
import { useList } from '../use-list.ts';
import { type InvitationStatus, invitationStatuses } from './invitation-status.ts';

const invitationsPath = '/admin/invitations';

/** What the page shows. The URL contains it, so that other pages can link to it. */
export interface InvitationsQuery {
  /** Null: all. */
  status: InvitationStatus | null;
  /** Whether the form for a new invitation is open, and for which role. */
  isNew: boolean;
  role: Invitation['role'] | null;
}

/** Reads the query of the URL. Ignores invalid values. */
export const readInvitationsQuery = (given: Record<string, string | undefined>): InvitationsQuery => ({
  status: invitationStatuses.find((status) => status === given.status) ?? null,
  isNew: given.new !== undefined,
  role: given.new === 'admin' || given.new === 'user' ? given.new : null,
});

export const invitationsUrl = (status: InvitationStatus | null): string =>
  status === null ? invitationsPath : `${invitationsPath}?status=${status}`;

/** @param managesAll whether to list the invitations of all users. Otherwise, only the caller's user invitations. */
export const useInvitations = (status: InvitationStatus | null, managesAll: boolean) =>
  useList<Invitation>(
    useCallback(
      async (cursor, signal) => {
        const filters = { status: status ?? undefined, cursor };
        const client = managesAll ? auth.invitations : auth.userInvitations;
        const { invitations, nextCursor } = await client.list(filters, { signal });
        return { items: invitations, nextCursor };
      },
      [status, managesAll],
    ),
  );
