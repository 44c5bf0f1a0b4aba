import type { Overview, SuperadminSummary } from 'latchkey';

/** Why a superadmin can be made now: the first, the one who never came in, or because none is left. */
export type Opening = 'open' | 'unfinished' | 'again';

export const isActive = ({ status }: SuperadminSummary): boolean => status === 'active';

/** Null: there is an active one. */
export function openingOf({ bootstrap, superadmins }: Overview): Opening | null {
  if (bootstrap !== 'done') return bootstrap;
  return superadmins.some(isActive) ? null : 'again';
}
