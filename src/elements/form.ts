import { type Child, h } from './dom.ts';
import { passkeyIcon } from './icons.ts';
import type { Messages } from './messages/en.ts';
import { type ActionButton, actionButton } from './parts.ts';

/** The button of a form that opens the passkey prompt. The slot `submit` replaces its label. */
export const submitButton = (label: string, { waiting }: Messages): ActionButton =>
  actionButton({
    part: 'submit',
    class: 'primary wide',
    type: 'submit',
    icon: passkeyIcon(),
    label: h('slot', { name: 'submit' }, label),
    busyLabel: waiting,
  });

/** A form that calls `submit` instead of sending the form to the server. */
export const form = (submit: () => void, ...children: Child[]): HTMLFormElement =>
  h(
    'form',
    {
      part: 'form',
      novalidate: true,
      onsubmit: (event: Event) => {
        event.preventDefault();
        submit();
      },
    },
    ...children,
  );
