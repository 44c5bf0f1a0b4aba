import type { OrganizationInvitation } from 'latchkey/client';
import { useCallback } from 'preact/hooks';
import { auth } from '../auth.ts';
import { useList } from '../use-list.ts';
import type { InvitationStatus } from './invitation-words.ts';

/**
 * The invitations to an organization, newest first.
 *
 * @param status null: every status
 * @param isOn false: the list stays empty and no request is sent
 */
export const useInvitations = (organizationId: string, status: InvitationStatus | null, isOn: boolean) =>
  useList<OrganizationInvitation>(
    useCallback(
      async (cursor, signal) => {
        if (!isOn) return { items: [], nextCursor: null };
        const page = await auth.organizations.invitations.list(
          organizationId,
          { status: status ?? undefined, cursor },
          { signal },
        );
        return { items: page.invitations, nextCursor: page.nextCursor };
      },
      [organizationId, status, isOn],
    ),
  );
