import type { Passkey } from 'latchkey/client';
import { KeyRound, Smartphone, UserRoundKey } from 'lucide-static';
import { Icon } from '../icons/icon.tsx';
import { ProviderMark, type ProviderMarkName } from '../icons/provider-marks.tsx';
import { isSecurityKey } from './security-key.ts';

const marks: [RegExp, ProviderMarkName][] = [
  [/1password/i, 'onePassword'],
  [/icloud|apple/i, 'apple'],
  [/bitwarden/i, 'bitwarden'],
  [/dashlane/i, 'dashlane'],
  [/google/i, 'google'],
  [/keepassxc/i, 'keePassXc'],
  [/lastpass/i, 'lastPass'],
  [/proton/i, 'proton'],
  [/yubi/i, 'yubico'],
];

/** The logo of the passkey's provider. For other providers, an icon of the kind of device. */
export function PasskeyMark({ passkey }: { passkey: Passkey }) {
  const mark = marks.find(([pattern]) => pattern.test(passkey.provider ?? ''))?.[1];
  return mark ? <ProviderMark of={mark} /> : <Icon of={deviceOf(passkey)} />;
}

function deviceOf(passkey: Passkey): string {
  if (isSecurityKey(passkey)) return KeyRound;
  return passkey.transports.includes('hybrid') && !passkey.transports.includes('internal')
    ? Smartphone
    : UserRoundKey;
}
