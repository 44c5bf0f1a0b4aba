import type { RecoveryLink, User } from 'latchkey';
import { type ReactNode, useState } from 'react';
import { LinkPanel, linkPanelLayout } from '../../components/link-panel.tsx';
import { Text } from '../../components/text.tsx';
import { useDesk } from '../../hooks/desk-context.ts';
import { useRoom } from '../../hooks/terminal-size.ts';
import { useAwaitedPasskey } from './awaited-passkey.ts';
import { WaitingLine } from './waiting-line.tsx';

/** The way in of a superadmin without a password. Who leaves before it was used may bootstrap again. */
export function PasskeyLink({
  user: { username },
  link: { url, expiresAt },
  onBack,
}: {
  user: User;
  link: RecoveryLink;
  onBack: () => void;
}): ReactNode {
  const { operator } = useDesk();
  const room = useRoom();
  const [wantsQr, setWantsQr] = useState(false);
  const isDone = async () => (await operator.users.inspect(username)).user.passkeyCount > 0;
  const awaited = { username, expiresAt, isDone };
  const waiting = useAwaitedPasskey(awaited);
  return (
    <LinkPanel
      title={`${username}: open this link where the passkey is to be`}
      url={url}
      layout={linkPanelLayout(url, room, wantsQr && waiting.end === null)}
      onToggleQr={() => setWantsQr((last) => !last)}
      onClose={onBack}
      isFirst
    >
      <WaitingLine awaited={awaited} waiting={waiting} />
      {waiting.end === 'done' && <Text>Next: a second passkey, recovery codes, a second superadmin.</Text>}
    </LinkPanel>
  );
}
