import type { CreatedInvitation, Invitation } from 'latchkey';
import type { ReactNode } from 'react';
import { LinkPanel, type LinkPanelLayout } from '../../components/link-panel.tsx';
import { Text } from '../../components/text.tsx';
import { useClock } from '../../hooks/clock.ts';
import { timeLeft } from '../../words/times.ts';
import { recipientOf } from './columns.ts';

/** The link of a new invitation and its current status. */
export function InvitationLink({
  created,
  current,
  layout,
  onToggleQr,
  onClose,
}: {
  created: CreatedInvitation;
  /** The same invitation in the current list. */
  current: Invitation | undefined;
  layout: LinkPanelLayout;
  onToggleQr: () => void;
  onClose: () => void;
}): ReactNode {
  const { now } = useClock();
  const { status, acceptedBy, expiresAt } = current ?? created.invitation;
  return (
    <LinkPanel
      title={`Invitation link for ${recipientOf(created.invitation)}`}
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
            ? `Send it to the new admin. It is single-use and valid for ${timeLeft(expiresAt, now())}.`
            : `The link no longer works: the invitation is ${status}.`}
        </Text>
      )}
      <Text dimColor>The link is shown only until you leave this screen.</Text>
    </LinkPanel>
  );
}
