import { passkeyObstacle } from 'latchkey/client';
import { type Explanation, explanation } from '../explain.ts';

const words: Record<NonNullable<ReturnType<typeof passkeyObstacle>>, Explanation> = {
  webauthn_unsupported: explanation('warning', 'recovery.unsupportedTitle', 'recovery.unsupportedBody'),
  insecure_context: explanation('warning', 'recovery.insecureTitle', 'recovery.insecureBody'),
};

/** Explains why this browser cannot recover an account, and what to do. Null if the browser can recover one. */
export function recoveryObstacle(): Explanation | null {
  const obstacle = passkeyObstacle();
  return obstacle && words[obstacle];
}
