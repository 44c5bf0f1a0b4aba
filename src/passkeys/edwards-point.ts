import { ed25519 } from '@noble/curves/ed25519.js';

/**
 * Refuses bytes that are no point of Ed25519, and points of small order: any signature verifies under one of them.
 * Node imports them all.
 *
 * @throws Error
 */
export function assertGoodEdwardsPoint(base64url: string): void {
  const point = ed25519.Point.fromBytes(Uint8Array.from(Buffer.from(base64url, 'base64url')));
  if (point.isSmallOrder()) throw new Error('a point of small order');
}
