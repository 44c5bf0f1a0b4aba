import type { ListedSession } from 'latchkey/client';
import { useCallback } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { codeOf } from '../explain.ts';
import { useResource } from '../use-resource.ts';

export type Sessions = ReturnType<typeof useSessions>;

/** The sessions of the account, and how to end them. */
export function useSessions() {
  const { signOut } = useAccount();
  const { resource, reload, update } = useResource(useCallback(listSessions, []));
  const forgetOthers = () => update((known) => known.filter(({ current }) => current));
  const all = resource.status === 'ready' ? resource.value : [];

  return {
    resource,
    reload,
    all,
    others: all.filter(({ current }) => !current),

    async end(ended: ListedSession) {
      if (ended.current) return signOut();
      try {
        await auth.sessions.end(ended.id);
      } catch (error) {
        // The session has already ended.
        if (codeOf(error) !== 'not_found') throw error;
      }
      update((known) => known.filter(({ id }) => id !== ended.id));
    },

    async endOthers() {
      await auth.sessions.endOthers();
      forgetOthers();
    },

    /** Removes the other sessions from the list, because a change has ended them. */
    forgetOthers,
  };
}

/** This browser's session comes first. The other sessions follow, most recently seen first. */
async function listSessions(): Promise<ListedSession[]> {
  const sessions = await auth.sessions.list();
  const rank = ({ current, lastSeenAt }: ListedSession) =>
    current ? Number.POSITIVE_INFINITY : Date.parse(lastSeenAt);
  return [...sessions].sort((one, other) => rank(other) - rank(one));
}
