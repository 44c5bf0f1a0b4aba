import { ed25519 } from '@noble/curves/ed25519.js';

/**
 * Rejects an Ed25519 key that is not on the curve or has a small order. Anyone can forge a signature for a key of small
 * order. Node.js accepts any 32 bytes as a key.
 *
 * @throws Error
 */
export function assertNotSmallOrder(base64url: string): void {
  const point = ed25519.Point.fromBytes(Uint8Array.from(Buffer.from(base64url, 'base64url')));
  if (point.isSmallOrder()) throw new Error('the Ed25519 point has a small order');
}
