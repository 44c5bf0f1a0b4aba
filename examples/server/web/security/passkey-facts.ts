import type { Passkey } from 'latchkey/client';

const transportNames: Record<string, string> = {
  usb: 'USB',
  nfc: 'NFC',
  ble: 'Bluetooth',
  'smart-card': 'smart card',
};

/** Whether the passkey is on a hardware security key. Other passkeys are on a device or in a password manager. */
export const isSecurityKey = ({ transports, backupEligible }: Passkey): boolean =>
  !backupEligible &&
  !transports.includes('internal') &&
  transports.some((transport) => transport in transportNames);

/** Where the passkey is stored. This tells users whether they lose the passkey when they lose a device. */
export function storageOf(passkey: Passkey): string {
  if (passkey.backedUp) return 'Synced across your devices';
  if (passkey.backupEligible) return 'Only on one device so far, not synced yet';
  if (!isSecurityKey(passkey)) return 'Only on the device that created it';
  const ways = passkey.transports.flatMap((transport) => transportNames[transport] ?? []);
  return `Only on this security key (${ways.join(', ')})`;
}
