import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  title: string;
  /** Escape, a click beside it: whoever renders the dialog decides whether it goes. */
  onClose: () => void;
  wide?: boolean;
  children: ComponentChildren;
  actions: ComponentChildren;
}

/** A modal dialog, for as long as it is rendered; the browser keeps the focus in it and gives it back after. */
export function Dialog({ title, onClose, wide, children, actions }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard's way out is Escape, by way of onCancel
    <dialog
      ref={dialog}
      class={`dialog${wide ? ' dialog--wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Pressed twice, Escape closes it whatever the page says.
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
