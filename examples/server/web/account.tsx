import type { CurrentSession } from 'latchkey/client';
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { auth } from './auth.ts';
import { useSessionWatch } from './use-session-watch.ts';

export type AccountState =
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  | { status: 'signed-out' }
  | ({ status: 'signed-in' } & CurrentSession);

interface AccountContext {
  state: AccountState;
  /** Reads the session again. Resolves when `state` comes from this read or a later one. */
  refresh(): Promise<void>;
  signOut(): Promise<void>;
  /** Deletes the account of this session permanently. */
  deleteAccount(): Promise<void>;
}

const Context = createContext<AccountContext>({
  state: { status: 'loading' },
  refresh: () => Promise.resolve(),
  signOut: () => Promise.resolve(),
  deleteAccount: () => Promise.resolve(),
});

/** The account and session of this browser, for the whole app. */
export const useAccount = () => useContext(Context);

export function AccountProvider({ children }: { children: ComponentChildren }) {
  const { route } = useLocation();
  const [state, setState] = useState<AccountState>({ status: 'loading' });

  const latest = useRef<Promise<void> | null>(null);

  const refresh = useCallback(() => {
    const read: Promise<void> = readSession().then((next) => {
      // Responses can arrive out of order, so only the latest read counts.
      if (latest.current && latest.current !== read) return latest.current;
      // If a read fails, a signed-in user stays on the page. Their next action reports the error.
      setState((before) => (next.status === 'failed' && before.status === 'signed-in' ? before : next));
    });
    latest.current = read;
    return read;
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

  useEffect(() => void refresh(), [refresh]);
  useSessionWatch(refresh, state.status === 'signed-in');

  const value = useMemo(
    () => ({ state, refresh, signOut, deleteAccount }),
    [state, refresh, signOut, deleteAccount],
  );
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

async function readSession(): Promise<AccountState> {
  try {
    const current = await auth.session();
    return current ? { status: 'signed-in', ...current } : { status: 'signed-out' };
  } catch (error) {
    return { status: 'failed', error };
  }
}
