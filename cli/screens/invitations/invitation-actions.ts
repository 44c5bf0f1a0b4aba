import type { CreatedInvitation, Invitation } from 'latchkey';
import { useState } from 'react';
import { useCliContext } from '../../hooks/cli-context.ts';
import { useTask } from '../../hooks/task.ts';
import { recipientOf } from './columns.ts';
import type { InviteAnswers } from './invite-form.tsx';

interface InvitationActions {
  /** Invitations that were created on this screen. Only this map keeps their links. */
  created: ReadonlyMap<string, CreatedInvitation>;
  invite(answers: InviteAnswers): Promise<CreatedInvitation | undefined>;
  revoke(invitation: Invitation): Promise<void>;
}

export function useInvitationActions(refresh: () => void): InvitationActions {
  const { operator } = useCliContext();
  const run = useTask();
  const [created, setCreated] = useState<ReadonlyMap<string, CreatedInvitation>>(new Map());
  return {
    created,
    invite: async (answers) => {
      const created = await run(
        'Creating the invitation…',
        () => operator.invitations.create(answers),
        ({ invitation }) => `Created the invitation for ${recipientOf(invitation)}.`,
      );
      if (created) {
        setCreated((last) => new Map(last).set(created.invitation.id, created));
        refresh();
      }
      return created;
    },
    revoke: async (invitation) => {
      await run(
        'Revoking…',
        () => operator.invitations.revoke(invitation.id),
        () => `Revoked the invitation for ${recipientOf(invitation)}.`,
      );
      refresh();
    },
  };
}
