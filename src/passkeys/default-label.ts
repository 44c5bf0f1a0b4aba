import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Caller } from '../core/actor.ts';
import { authenticatorName } from './authenticator-names.ts';
import { labelFor } from './rules.ts';
import type { VerifiedRegistration } from './verify-registration.ts';

/** iPadOS sends the User-Agent of a Mac. ChromeOS and Android also send `Linux`. */
const devices: readonly (readonly [sent: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android device'],
  [/\bCrOS\b/, 'Chromebook'],
  [/\bWindows\b/, 'Windows computer'],
  [/\bMac(intosh|OS| OS X)\b/, 'Mac'],
  [/\bLinux\b/, 'Linux computer'],
];

const securityKeyTransports = ['usb', 'nfc', 'ble', 'smart-card'];

/** The label of a passkey, and whether the service chose it. */
export interface ChosenLabel {
  label: string;
  hasDefaultLabel: boolean;
}

/**
 * Returns the label of a new passkey: the label that the user chose, or the name of the provider, of the device or of
 * the kind of authenticator. The service cannot verify these names, so use them only as labels.
 *
 * The browser's device is the passkey's device only if the authenticator is part of the device (WebAuthn 5.4.5).
 *
 * @param given the label that the user chose
 */
export function chooseLabel(
  given: string | undefined,
  { aaguid, transports }: Pick<VerifiedRegistration, 'aaguid' | 'transports'>,
  { authenticatorAttachment }: Pick<RegistrationResponseJSON, 'authenticatorAttachment'>,
  { userAgent }: Pick<Caller, 'userAgent'>,
): ChosenLabel {
  const device = devices.find(
    ([sent]) => authenticatorAttachment === 'platform' && sent.test(userAgent ?? ''),
  );
  const isSecurityKey =
    authenticatorAttachment !== 'platform' &&
    transports.length > 0 &&
    transports.every((transport) => securityKeyTransports.includes(transport));
  const known = authenticatorName(aaguid) ?? device?.[1] ?? (isSecurityKey ? 'Security key' : null);
  return { label: labelFor(given, known), hasDefaultLabel: given === undefined };
}
