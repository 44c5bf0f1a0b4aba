import type { User, UserRecordDetails } from 'latchkey/client';
import { type CapabilityScopes, type PageCapability, scopeIn } from '../scopes.ts';

/** The actions on a user's account. */
export type UserAction = 'role' | 'recovery' | 'sessions' | 'impersonate' | 'disable' | 'enable' | 'remove';

/** The props of every dialog about a user. */
export interface UserDialogProps {
  user: User;
  /** What the signed-in user can read about the user. Absent or null: nothing. */
  details?: UserRecordDetails | null | undefined;
  onClose: () => void;
  /** What was done, in a sentence, and how to reverse it. */
  onChanged: (user: User, words: string, undo?: () => Promise<User>) => void;
}

/** The settings of the service that decide the actions. */
export interface ActionSettings {
  capabilityScopes: CapabilityScopes;
  /** Whether the option `impersonation` is on. */
  impersonation: boolean;
}

/**
 * The actions to offer to `me` in the list of users. Omits actions that the service would reject. The service still
 * checks all permissions. The page of a user does not use this function, because the service returns its actions.
 */
export function actionsFor(me: User, user: User, settings: ActionSettings): UserAction[] {
  const scopeOf = (capability: PageCapability) => scopeIn(settings.capabilityScopes, me.role, capability);
  const actions: UserAction[] = scopeOf('role:assign') ? ['role'] : [];
  // Users manage their own passkeys and sessions in their settings.
  if (me.id === user.id) return actions;
  const isActive = user.status === 'active';
  // With the scope `managed`, a user can help only users without another role.
  const mayHelp = (capability: 'user:recover' | 'user:end_sessions') => {
    const scope = scopeOf(capability);
    return isActive && (scope === 'any' || (scope !== null && user.role === 'user'));
  };
  if (mayHelp('user:recover')) actions.push('recovery');
  if (mayHelp('user:end_sessions')) actions.push('sessions');
  const mayImpersonate = settings.impersonation && scopeOf('user:impersonate') !== null;
  if (mayImpersonate && isActive && user.role !== 'superadmin') actions.push('impersonate');
  if (scopeOf('user:manage')) actions.push(isActive ? 'disable' : 'enable', 'remove');
  return actions;
}
