import type { CreatedInvitation, Invitation } from 'latchkey';
import { useState } from 'react';
import { useDesk } from '../../hooks/desk-context.ts';
import { useTask } from '../../hooks/task.ts';
import { forWhom } from './columns.ts';
import type { InviteAnswers } from './invite-form.tsx';

interface InvitationActions {
  /** Those made since the screen was opened, with their links: nobody else keeps them. */
  made: ReadonlyMap<string, CreatedInvitation>;
  invite(answers: InviteAnswers): Promise<CreatedInvitation | undefined>;
  revoke(invitation: Invitation): Promise<void>;
}

export function useInvitationActions(refresh: () => void): InvitationActions {
  const { operator } = useDesk();
  const run = useTask();
  const [made, setMade] = useState<ReadonlyMap<string, CreatedInvitation>>(new Map());
  return {
    made,
    invite: async (answers) => {
      const created = await run(
        'Inviting…',
        () => operator.invitations.create(answers),
        ({ invitation }) => `Invited: ${forWhom(invitation)}.`,
      );
      if (created) {
        setMade((last) => new Map(last).set(created.invitation.id, created));
        refresh();
      }
      return created;
    },
    revoke: async (invitation) => {
      await run(
        'Revoking…',
        () => operator.invitations.revoke(invitation.id),
        () => `Revoked the invitation for ${forWhom(invitation)}.`,
      );
      refresh();
    },
  };
}
