import { type Child, h, setAttribute, setContent } from './dom.ts';
import type { Explanation } from './explain.ts';
import { attentionIcon, infoIcon } from './icons.ts';

/** A message. Screen readers announce the tone `danger` immediately, and other tones at their next pause. */
export const notice = ({ tone, title, body }: Explanation, action: Child = null): HTMLElement =>
  h(
    'div',
    {
      part: `notice notice-${tone}`,
      class: `notice ${tone}`,
      role: tone === 'danger' ? 'alert' : 'status',
    },
    tone === 'info' ? infoIcon() : attentionIcon(),
    h('div', {}, h('p', { class: 'title' }, title), h('p', {}, body), action),
  );

interface FieldSettings {
  name: string;
  label: string;
  optional?: string | undefined;
  value: string;
  onValue(value: string): void;
  autocomplete: string;
  type?: 'text' | 'password';
  readOnly?: boolean;
  maxLength?: number;
  /** Whether the value is a name, in any writing direction. Otherwise, it is a username or a password. */
  isName?: boolean;
  hint?: Child;
}

/** A field of a form. */
export interface Field {
  row: HTMLElement;
  input: HTMLInputElement;
  /** Shows a message below the field. Screen readers announce it. */
  say(message: Child[], invalid?: boolean): void;
}

export function field(settings: FieldSettings): Field {
  const { name, label, optional, value, onValue, autocomplete, type = 'text', isName = false } = settings;
  const message = h('div', { id: `${name}-message`, part: 'message', class: 'message', role: 'status' });
  const input = h('input', {
    part: 'input',
    id: name,
    name,
    type,
    autocomplete,
    readonly: settings.readOnly,
    maxlength: settings.maxLength?.toString(),
    autocapitalize: isName ? undefined : 'none',
    spellcheck: isName ? undefined : 'false',
    dir: isName ? 'auto' : undefined,
    'aria-describedby': message.id,
    oninput: () => onValue(input.value),
  });
  input.value = value;
  setContent(message, settings.hint ?? null);
  const row = h(
    'div',
    { part: 'field', class: 'field' },
    h(
      'label',
      { part: 'label', for: name },
      label,
      optional ? h('span', { part: 'optional', class: 'optional' }, ` ${optional}`) : null,
    ),
    input,
    message,
  );
  return {
    row,
    input,
    say(content, invalid = false) {
      setContent(message, ...content);
      setAttribute(input, 'aria-invalid', invalid ? 'true' : undefined);
    },
  };
}

interface ButtonSettings {
  part: string;
  class?: string;
  type?: 'button' | 'submit';
  icon?: Child;
  label: Child;
  /** The text while the action runs. Default: the label. */
  busyLabel?: string;
  run?: () => void;
}

/** A button that keeps the focus and ignores clicks while its action runs. */
export interface ActionButton {
  button: HTMLButtonElement;
  /** The element in which screen readers find the text while the action runs. */
  status: HTMLElement;
  setBusy(busy: boolean): void;
}

export function actionButton(settings: ButtonSettings): ActionButton {
  const { part, label, icon = null, busyLabel, run } = settings;
  const idle = h('span', {}, label);
  const waiting = h('span');
  const status = h('div', { class: 'unseen', role: 'status' });
  const spinner = h('span', { part: 'spinner', class: 'spinner', hidden: true });
  const image = icon && h('slot', { name: 'icon' }, icon);
  const button = h(
    'button',
    {
      part: `button ${part}`,
      class: settings.class,
      type: settings.type ?? 'button',
      'aria-busy': 'false',
      onclick: (event: Event) => {
        if (button.getAttribute('aria-busy') === 'true') event.preventDefault();
        else run?.();
      },
    },
    spinner,
    image,
    idle,
    waiting,
  );
  return {
    button,
    status,
    setBusy(busy) {
      const text = busy ? (busyLabel ?? null) : null;
      setAttribute(button, 'aria-busy', `${busy}`);
      setAttribute(button, 'aria-disabled', busy ? 'true' : undefined);
      spinner.hidden = !busy;
      if (image instanceof HTMLElement) image.hidden = busy;
      idle.hidden = text !== null;
      setContent(waiting, text);
      setContent(status, text);
    },
  };
}
