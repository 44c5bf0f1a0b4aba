import type { Passkey } from 'latchkey/client';

const transportsOfKeys = ['usb', 'nfc', 'ble', 'smart-card'];

/** Whether the passkey is on a hardware security key. Other passkeys are on a device or in a password manager. */
export const isSecurityKey = ({ transports, backupEligible }: Passkey): boolean =>
  !backupEligible &&
  !transports.includes('internal') &&
  transports.some((transport) => transportsOfKeys.includes(transport));
