import { type ReactNode, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { editLine, lineOf } from '../../components/line-editor.ts';
import { Text } from '../../components/text.tsx';
import { useKeys } from '../../hooks/keyboard.tsx';

export interface InviteAnswers {
  username?: string;
  expiresInHours: number;
}

export const inviteFormHeight = 6;

const hints: KeyHint[] = [
  { keys: 'enter', does: 'invite' },
  { keys: 'tab', does: 'next' },
  { keys: 'esc', does: 'cancel' },
];

/** Asks who can accept an admin invitation, and when it expires. */
export function InviteForm({
  initial,
  onAnswer,
  onCancel,
}: {
  initial: InviteAnswers | null;
  onAnswer: (answers: InviteAnswers) => void;
  onCancel: () => void;
}): ReactNode {
  const [lines, setLines] = useState({
    username: lineOf(initial?.username ?? ''),
    hours: lineOf(String(initial?.expiresInHours ?? 72)),
  });
  const [active, setActive] = useState<'username' | 'hours'>('username');
  const [problem, setProblem] = useState<string | null>(null);
  const finish = () => {
    const expiresInHours = Number(lines.hours.text);
    if (!Number.isInteger(expiresInHours) || expiresInHours < 1 || expiresInHours > 720) {
      setActive('hours');
      return setProblem('enter a whole number from 1 to 720');
    }
    const username = lines.username.text.trim();
    onAnswer(username === '' ? { expiresInHours } : { username, expiresInHours });
  };
  useKeys(
    (press) => {
      if (press.name === 'escape') return onCancel();
      if (press.name === 'enter') return finish();
      if (['tab', 'shift+tab', 'up', 'down'].includes(press.name))
        return setActive(active === 'hours' ? 'username' : 'hours');
      setProblem(null);
      setLines((last) => ({ ...last, [active]: editLine(last[active], press) ?? last[active] }));
    },
    { modal: true, typing: true },
  );
  return (
    <Dialog title="Invite an admin" keys={hints} height={inviteFormHeight}>
      <Field label="Username" line={lines.username} isActive={active === 'username'}>
        {lines.username.text === '' && <Text dimColor>leave empty to let anyone with the link accept</Text>}
      </Field>
      <Field label="Hours" line={lines.hours} isActive={active === 'hours'} width={8}>
        {problem ? <Text color="red">✗ {problem}</Text> : <Text dimColor>until the link expires</Text>}
      </Field>
    </Dialog>
  );
}
