import type { User } from 'latchkey/client';
import { Avatar } from '../ui/avatar.tsx';

/** The user that a dialog is about, beside its title. The title has the username, because no other user can have it. */
export const subjectOf = ({ username, displayName }: User) => ({
  subject: <Avatar name={displayName ?? username} seed={username} size="large" />,
  lead: displayName && <bdi>{displayName}</bdi>,
});
