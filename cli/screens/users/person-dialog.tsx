import type { RecoveryLink, User } from 'latchkey';
import type { ReactNode } from 'react';
import { Confirm, confirmHeight, type Question } from '../../components/confirm.tsx';
import { LinkPanel, linkPanelLayout } from '../../components/link-panel.tsx';
import { Text } from '../../components/text.tsx';
import { useClock } from '../../hooks/clock.ts';
import type { Size } from '../../hooks/terminal-size.ts';
import { leftWords } from '../../words/times.ts';
import { ChooseRole, chooseRoleHeight } from './choose-role.tsx';
import type { personQuestions } from './person-questions.ts';

/** What is being done to a person, besides looking. */
export type Doing =
  | { what: 'role' }
  | { what: 'asking'; question: Question }
  | { what: 'link'; link: RecoveryLink; wantsQr: boolean };

export function PersonDialog({
  doing,
  user,
  room,
  questions,
  onDoing,
}: {
  doing: Doing;
  user: User;
  room: Size;
  questions: ReturnType<typeof personQuestions>;
  onDoing: (doing: Doing | null) => void;
}): ReactNode {
  const { now } = useClock();
  const close = () => onDoing(null);
  if (doing.what === 'role')
    return (
      <ChooseRole
        username={user.username}
        current={user.role}
        onChoose={(role) => onDoing({ what: 'asking', question: questions.changeRole(role) })}
        onCancel={close}
      />
    );
  if (doing.what === 'asking') return <Confirm question={doing.question} onClose={close} />;
  const { link, wantsQr } = doing;
  return (
    <LinkPanel
      title={`Recovery link for ${user.username}`}
      url={link.url}
      layout={linkPanelLayout(link.url, room, wantsQr)}
      onToggleQr={() => onDoing({ ...doing, wantsQr: !wantsQr })}
      onClose={close}
    >
      <Text>{linkAdvice(link, now())}</Text>
      <Text dimColor>It is shown once.</Text>
    </LinkPanel>
  );
}

function linkAdvice({ usableAt, expiresAt }: RecoveryLink, now: Date): string {
  const waits = Date.parse(usableAt) > now.getTime();
  const when = waits ? `in ${leftWords(usableAt, now)}` : `for ${leftWords(expiresAt, now)}`;
  return `Give it to the user only. It works once, ${when}.`;
}

export function personDialogHeight(doing: Doing | null, room: Size): number {
  if (!doing) return 0;
  if (doing.what === 'role') return chooseRoleHeight;
  if (doing.what === 'asking') return confirmHeight;
  return linkPanelLayout(doing.link.url, room, doing.wantsQr).height;
}
