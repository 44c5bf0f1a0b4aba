import type { Passkey } from '../client/index.ts';
import { h } from './dom.ts';
import { passkeyIcon } from './icons.ts';
import { menuButton } from './menu.ts';
import type { Messages } from './messages/en.ts';
import { isSecurityKey, passkeyFacts } from './passkey-facts.ts';
import { keyIcon, phoneIcon, removeIcon, renameIcon } from './passkey-icons.ts';
import { type Naming, renameForm } from './rename-form.ts';

interface CardSettings {
  passkey: Passkey;
  messages: Messages;
  language: string;
  /** Whether the passkey was just added. */
  isNew: boolean;
  /** The name that the user is typing. Undefined: the card shows no form. */
  naming: Naming | undefined;
  startNaming(): void;
  stopNaming(): void;
  rename(label: string, errors: HTMLElement): Promise<void>;
  remove(): void;
}

/** A passkey of the list. The slot `logo-ID`, with the id of the passkey, replaces its icon. */
export function passkeyCard(settings: CardSettings): HTMLElement {
  const { passkey, messages, language, isNew, naming, rename, stopNaming } = settings;
  return h(
    'li',
    { part: `card${isNew ? ' card-new' : ''}`, class: 'card' },
    h(
      'div',
      { part: 'head', class: 'head' },
      h(
        'span',
        { part: `logo${isNew ? ' logo-new' : ''}`, class: 'logo' },
        h('slot', { name: `logo-${passkey.id}` }, deviceIcon(passkey)),
      ),
      h(
        'div',
        {},
        naming
          ? renameForm({ passkey, messages, isNew, naming, rename, stop: stopNaming })
          : h('h3', { part: 'name' }, h('bdi', {}, passkey.label)),
        h('div', { part: 'badges', class: 'badges' }, ...badges(settings)),
      ),
      ...(naming ? [] : menu(settings)),
    ),
    h('div', { part: 'facts', class: 'facts message' }, ...passkeyFacts(passkey, messages, language)),
  );
}

/** The id of the button that opens the menu. */
export const menuId = ({ id }: Passkey): string => `menu-${id}`;

const menu = ({ passkey, messages: { passkeys: words }, startNaming, remove }: CardSettings): HTMLElement[] =>
  menuButton(
    menuId(passkey),
    words.menu.replace('{name}', () => passkey.label),
    [
      { part: 'rename', icon: renameIcon(), label: words.rename, run: startNaming },
      {
        part: 'remove',
        icon: removeIcon(),
        label: words.remove,
        consequence: words.removeConsequence,
        run: remove,
      },
    ],
  );

function badges({ passkey, messages: { passkeys: words }, isNew }: CardSettings): HTMLElement[] {
  const badge = (part: string, text: string) => h('span', { part: `badge ${part}`, class: 'badge' }, text);
  return [
    ...(isNew ? [badge('badge-new', words.isNew)] : []),
    ...(passkey.current ? [badge('badge-current', words.isCurrent)] : []),
    ...(passkey.backedUp ? [badge('badge-synced', words.isSynced)] : []),
    ...(isSecurityKey(passkey) ? [badge('badge-security-key', words.isSecurityKey)] : []),
    ...(passkey.attested ? [badge('badge-attested', words.isAttested)] : []),
  ];
}

function deviceIcon(passkey: Passkey): SVGSVGElement {
  if (isSecurityKey(passkey)) return keyIcon();
  const { transports } = passkey;
  return transports.includes('hybrid') && !transports.includes('internal') ? phoneIcon() : passkeyIcon();
}
