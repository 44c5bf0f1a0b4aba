import { createHash } from 'node:crypto';
import { type Bytes, fromUtf8 } from './bytes.ts';
import type { ClientDataTampering } from './tampering.ts';

interface ClientData {
  type: 'webauthn.create' | 'webauthn.get';
  /** base64url, as in the options. */
  challenge: string;
  origin: string;
}

/** Serializes the client data as a browser does, with members in the order of WebAuthn Level 3, 5.8.1.1. */
export function encodeClientData(honest: ClientData, tampering: ClientDataTampering | undefined): Bytes {
  const { type, challenge, origin } = honest;
  const collected = { type, challenge, origin, crossOrigin: false };
  const sent = tamperedClientData(collected, tampering);
  return typeof sent === 'string' ? fromUtf8(sent) : new Uint8Array(sent);
}

/** A signature covers this hash. The input must be the exact bytes of the response (WebAuthn Level 3, 6.3.3). */
export function hashClientData(clientDataJSON: Uint8Array): Bytes {
  return new Uint8Array(createHash('sha256').update(clientDataJSON).digest());
}

function tamperedClientData(collected: object, tampering: ClientDataTampering = {}): string | Uint8Array {
  if (typeof tampering === 'string' || tampering instanceof Uint8Array) return tampering;
  if (typeof tampering === 'function') return tampering(JSON.stringify(collected));
  return JSON.stringify({ ...collected, ...tampering });
}
