import type { RecoveryLink, User } from 'latchkey';
import type { ReactNode } from 'react';
import { Confirm, confirmHeight, type Question } from '../../components/confirm.tsx';
import { LinkPanel, linkPanelLayout } from '../../components/link-panel.tsx';
import { Text } from '../../components/text.tsx';
import { useCliContext } from '../../hooks/cli-context.ts';
import { useClock } from '../../hooks/clock.ts';
import type { Size } from '../../hooks/terminal-size.ts';
import { timeLeft } from '../../words/times.ts';
import { ChooseRole, chooseRoleHeight } from './choose-role.tsx';
import type { userQuestions } from './user-questions.ts';

export type DialogState =
  | { what: 'role' }
  | { what: 'confirm'; question: Question }
  | { what: 'link'; link: RecoveryLink; wantsQr: boolean };

export function UserDialog({
  dialog,
  user,
  room,
  questions,
  onDialog,
}: {
  dialog: DialogState;
  user: User;
  room: Size;
  questions: ReturnType<typeof userQuestions>;
  onDialog: (dialog: DialogState | null) => void;
}): ReactNode {
  const { now } = useClock();
  const { features } = useCliContext();
  const close = () => onDialog(null);
  if (dialog.what === 'role')
    return (
      <ChooseRole
        username={user.username}
        current={user.role}
        features={features}
        onChoose={(role) => onDialog({ what: 'confirm', question: questions.changeRole(role) })}
        onCancel={close}
      />
    );
  if (dialog.what === 'confirm') return <Confirm question={dialog.question} onClose={close} />;
  const { link, wantsQr } = dialog;
  return (
    <LinkPanel
      title={`Recovery link for ${user.username}`}
      url={link.url}
      layout={linkPanelLayout(link.url, room, wantsQr)}
      onToggleQr={() => onDialog({ ...dialog, wantsQr: !wantsQr })}
      onClose={close}
    >
      <Text>{linkAdvice(link, now())}</Text>
      <Text dimColor>The link is shown only once.</Text>
    </LinkPanel>
  );
}

function linkAdvice({ usableAt, expiresAt }: RecoveryLink, now: Date): string {
  const waits = Date.parse(usableAt) > now.getTime();
  const when = waits
    ? `starts to work in ${timeLeft(usableAt, now)}`
    : `is valid for ${timeLeft(expiresAt, now)}`;
  return `Send the link only to this user. It is single-use and ${when}.`;
}

export function userDialogHeight(dialog: DialogState | null, room: Size): number {
  if (!dialog) return 0;
  if (dialog.what === 'role') return chooseRoleHeight;
  if (dialog.what === 'confirm') return confirmHeight;
  return linkPanelLayout(dialog.link.url, room, dialog.wantsQr).height;
}
