import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { Explanation } from '../explain.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { ErrorNotice } from './notice.tsx';
import { Bad } from './verdict.tsx';

interface TypedConfirmDialogProps {
  title: string;
  confirm: string;
  /** What the user must type, such as "the username". */
  what: string;
  /** The text that the user must type, such as "ada". */
  expected: string;
  action: { run: () => Promise<void>; busy: boolean; error: unknown };
  words?: Record<string, Explanation>;
  onClose: () => void;
  children: ComponentChildren;
}

/** Asks the user to type a name before a permanent action, so that they read the name first. */
export function TypedConfirmDialog(props: TypedConfirmDialogProps) {
  const { title, confirm, what, expected, action, words, onClose, children } = props;
  const form = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [insisting, setInsisting] = useState(false);
  const matches = typed.trim() === expected;

  const submit = (event: Event) => {
    event.preventDefault();
    setInsisting(true);
    if (matches) void action.run();
    else input.current?.focus();
  };

  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="danger" busy={action.busy}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      <form id={form} onSubmit={submit}>
        <Field
          label={`Type ${what} to confirm: ${expected}`}
          name="confirmation"
          value={typed}
          onValue={setTyped}
          autocomplete="off"
          verbatim
          inputRef={input}
          invalid={insisting && !matches}
          message={insisting && !matches && <Bad>Type {expected} exactly as shown.</Bad>}
        />
      </form>
      <ErrorNotice error={action.error} words={words} />
    </Dialog>
  );
}
