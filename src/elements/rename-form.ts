import type { Passkey } from '../client/index.ts';
import { h } from './dom.ts';
import type { Messages } from './messages/en.ts';
import { actionButton } from './parts.ts';

/** A name that the user is typing. */
export interface Naming {
  typed: string;
}

interface RenameSettings {
  passkey: Passkey;
  messages: Messages;
  /** Whether the passkey was just added. If so, the form asks for a name. */
  isNew: boolean;
  naming: Naming;
  /** Shows an error in the container `errors`. Never rejects. */
  rename(label: string, errors: HTMLElement): Promise<void>;
  stop(): void;
}

/** A form in the card of the passkey. Enter saves the name, Escape cancels. */
export function renameForm({ passkey, messages, isNew, naming, rename, stop }: RenameSettings): HTMLElement {
  const { passkeys: words } = messages;
  const id = `name-${passkey.id}`;
  const errors = h('div', { class: 'stack' });
  const save = actionButton({ part: 'save', type: 'submit', label: words.save });
  const cancel = actionButton({ part: 'cancel', class: 'quiet', label: words.cancel, run: stop });
  const input = h('input', {
    part: 'input',
    id,
    name: 'label',
    maxlength: '64',
    required: true,
    dir: 'auto',
    autocomplete: 'off',
    oninput: () => {
      naming.typed = input.value;
    },
  });
  input.value = naming.typed;
  const submit = async () => {
    save.setBusy(true);
    await rename(naming.typed.trim(), errors);
    save.setBusy(false);
  };
  return h(
    'form',
    {
      part: 'rename-form',
      onsubmit: (event: Event) => {
        event.preventDefault();
        if (naming.typed.trim() === '') input.focus();
        else if (save.button.getAttribute('aria-busy') === 'false') void submit();
      },
      onkeydown: (event: KeyboardEvent) => event.key === 'Escape' && stop(),
    },
    h(
      'label',
      { part: 'label', class: isNew ? undefined : 'unseen', for: id },
      isNew ? words.nameNew : words.name.replace('{name}', () => passkey.label),
    ),
    h('div', { part: 'rename-line', class: 'line' }, input, save.button, isNew ? null : cancel.button),
    errors,
  );
}
