import { passkeyObstacle } from 'latchkey/client';
import type { Explanation } from '../explain.ts';

const words: Record<NonNullable<ReturnType<typeof passkeyObstacle>>, Explanation> = {
  webauthn_unsupported: {
    tone: 'warning',
    title: 'This browser can’t make passkeys',
    body: 'Open this page in a current version of Chrome, Edge, Firefox or Safari, on any device. Browsers built into other apps often can’t make passkeys.',
  },
  insecure_context: {
    tone: 'warning',
    title: 'Passkeys can’t be made at this address',
    body: 'Open this page at the site’s https:// address.',
  },
};

/** Why this browser cannot recover an account, and what to do; null if it can. */
export function recoveryObstacle(): Explanation | null {
  const obstacle = passkeyObstacle();
  return obstacle && words[obstacle];
}
