import { CeremonyError } from './refusal.ts';

/**
 * The members of CollectedClientData (WebAuthn 5.8.1) that Latchkey reads. SimpleWebAuthn checks the other members.
 */
export interface ClientData {
  type?: unknown;
  challenge?: unknown;
  origin?: unknown;
  crossOrigin?: unknown;
  topOrigin?: unknown;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes clientDataJSON. Returns null if it is not a JSON object. Allows unknown members, as WebAuthn 5.8.1 requires.
 */
export function readClientData(clientDataJSON: string): ClientData | null {
  try {
    const decoded: unknown = JSON.parse(strictUtf8.decode(Buffer.from(clientDataJSON, 'base64url')));
    return typeof decoded === 'object' && decoded !== null && !Array.isArray(decoded) ? decoded : null;
  } catch {
    return null;
  }
}

/**
 * Rejects a ceremony that ran in a cross-origin iframe (WebAuthn 7.1 steps 10 and 11, 7.2 steps 13 and 14).
 *
 * SimpleWebAuthn does not check enough. In an assertion, it accepts `crossOrigin: true` without `topOrigin`. In a
 * registration, it checks neither member.
 *
 * @throws CeremonyError `cross_origin`
 */
export function assertNotCrossOrigin({ crossOrigin, topOrigin }: ClientData): void {
  if (crossOrigin !== undefined && crossOrigin !== false) throw new CeremonyError('cross_origin');
  if (topOrigin !== undefined) throw new CeremonyError('cross_origin');
}
