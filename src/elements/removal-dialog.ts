import type { Passkey } from '../client/index.ts';
import { fill, h } from './dom.ts';
import type { Messages } from './messages/en.ts';
import { actionButton } from './parts.ts';

/**
 * Asks for confirmation. The dialog stays open during the removal, because closing it would not stop the removal.
 *
 * @param remove never rejects
 */
export function removalDialog(
  passkey: Passkey,
  { passkeys: words }: Messages,
  remove: () => Promise<void>,
): HTMLDialogElement {
  let isRunning = false;
  const cancel = actionButton({
    part: 'cancel',
    label: words.cancel,
    run: () => isRunning || dialog.close(),
  });
  const confirm = actionButton({
    part: 'confirm',
    class: 'danger-button',
    label: words.removeConfirm,
    run: () => {
      isRunning = true;
      confirm.setBusy(true);
      void remove().then(() => dialog.close());
    },
  });
  const dialog = h(
    'dialog',
    {
      part: 'dialog',
      'aria-labelledby': 'title',
      oncancel: (event: Event) => isRunning && event.preventDefault(),
      onclose: () => dialog.remove(),
    },
    h(
      'div',
      { part: 'panel', class: 'stack panel' },
      h('h2', { part: 'title', id: 'title' }, words.removeTitle),
      h(
        'ul',
        { part: 'consequences' },
        h('li', {}, ...fill(words.removeBlocks, { name: passkey.label })),
        h('li', {}, words.removeEnds),
        h('li', {}, words.removeStays),
      ),
      h('div', { part: 'actions', class: 'actions' }, cancel.button, confirm.button),
    ),
  );
  return dialog;
}
