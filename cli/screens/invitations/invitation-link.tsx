import type { CreatedInvitation, Invitation } from 'latchkey';
import type { ReactNode } from 'react';
import { LinkPanel, type LinkPanelLayout } from '../../components/link-panel.tsx';
import { Text } from '../../components/text.tsx';
import { useClock } from '../../hooks/clock.ts';
import { leftWords } from '../../words/times.ts';
import { forWhom } from './columns.ts';

/** The link of an invitation just made, and what becomes of it. */
export function InvitationLink({
  made,
  current,
  layout,
  onToggleQr,
  onClose,
}: {
  made: CreatedInvitation;
  /** As the list has it by now. */
  current: Invitation | undefined;
  layout: LinkPanelLayout;
  onToggleQr: () => void;
  onClose: () => void;
}): ReactNode {
  const { now } = useClock();
  const { status, acceptedBy, expiresAt } = current ?? made.invitation;
  return (
    <LinkPanel
      title={`The link for ${forWhom(made.invitation)}`}
      url={made.url}
      layout={layout}
      onToggleQr={onToggleQr}
      onClose={onClose}
    >
      {status === 'accepted' ? (
        <Text color="green">✓ Accepted{acceptedBy ? ` by ${acceptedBy.username}` : ''}.</Text>
      ) : (
        <Text>
          {status === 'pending'
            ? `Send it on; it serves once, for ${leftWords(expiresAt, now())}.`
            : `It serves no more: ${status}.`}
        </Text>
      )}
      <Text dimColor>It is shown while you are here, and never again.</Text>
    </LinkPanel>
  );
}
