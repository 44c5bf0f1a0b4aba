import { passkeyObstacle } from 'latchkey/client';
import type { Explanation } from '../explain.ts';

const words: Record<NonNullable<ReturnType<typeof passkeyObstacle>>, Explanation> = {
  webauthn_unsupported: {
    tone: 'warning',
    title: 'This browser can’t create passkeys',
    body: 'Open this page in a current version of Chrome, Edge, Firefox or Safari, on any device. Browsers built into other apps often can’t create passkeys.',
  },
  insecure_context: {
    tone: 'warning',
    title: 'Passkeys can’t be created at this URL',
    body: 'Open this page at the site’s https:// URL.',
  },
};

/** Explains why this browser cannot recover an account, and what to do. Null if the browser can recover one. */
export function recoveryObstacle(): Explanation | null {
  const obstacle = passkeyObstacle();
  return obstacle && words[obstacle];
}
