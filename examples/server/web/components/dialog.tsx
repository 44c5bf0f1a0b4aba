import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  title: string;
  /** Called when the user presses Escape or clicks outside the dialog. The parent decides whether to close the dialog. */
  onClose: () => void;
  wide?: boolean;
  children: ComponentChildren;
  actions: ComponentChildren;
}

/**
 * A modal dialog that is open while it is rendered. The browser keeps the focus inside the dialog, and restores the focus
 * when the dialog closes.
 */
export function Dialog({ title, onClose, wide, children, actions }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the Escape key closes the dialog through onCancel
    <dialog
      ref={dialog}
      class={`dialog${wide ? ' dialog--wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Sometimes the parent keeps the dialog open after the user pressed Escape. At the next Escape, the browser can
      // close the dialog, although `onCancel` prevents the default action. This handler opens the dialog again.
      onClose={() => dialog.current?.isConnected && dialog.current.showModal()}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="dialog__panel">
        <h2 class="dialog__title" id={id}>
          {title}
        </h2>
        <div class="dialog__body">{children}</div>
        <div class="dialog__actions">{actions}</div>
      </div>
    </dialog>
  );
}
