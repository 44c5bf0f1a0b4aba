import { type ReactNode, useState } from 'react';
import { useKeys } from '../hooks/keyboard.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import type { KeyHint } from './key-hints.tsx';
import { editLine, lineOf } from './line-editor.ts';
import { Text } from './text.tsx';

export interface Question {
  /** Names the user or invitation, such as `Disable ada?` */
  title: string;
  /** What the action does. */
  consequence: string;
  /** What the operator must type to confirm. */
  typed?: string;
  onYes(): void;
}

export const confirmHeight = 6;

const yesOrNo: KeyHint[] = [
  { keys: 'y', does: 'yes' },
  { keys: 'n esc', does: 'no' },
];
const typeIt: KeyHint[] = [
  { keys: 'enter', does: 'confirm' },
  { keys: 'esc', does: 'cancel' },
];

/** Asks for confirmation. Enter alone never confirms. */
export function Confirm({ question, onClose }: { question: Question; onClose: () => void }): ReactNode {
  return question.typed === undefined ? (
    <YesOrNo question={question} onClose={onClose} />
  ) : (
    <TypeName question={question} name={question.typed} onClose={onClose} />
  );
}

function YesOrNo({ question, onClose }: { question: Question; onClose: () => void }): ReactNode {
  useKeys(
    ({ name }) => {
      if (name === 'y' || name === 'Y') question.onYes();
      if (['y', 'Y', 'n', 'N', 'escape', 'q'].includes(name)) onClose();
    },
    { modal: true },
  );
  return (
    <Dialog title={question.title} keys={yesOrNo} color="yellow" height={confirmHeight}>
      <Text>{question.consequence}</Text>
    </Dialog>
  );
}

function TypeName({
  question,
  name: expected,
  onClose,
}: {
  question: Question;
  name: string;
  onClose: () => void;
}): ReactNode {
  const [line, setLine] = useState(lineOf(''));
  const [isWrong, setWrong] = useState(false);
  useKeys(
    (press) => {
      if (press.name === 'escape') return onClose();
      if (press.name === 'enter') {
        if (line.text !== expected) return setWrong(true);
        question.onYes();
        return onClose();
      }
      setWrong(false);
      setLine((last) => editLine(last, press) ?? last);
    },
    { modal: true, typing: true },
  );
  return (
    <Dialog title={question.title} keys={typeIt} color="red" height={confirmHeight}>
      <Text>
        {question.consequence} Type {expected} to confirm.
      </Text>
      <Field label="Username" line={line} isActive>
        {isWrong && <Text color="red">✗ this is not {expected}</Text>}
      </Field>
    </Dialog>
  );
}
