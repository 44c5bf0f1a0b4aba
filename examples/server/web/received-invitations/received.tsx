import type { OrganizationInvitation } from 'latchkey/client';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { codeOf } from '../explain.ts';
import { hasOrganizations } from '../site-settings.ts';
import { type ItemPage, type LongList, useList } from '../use-list.ts';

type Received = LongList<OrganizationInvitation>;

const Context = createContext<Received | null>(null);

/** The pending invitations of the signed-in user. Empty for visitors. */
export const useReceived = () => useContext(Context);

/** The number of invitations as text: "2", or "50+" if there are more pages. Null if there are none. */
export function countOf(received: Received | null): string | null {
  if (received?.resource.status !== 'ready') return null;
  const { items, nextCursor } = received.resource.value;
  return items.length === 0 ? null : `${items.length}${nextCursor ? '+' : ''}`;
}

type ReceivedPage = ItemPage<OrganizationInvitation>;

const none: ReceivedPage = { items: [], nextCursor: null };

/**
 * Returns a function that loads a page. If the server is unreachable, the function returns the last known first page,
 * because the other parts of the page already report the error.
 */
function loaderOfReceived() {
  let known: ReceivedPage | null = null;
  return async (cursor: string | null, signal: AbortSignal): Promise<ReceivedPage> => {
    try {
      const answer = await auth.organizations.invitations.received({ cursor }, { signal });
      const page = { items: answer.invitations, nextCursor: answer.nextCursor };
      if (cursor === null) known = page;
      return page;
    } catch (error) {
      if (known && cursor === null && codeOf(error) === 'network_error') return known;
      throw error;
    }
  };
}

/** Loads the invitations once, and shares them between the navigation and the pages. */
export function ReceivedProvider({ children }: { children: ComponentChildren }) {
  const { state } = useAccount();
  const isFull = state.status === 'signed-in' && state.session.kind === 'full';
  const userId = isFull && hasOrganizations ? state.user.id : null;
  const load = useMemo(() => (userId === null ? () => Promise.resolve(none) : loaderOfReceived()), [userId]);
  const list = useList<OrganizationInvitation>(load);
  const { reload } = list;

  useEffect(() => {
    const onVisible = () => document.visibilityState === 'visible' && void reload();
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [reload]);

  return <Context.Provider value={list}>{children}</Context.Provider>;
}
