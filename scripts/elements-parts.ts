import { readdirSync, readFileSync } from 'node:fs';
import { variables } from '../src/elements/variables.ts';
import { table } from './markdown.ts';

/** What each variable sets. */
const uses: Record<keyof typeof variables, string> = {
  font: 'font family',
  'font-size': 'size of the text',
  'font-weight': 'weight of labels and buttons',
  radius: 'radius of fields, buttons and messages; cards and dialogs use a multiple of it',
  'control-height': 'minimum height of fields and buttons',
  gap: 'distance between the rows of a form',
  accent: 'main buttons, links, focus',
  'accent-hover': 'main buttons under the pointer',
  'on-accent': 'text on main buttons',
  surface: 'fields, other buttons, cards, dialogs',
  hover: 'other buttons under the pointer, badges',
  text: 'text',
  'text-muted': 'hints and details',
  line: 'borders of buttons, cards and dialogs',
  'control-line': 'borders of fields',
  success: 'message about an available username',
  info: 'icon and border of information',
  'info-surface': 'background of information',
  warning: 'icon and border of warnings',
  'warning-surface': 'background of warnings',
  danger: 'icon and border of errors, and buttons that remove',
  'danger-surface': 'background of errors, and text on buttons that remove',
};

const variablesTable = (): string =>
  table(
    ['Variable', 'Default', 'Use'],
    Object.entries(variables).map(([name, value]) => [
      `\`--latchkey-${name}\``,
      `\`${value.replaceAll('--_', '--latchkey-')}\``,
      uses[name as keyof typeof variables],
    ]),
  );

/** What each part is. */
const parts: Readonly<Record<string, string>> = {
  form: 'a form',
  'rename-form': 'the form that renames a passkey',
  field: 'a field with its label and its message',
  label: 'a label',
  optional: '"(optional)" in a label',
  input: 'an input',
  message: 'the text below an input',
  button: 'every button',
  submit: 'the button that signs in or signs up',
  confirm: 'the main button of a dialog',
  cancel: 'the button that closes a dialog or a form',
  add: 'the button that adds a passkey',
  rename: 'the menu item that opens the form for the name',
  'rename-line': 'the input and the buttons of the form for the name',
  save: 'the button that saves the name',
  remove: 'the menu item that opens the dialog for the removal',
  retry: 'the button that loads the list again',
  'menu-button': 'the button that opens the menu of a passkey',
  menu: 'the menu of a passkey',
  'menu-item': 'every item of a menu',
  'menu-label': 'the label of a menu item',
  'menu-consequence': 'what a menu item changes',
  icon: 'an icon',
  spinner: 'the animation while an action runs',
  notice: 'every message about an action that failed or was canceled',
  'notice-info': 'a message that is not about an error, for example after the user canceled',
  'notice-warning': 'a warning, for example about too many attempts',
  'notice-danger': 'an error, for example an unreachable server',
  list: 'the list of passkeys',
  empty: 'the text that replaces an empty list',
  card: 'a passkey',
  'card-new': 'a passkey that was just added',
  head: 'the icon, the name, the badges and the menu button of a passkey',
  logo: 'the icon of a passkey',
  'logo-new': 'the icon of a passkey that was just added',
  name: 'the name of a passkey',
  badges: 'the badges of a passkey',
  badge: 'every badge',
  'badge-new': '"New"',
  'badge-current': '"This device"',
  'badge-synced': '"Synced"',
  'badge-security-key': '"Security key"',
  'badge-attested': '"Attested"',
  facts: 'the details of a passkey',
  fact: 'every detail of a passkey',
  dialog: 'a dialog',
  panel: 'the content of a dialog',
  title: 'the title of a dialog',
  actions: 'the buttons of a dialog',
  consequences: 'what the removal of a passkey changes',
};

/** @throws Error if `parts` does not describe a part of the elements, or describes a part that no element has */
function partsTable(): string {
  const found = partsInCode();
  const missing = [...found].filter((name) => !(name in parts));
  const unknown = Object.keys(parts).filter((name) => !found.has(name));
  if (missing.length + unknown.length > 0)
    throw new Error(`scripts/elements-parts.ts: add ${missing.join(', ')}; remove ${unknown.join(', ')}`);
  return table(
    ['Part', 'What it is'],
    Object.entries(parts).map(([name, meaning]) => [`\`${name}\``, meaning]),
  );
}

function partsInCode(): Set<string> {
  const folder = 'src/elements';
  const code = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
    .join('\n')
    .replace(/\$\{tone\}/, 'info notice-warning notice-danger')
    .replace(/\$\{isNew \? '([ \w-]+)' : ''\}/g, '$1');
  const named = [...code.matchAll(/\bpart: ['`]([\w ${}-]+)['`]/g)].map(([, names = '']) => names);
  const made = [...code.matchAll(/\bbadge\('([\w-]+)'/g)].map(([, name = '']) => name);
  return new Set(
    [...named, ...made].flatMap((names) => names.split(' ')).filter((name) => !name.includes('$')),
  );
}

/** The generated parts of docs/guides/elements.md. */
export const elementsParts = (): Record<string, string> => ({
  variables: variablesTable(),
  parts: partsTable(),
});
