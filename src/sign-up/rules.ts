import type { SignUpMode } from '../core/sign-up.ts';

/** Returns why the mode does not allow a sign-up over HTTP. Null: the mode allows it. */
export function obstacleToSignUp(
  mode: SignUpMode,
  hasInvitation: boolean,
): 'sign_up_closed' | 'invitation_required' | null {
  if (mode === 'open') return null;
  if (mode === 'invitation') return hasInvitation ? null : 'invitation_required';
  return 'sign_up_closed';
}
