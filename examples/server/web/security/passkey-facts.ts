import type { Passkey } from 'latchkey/client';

const transportNames: Record<string, string> = {
  usb: 'USB',
  nfc: 'NFC',
  ble: 'Bluetooth',
  'smart-card': 'smart card',
};

/** Whether the passkey is on a hardware security key, not on a device or in a synced account. */
export const isSecurityKey = ({ transports, backupEligible }: Passkey): boolean =>
  !backupEligible &&
  !transports.includes('internal') &&
  transports.some((transport) => transport in transportNames);

/** Where the passkey is stored, which decides whether it survives the loss of a device. */
export function storageOf(passkey: Passkey): string {
  if (passkey.backedUp) return 'Synced across your devices';
  if (passkey.backupEligible) return 'Only on one device so far, not synced yet';
  if (!isSecurityKey(passkey)) return 'Only on the device it was made on';
  const ways = passkey.transports.flatMap((transport) => transportNames[transport] ?? []);
  return `Only on this security key (${ways.join(', ')})`;
}
