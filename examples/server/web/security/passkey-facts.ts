import type { Passkey } from 'latchkey/client';
import { t } from '../messages/text.ts';

const transportNames: Record<string, () => string> = {
  usb: () => 'USB',
  nfc: () => 'NFC',
  ble: () => 'Bluetooth',
  'smart-card': () => t('passkeys.smartCard'),
};

/** Whether the passkey is on a hardware security key. Other passkeys are on a device or in a password manager. */
export const isSecurityKey = ({ transports, backupEligible }: Passkey): boolean =>
  !backupEligible &&
  !transports.includes('internal') &&
  transports.some((transport) => transport in transportNames);

/** Where the passkey is stored. This tells users whether they lose the passkey when they lose a device. */
export function storageOf(passkey: Passkey): string {
  if (passkey.backedUp) return t('passkeys.storedSynced');
  if (passkey.backupEligible) return t('passkeys.storedNotSynced');
  if (!isSecurityKey(passkey)) return t('passkeys.storedOnDevice');
  const ways = passkey.transports.flatMap((transport) => transportNames[transport]?.() ?? []);
  return t('passkeys.storedOnKey', { ways: ways.join(', ') });
}
