import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { AttestationAuthority } from 'latchkey/testing';

/**
 * An attestation authority with its internal function `issue`, with which the software authenticator creates
 * certificates.
 */
export type Issuing = AttestationAuthority & {
  issue(subject: Uint8Array, key: KeyObject, extensions: readonly Uint8Array[]): Uint8Array[];
};

/** The name CN=attest.android.com (DER). */
export const androidName = Buffer.from(
  '301d311b301906035504030c126174746573742e616e64726f69642e636f6d',
  'hex',
);

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Signs metadata with a new key whose certificate chains to the authority. */
export function signEntries(by: AttestationAuthority, entries: readonly object[]): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const x5c = (by as Issuing).issue(androidName, privateKey, []).map(base64);
  const payload = { legalHeader: 'For tests.', no: 1, nextUpdate: '2999-01-01', entries };
  const text = [{ alg: 'ES256', typ: 'JWT', x5c }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}
