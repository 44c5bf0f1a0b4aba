import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  title: string;
  /** Escape was pressed, or the backdrop was clicked. The parent decides whether to close the dialog. */
  onClose: () => void;
  wide?: boolean;
  children: ComponentChildren;
  actions: ComponentChildren;
}

/** A modal dialog, open while it is rendered. The browser keeps the focus in it, and restores the focus afterwards. */
export function Dialog({ title, onClose, wide, children, actions }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Escape, through onCancel
    <dialog
      ref={dialog}
      class={`dialog${wide ? ' dialog--wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A second Escape closes the dialog even if onCancel prevents it.
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
