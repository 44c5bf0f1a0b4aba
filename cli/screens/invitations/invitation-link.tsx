import type { CreatedInvitation, Invitation } from 'latchkey';
import type { ReactNode } from 'react';
import { LinkPanel, type LinkPanelLayout } from '../../components/link-panel.tsx';
import { Text } from '../../components/text.tsx';
import { useClock } from '../../hooks/clock.ts';
import { timeLeft } from '../../words/times.ts';

/** Shows the link of a new invitation, and the status of the invitation. */
export function InvitationLink({
  created,
  current,
  layout,
  onToggleQr,
  onClose,
}: {
  created: CreatedInvitation;
  /** The invitation as the list shows it now. Undefined if the list does not contain it. */
  current: Invitation | undefined;
  layout: LinkPanelLayout;
  onToggleQr: () => void;
  onClose: () => void;
}): ReactNode {
  const { now } = useClock();
  const { status, acceptedBy, expiresAt } = current ?? created.invitation;
  return (
    <LinkPanel
      title={`Invitation link for ${created.invitation.username ?? 'anyone'}`}
      url={created.url}
      layout={layout}
      onToggleQr={onToggleQr}
      onClose={onClose}
    >
      {status === 'accepted' ? (
        <Text color="green">✓ Accepted{acceptedBy ? ` by ${acceptedBy.username}` : ''}.</Text>
      ) : (
        <Text>
          {status === 'pending'
            ? `Send the link to the new admin. It is single-use and valid for ${timeLeft(expiresAt, now())}.`
            : `The invitation is ${status}, so the link no longer works.`}
        </Text>
      )}
      <Text dimColor>The link is shown only until you leave this screen.</Text>
    </LinkPanel>
  );
}
