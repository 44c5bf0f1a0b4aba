import type { Overview, SuperadminSummary } from 'latchkey';

/**
 * Why a superadmin can be created: no superadmin exists (`open`), the first superadmin has no passkey and no password
 * yet (`unfinished`), or all superadmins are disabled or deleted (`again`).
 */
export type BootstrapReason = 'open' | 'unfinished' | 'again';

export const isActive = ({ status }: SuperadminSummary): boolean => status === 'active';

/** Null if the bootstrap is complete and a superadmin is active. */
export function bootstrapReasonOf({ bootstrap, superadmins }: Overview): BootstrapReason | null {
  if (bootstrap !== 'done') return bootstrap;
  return superadmins.some(isActive) ? null : 'again';
}
