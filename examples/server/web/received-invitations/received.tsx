import type { OrganizationInvitation } from 'latchkey/client';
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { type LongList, useList } from '../use-list.ts';

type Received = LongList<OrganizationInvitation>;

const Context = createContext<Received | null>(null);

/** The open invitations for the signed-in user. Empty for visitors. */
export const useReceived = () => useContext(Context);

/** How many there are, as text: "2", or "50+" if there are more pages; null for none. */
export function countOf(received: Received | null): string | null {
  if (received?.resource.status !== 'ready') return null;
  const { items, nextCursor } = received.resource.value;
  return items.length === 0 ? null : `${items.length}${nextCursor ? '+' : ''}`;
}

const none = { items: [], nextCursor: null };

/** Reads them once for the navigation and for every page that shows them. */
export function ReceivedProvider({ children }: { children: ComponentChildren }) {
  const { state } = useAccount();
  const userId = state.status === 'signed-in' && state.session.kind === 'full' ? state.user.id : null;
  const load = useCallback(
    async (cursor: string | null, signal: AbortSignal) => {
      if (userId === null) return none;
      const page = await auth.organizations.invitations.received({ cursor }, { signal });
      return { items: page.invitations, nextCursor: page.nextCursor };
    },
    [userId],
  );
  const list = useList<OrganizationInvitation>(load);
  const { reload } = list;

  useEffect(() => {
    const onVisible = () => document.visibilityState === 'visible' && void reload();
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [reload]);

  return <Context.Provider value={list}>{children}</Context.Provider>;
}
