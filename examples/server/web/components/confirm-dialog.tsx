import type { ComponentChildren } from 'preact';
import type { Explanation } from '../explain.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './notice.tsx';

interface ConfirmDialogProps {
  title: string;
  /** The label of the confirming button. */
  confirm: string;
  danger?: boolean;
  action: { run: () => Promise<void>; busy: boolean; error: unknown };
  /** The dialog's own explanations of errors. The keys are the codes or the reasons of the errors. */
  words?: Record<string, Explanation>;
  onClose: () => void;
  children: ComponentChildren;
}

/** Asks the user to confirm an action. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirm, danger = false, action, words, onClose, children } = props;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={danger ? 'danger' : 'primary'}
            busy={action.busy}
            onClick={() => void action.run()}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      <ErrorNotice error={action.error} words={words} />
    </Dialog>
  );
}
