import type { Passkey } from '../client/index.ts';
import { type Child, fill, h } from './dom.ts';
import { passkeyIcon } from './icons.ts';
import type { Messages } from './messages/en.ts';
import { actionButton, field } from './parts.ts';

interface CardSettings {
  passkey: Passkey;
  messages: Messages;
  language: string;
  /** Whether the passkey was just added. */
  isNew: boolean;
  isNaming: boolean;
  startNaming(): void;
  stopNaming(): void;
  rename(label: string): void;
  remove(): void;
}

/** A passkey of the list. The slot `logo-ID`, with the id of the passkey, replaces its icon. */
export function passkeyCard(settings: CardSettings): HTMLElement {
  const { passkey, messages, isNew, isNaming } = settings;
  const { passkeys: words } = messages;
  const badge = (text: string) => h('span', { part: 'badge', class: 'badge' }, text);
  return h(
    'li',
    { part: `card${isNew ? ' card-new' : ''}`, class: 'card' },
    h(
      'div',
      { class: 'line' },
      h('span', { part: 'logo' }, h('slot', { name: `logo-${passkey.id}` }, passkeyIcon())),
      isNaming ? namingForm(settings) : h('h3', { part: 'name' }, h('bdi', {}, passkey.label)),
      isNew ? badge(words.isNew) : null,
      passkey.current ? badge(words.isCurrent) : null,
    ),
    h('div', { part: 'facts', class: 'message' }, ...facts(settings).map((fact) => h('p', {}, fact))),
    isNaming ? null : h('div', { part: 'card-actions', class: 'line' }, ...buttons(settings)),
  );
}

function buttons({ passkey, messages: { passkeys: words }, startNaming, remove }: CardSettings): Child[] {
  const make = (part: string, label: string, full: string, run: () => void) => {
    const { button } = actionButton({ part, class: 'small', label, run });
    button.setAttribute('aria-label', full.replace('{name}', passkey.label));
    button.id = `${part}-${passkey.id}`;
    return button;
  };
  return [
    make('rename', words.rename, words.renameNamed, startNaming),
    make('remove', words.remove, words.removeNamed, remove),
  ];
}

/** Enter saves the name, Escape cancels. */
function namingForm(settings: CardSettings): HTMLElement {
  const { passkey, messages, isNew, rename, stopNaming } = settings;
  const { passkeys: words } = messages;
  let label = passkey.label;
  const name = field({
    name: 'label',
    label: isNew ? words.nameNew : words.name,
    value: label,
    onValue: (value) => {
      label = value;
    },
    autocomplete: 'off',
    maxLength: 64,
    isName: true,
  });
  name.input.required = true;
  const save = actionButton({ part: 'save', class: 'small', type: 'submit', label: words.save });
  const cancel = actionButton({ part: 'cancel', class: 'small', label: words.cancel, run: stopNaming });
  return h(
    'form',
    {
      part: 'rename-form',
      onsubmit: (event: Event) => {
        event.preventDefault();
        rename(label.trim());
      },
      onkeydown: (event: KeyboardEvent) => event.key === 'Escape' && stopNaming(),
    },
    name.row,
    h('div', { class: 'line' }, save.button, cancel.button),
  );
}

function facts({ passkey, messages: { passkeys: words }, language }: CardSettings): string[] {
  const { provider, label, lastUsedAt, createdAt } = passkey;
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const at = (text: string, time: string) => text.replace('{time}', day.format(new Date(time)));
  const stored = storageOf(passkey, words);
  return [
    provider && provider !== label ? `${provider} · ${stored}` : stored,
    lastUsedAt ? at(words.lastUsed, lastUsedAt) : words.notUsed,
    at(words.added, createdAt),
  ];
}

/** Where the passkey is stored. This tells users whether they lose the passkey when they lose a device. */
function storageOf(passkey: Passkey, words: Messages['passkeys']): string {
  const { backedUp, backupEligible, transports } = passkey;
  if (backedUp) return words.synced;
  if (backupEligible) return words.notSynced;
  const isKey =
    !transports.includes('internal') && transports.some((way) => /^(usb|nfc|ble|smart-card)$/.test(way));
  return isKey ? words.onSecurityKey : words.onDevice;
}

/** What the user loses and keeps when the passkey is removed. */
export const removalConsequences = ({ label }: Passkey, { passkeys: words }: Messages): HTMLElement =>
  h(
    'ul',
    { part: 'consequences' },
    h('li', {}, ...fill(words.removeBlocks, { name: label })),
    h('li', {}, words.removeEnds),
    h('li', {}, words.removeStays),
  );
