import { passkeyObstacle } from 'latchkey/client';
import type { Explanation } from '../explain.ts';

const words: Record<NonNullable<ReturnType<typeof passkeyObstacle>>, Explanation> = {
  webauthn_unsupported: {
    tone: 'warning',
    title: 'This browser can’t make passkeys',
    body: 'Open this page in a current version of Chrome, Edge, Firefox or Safari, on any of your devices. Browsers built into other apps often can’t.',
  },
  insecure_context: {
    tone: 'warning',
    title: 'Passkeys can’t be made at this address',
    body: 'Open this page at the site’s usual address, beginning with https://.',
  },
};

/** Why an account cannot be recovered in this browser, and what to do; null where it can. */
export function recoveryObstacle(): Explanation | null {
  const obstacle = passkeyObstacle();
  return obstacle && words[obstacle];
}
