import { X } from 'lucide-static';
import type { ComponentChildren, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../messages/t.tsx';
import { IconButton } from './button.tsx';
import { StepUpStatus } from './step-up-status.tsx';
import { type DialogStepUp, useDialogStepUp } from './use-dialog-step-up.ts';

interface DialogProps {
  title: string;
  /** Called when the user presses Escape or clicks outside the dialog. The parent decides whether to close the dialog. */
  onClose: () => void;
  wide?: boolean;
  /** The dialog confirms the step-up of an action. Hides the dialog behind it, so that only one is visible. */
  isStepUp?: boolean;
  /** Hides the page behind the dialog. */
  isOpaque?: boolean;
  /** What the dialog is about, before its title, such as the avatar of a user. */
  subject?: ComponentChildren;
  /** One line below the title. */
  lead?: ComponentChildren;
  children: ComponentChildren;
  /** The buttons. A function gets the state of the passkey prompt. */
  actions: ComponentChildren | ((stepUp: DialogStepUp) => ComponentChildren);
}

/**
 * A modal dialog that is open while it is rendered. The browser keeps the focus inside the dialog, and restores the focus
 * when the dialog closes. On a phone, it is a sheet at the bottom of the screen.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, wide, isStepUp, isOpaque, subject, lead, children, actions } = props;
  const id = useId();
  const dialog = useModal();
  const stepUp = useDialogStepUp(dialog);
  // Escape first closes the passkey prompt.
  const close = () => (stepUp.isWaiting ? stepUp.abort() : onClose());

  return (
    <dialog
      ref={dialog}
      class={`dialog${wide ? ' dialog--wide' : ''}${isStepUp ? ' dialog--front' : ''}${isOpaque ? ' dialog--opaque' : ''}`}
      aria-labelledby={id}
      {...closingWith(dialog, close)}
    >
      <div class="dialog__panel">
        <div class="dialog__head">
          {subject}
          <div>
            <h2 class="dialog__title" id={id}>
              {title}
            </h2>
            {lead && <p class="dialog__lead">{lead}</p>}
          </div>
        </div>
        <div class="dialog__body">{children}</div>
        <StepUpStatus isWaiting={stepUp.isWaiting} />
      </div>
      <div class="dialog__actions">{typeof actions === 'function' ? actions(stepUp) : actions}</div>
    </dialog>
  );
}

const firstField = '.sheet__body :is(input:not([type=radio], [readonly]), textarea)';

interface SheetProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  actions: ComponentChildren;
}

/** A panel at the side of the screen, for a form that creates something. For confirmations, use a dialog. */
export function Sheet({ title, onClose, children, actions }: SheetProps) {
  const id = useId();
  const dialog = useModal();
  const stepUp = useDialogStepUp(dialog);
  const close = () => (stepUp.isWaiting ? stepUp.abort() : onClose());
  // The browser gives the focus to the close button. The user opened the sheet to fill in the form.
  useLayoutEffect(() => dialog.current?.querySelector<HTMLElement>(firstField)?.focus(), []);
  return (
    <dialog ref={dialog} class="dialog sheet" aria-labelledby={id} {...closingWith(dialog, close)}>
      <div class="sheet__head">
        <h2 class="dialog__title" id={id}>
          {title}
        </h2>
        <IconButton icon={X} label={t('common.close')} onClick={close} />
      </div>
      <div class="sheet__body">
        {children}
        <StepUpStatus isWaiting={stepUp.isWaiting} />
      </div>
      <div class="dialog__actions">{actions}</div>
    </dialog>
  );
}

export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return dialog;
}

export const closingWith = (dialog: RefObject<HTMLDialogElement | null>, close: () => void) => ({
  onCancel: (event: Event) => {
    event.preventDefault();
    close();
  },
  // Sometimes the parent keeps the dialog open after the user pressed Escape. At the next Escape, the browser can
  // close the dialog, although `onCancel` prevents the default action. This handler opens the dialog again.
  onClose: () => dialog.current?.isConnected && dialog.current.showModal(),
  onClick: (event: Event) => event.target === dialog.current && close(),
});
