import { CeremonyError } from './refusal.ts';

/** The members of CollectedClientData (WebAuthn 5.8.1) that are looked at before or beside the library's check. */
export interface ClientData {
  challenge?: unknown;
  crossOrigin?: unknown;
  topOrigin?: unknown;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes clientDataJSON; null where it is not a JSON object. Further members are tolerated, as 5.8.1 asks. */
export function readClientData(clientDataJSON: string): ClientData | null {
  try {
    const decoded: unknown = JSON.parse(strictUtf8.decode(Buffer.from(clientDataJSON, 'base64url')));
    return typeof decoded === 'object' && decoded !== null && !Array.isArray(decoded) ? decoded : null;
  } catch {
    return null;
  }
}

/**
 * The challenge of a ceremony, for the library to find the same; refuses one that ran inside another site's frame (7.1
 * step 10, 7.2 step 13). The library lets `crossOrigin: true` pass when the browser sends no topOrigin, and does not
 * look at either in a registration.
 *
 * @throws CeremonyError `cross_origin`
 */
export function challengeOfOwnPage({ challenge, crossOrigin, topOrigin }: ClientData): string {
  if (crossOrigin !== undefined && crossOrigin !== false) throw new CeremonyError('cross_origin');
  if (topOrigin !== undefined) throw new CeremonyError('cross_origin');
  return `${challenge}`;
}
