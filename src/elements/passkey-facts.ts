import type { Passkey } from '../client/index.ts';
import { browserName } from './browser-name.ts';
import { type Child, h } from './dom.ts';
import type { Messages } from './messages/en.ts';
import { dayIcon, storageIcon, useIcon } from './passkey-icons.ts';

/** Whether the passkey is on a hardware security key. Other passkeys are on a device or in a password manager. */
export const isSecurityKey = ({ transports, backupEligible }: Passkey): boolean =>
  !backupEligible && !transports.includes('internal') && transports.some(isWay);

const wayNames: Readonly<Record<string, string>> = {
  usb: 'USB',
  nfc: 'NFC',
  ble: 'Bluetooth',
  'smart-card': '',
};
// The transports come from the browser that added the passkey. The operator `in` also finds "constructor".
const isWay = (transport: string) => Object.hasOwn(wayNames, transport);

/** Where the passkey is stored, when and with which browser it was last used, and when it was added. */
export function passkeyFacts(passkey: Passkey, { passkeys: words }: Messages, language: string): Child[] {
  const { provider, label, lastUsedAt, lastUsedUserAgent, createdAt } = passkey;
  const stored = storageOf(passkey, words);
  const browser = browserName(lastUsedUserAgent, words.browserOnSystem);
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const time = (at: string, text: string) =>
    h('time', { datetime: at, title: exact.format(new Date(at)) }, text);
  const fact = (icon: Child, ...text: Child[]) =>
    h('p', { part: 'fact', class: 'fact' }, icon, h('span', {}, ...text));
  /** Replaces `{time}` with an element. */
  const withTime = (text: string, shown: HTMLElement): Child[] =>
    text.split('{time}').flatMap((part, index) => (index === 0 ? [part] : [shown, part]));
  const lastUse = browser ? words.lastUsedWith.replace('{browser}', browser) : words.lastUsed;
  return [
    fact(storageIcon(), provider && provider !== label ? `${provider}. ${stored}` : stored),
    fact(
      useIcon(),
      ...(lastUsedAt
        ? withTime(lastUse, time(lastUsedAt, ago(lastUsedAt, words, language)))
        : [words.notUsed]),
    ),
    fact(dayIcon(), ...withTime(words.added, time(createdAt, day.format(new Date(createdAt))))),
  ];
}

/** Where the passkey is stored. This tells users whether they lose the passkey when they lose a device. */
function storageOf(passkey: Passkey, words: Messages['passkeys']): string {
  if (passkey.backedUp) return words.synced;
  if (passkey.backupEligible) return words.notSynced;
  if (!isSecurityKey(passkey)) return words.onDevice;
  const ways = passkey.transports.filter(isWay);
  return words.onSecurityKey.replace(
    '{ways}',
    ways.map((way) => wayNames[way] || words.smartCard).join(', '),
  );
}

const units: [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "5 minutes ago" or "yesterday". `justNow` for the last minute and for the future. */
function ago(time: string, { justNow }: Messages['passkeys'], language: string): string {
  const seconds = (Date.now() - Date.parse(time)) / 1000;
  const [unit, length] = units.find(([, unitSeconds]) => seconds >= unitSeconds) ?? [];
  if (!unit || !length) return justNow;
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(
    -Math.floor(seconds / length),
    unit,
  );
}
