import type { User, UserRecord } from 'latchkey/client';
import { useCallback } from 'preact/hooks';
import { auth } from '../auth.ts';
import { noteFailure } from '../server-away.ts';
import { useResource } from '../use-resource.ts';

/** What the signed-in user can read about a user. */
export function usePersonRecord(id: string) {
  const load = useCallback(() => auth.users.getDetails(id), [id]);
  const { resource, reload, update } = useResource<UserRecord>(load);

  /** Shows a changed user at once. Then reads everything again, because an action also changes sessions and more. */
  const change = async (user: User) => {
    update((known) => ({ ...known, user: { ...known.user, ...user } }));
    try {
      const record = await load();
      update(() => record);
    } catch (error) {
      noteFailure(error);
    }
  };

  return { resource, reload, change };
}
