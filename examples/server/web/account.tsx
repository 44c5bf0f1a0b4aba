import type { Account, Session } from 'latchkey/client';
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { auth } from './auth.ts';

export type AccountState =
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  | { status: 'signed-out' }
  | { status: 'signed-in'; user: Account; session: Session };

interface AccountContext {
  state: AccountState;
  /** Reads the session again: after signing in, or when a call found that it has ended. */
  refresh(): Promise<void>;
  signOut(): Promise<void>;
  /** Deletes one's own account, for ever. */
  deleteAccount(): Promise<void>;
}

const Context = createContext<AccountContext>({
  state: { status: 'loading' },
  refresh: () => Promise.resolve(),
  signOut: () => Promise.resolve(),
  deleteAccount: () => Promise.resolve(),
});

/** Who is signed in, for the whole app. */
export const useAccount = () => useContext(Context);

export function AccountProvider({ children }: { children: ComponentChildren }) {
  const { route } = useLocation();
  const [state, setState] = useState<AccountState>({ status: 'loading' });

  const refresh = useCallback(async () => {
    try {
      const current = await auth.session();
      setState(current ? { status: 'signed-in', ...current } : { status: 'signed-out' });
    } catch (error) {
      // What is on the screen stays there: a call that fails later will say so itself.
      setState((before) => (before.status === 'signed-in' ? before : { status: 'failed', error }));
    }
  }, []);

  const signOut = useCallback(async () => {
    await auth.signOut();
    route('/signin');
    setState({ status: 'signed-out' });
  }, [route]);

  const deleteAccount = useCallback(async () => {
    await auth.deleteAccount();
    route('/signin?deleted', true);
    setState({ status: 'signed-out' });
  }, [route]);

  useEffect(() => {
    const onVisible = () => document.visibilityState === 'visible' && void refresh();
    void refresh();
    // Signing in or out in another tab shows here as soon as one comes back.
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [refresh]);

  const value = useMemo(
    () => ({ state, refresh, signOut, deleteAccount }),
    [state, refresh, signOut, deleteAccount],
  );
  return <Context.Provider value={value}>{children}</Context.Provider>;
}
