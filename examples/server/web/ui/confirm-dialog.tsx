import { UserRoundKey } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { Explanation } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { ErrorNotice } from './notice.tsx';
import { StepUpNote, useStepUpNext } from './step-up-note.tsx';
import type { DialogStepUp } from './use-dialog-step-up.ts';
import { Bad } from './verdict.tsx';

interface ConfirmDialogProps {
  title: string;
  /** The label of the confirming button. */
  confirm: string;
  danger?: boolean | undefined;
  /** What the dialog is about, such as the avatar of a user. */
  subject?: ComponentChildren;
  lead?: ComponentChildren;
  /** Whether the action asks for the passkey if the user has not confirmed recently. Default: true. */
  asksForPasskey?: boolean;
  /** A name that the user must type before a permanent action, so that they read the name first. */
  typed?: {
    /** What the user types, as the object of a sentence, such as "the username". */
    what: string;
    /** The text itself, such as "ada". */
    expected: string;
  };
  action: { run: () => Promise<void>; busy: boolean; error: unknown };
  /** The dialog's own explanations of errors. The keys are the codes or the reasons of the errors. */
  words?: Record<string, Explanation> | undefined;
  onClose: () => void;
  children?: ComponentChildren;
}

/** Asks the user to confirm an action. Its button also starts the passkey prompt, if the action needs one. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirm, danger = false, action, words, typed, subject, lead, onClose, children } = props;
  const form = useId();
  const input = useRef<HTMLInputElement>(null);
  const [given, setGiven] = useState('');
  const [insisting, setInsisting] = useState(false);
  const stepUpNext = useStepUpNext(props.asksForPasskey ?? true);
  const isMissing = typed !== undefined && given.trim() !== typed.expected;

  const submit = (event: Event) => {
    event.preventDefault();
    setInsisting(true);
    if (isMissing) input.current?.focus();
    else void action.run();
  };

  const buttons = ({ isWaiting, abort }: DialogStepUp) => (
    <>
      <Button onClick={isWaiting ? abort : onClose}>{t('common.cancel')}</Button>
      <Button
        type={typed ? 'submit' : 'button'}
        form={typed && form}
        variant={danger ? 'danger' : 'primary'}
        icon={stepUpNext === null ? undefined : UserRoundKey}
        busy={action.busy}
        onClick={typed ? undefined : () => void action.run()}
      >
        {confirm}
      </Button>
    </>
  );

  return (
    <Dialog title={title} subject={subject} lead={lead} onClose={onClose} actions={buttons}>
      {children}
      {typed && (
        <form id={form} onSubmit={submit}>
          <Field
            label={t('common.typeToConfirm', typed)}
            name="confirmation"
            value={given}
            onValue={setGiven}
            autocomplete="off"
            verbatim
            inputRef={input}
            invalid={insisting && isMissing}
            message={insisting && isMissing && <Bad>{t('common.typeExactly', typed)}</Bad>}
          />
        </form>
      )}
      <ErrorNotice error={action.error} words={words} />
      {!action.busy && stepUpNext !== null && <StepUpNote next={stepUpNext} />}
    </Dialog>
  );
}
