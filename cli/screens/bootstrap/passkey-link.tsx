import type { RecoveryLink, User } from 'latchkey';
import { type ReactNode, useState } from 'react';
import { LinkPanel, linkPanelLayout } from '../../components/link-panel.tsx';
import { Text } from '../../components/text.tsx';
import { useCliContext } from '../../hooks/cli-context.ts';
import { useRoom } from '../../hooks/terminal-size.ts';
import { useAwaitedPasskey } from './awaited-passkey.ts';
import { WaitingLine } from './waiting-line.tsx';

/**
 * Shows the link that lets a superadmin add a passkey. Until the superadmin has added a passkey, the operator can
 * repeat the bootstrap to get a new link.
 */
export function PasskeyLink({
  user: { username },
  link: { url, expiresAt },
  onBack,
}: {
  user: User;
  link: RecoveryLink;
  onBack: () => void;
}): ReactNode {
  const { operator } = useCliContext();
  const room = useRoom();
  const [wantsQr, setWantsQr] = useState(false);
  const isDone = async () => (await operator.users.get(username)).user.passkeyCount > 0;
  const awaited = { username, expiresAt, isDone };
  const waiting = useAwaitedPasskey(awaited);
  return (
    <LinkPanel
      title={`${username}: open this link on the device that will hold the passkey`}
      url={url}
      layout={linkPanelLayout(url, room, wantsQr && waiting.end === null)}
      onToggleQr={() => setWantsQr((last) => !last)}
      onClose={onBack}
      isFirst
    >
      <WaitingLine awaited={awaited} waiting={waiting} />
      {waiting.end === 'done' && (
        <Text>Next: add a second passkey, create recovery codes, make another user a superadmin.</Text>
      )}
    </LinkPanel>
  );
}
