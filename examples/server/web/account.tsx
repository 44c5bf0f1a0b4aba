import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type AccountState, type AccountView, firstView, left, viewAfter } from './account-view.ts';
import { auth } from './auth.ts';
import { hasTyped, noteTyping } from './typed.ts';
import { useSessionWatch } from './use-session-watch.ts';

interface AccountContext extends AccountView {
  /** Reads the session again. Resolves when `state` comes from this read or a later one. */
  refresh(): Promise<void>;
  signOut(): Promise<void>;
  /** Leaves the page after the session has ended. */
  leave(): void;
  /** Deletes the account of this session permanently. */
  deleteAccount(): Promise<void>;
}

const Context = createContext<AccountContext>({
  ...firstView,
  refresh: () => Promise.resolve(),
  signOut: () => Promise.resolve(),
  leave: () => {},
  deleteAccount: () => Promise.resolve(),
});

/** The account and session of this browser, for the whole app. */
export const useAccount = () => useContext(Context);

export function AccountProvider({ children }: { children: ComponentChildren }) {
  const { route } = useLocation();
  const [view, setView] = useState<AccountView>(firstView);

  const latest = useRef<Promise<void> | null>(null);

  const refresh = useCallback(() => {
    const read: Promise<void> = readSession().then((next) => {
      // Responses can arrive out of order, so only the latest read counts.
      if (latest.current && latest.current !== read) return latest.current;
      setView((view) => viewAfter(view, next, hasTyped()));
    });
    latest.current = read;
    return read;
  }, []);

  const showSignedOut = useCallback(() => {
    // A read that started earlier must not report that the session has ended.
    latest.current = Promise.resolve();
    setView((view) => ({ ...view, state: { status: 'signed-out' }, hasEnded: false }));
  }, []);

  const signOut = useCallback(async () => {
    await auth.signOut();
    route('/signin');
    showSignedOut();
  }, [route, showSignedOut]);

  const deleteAccount = useCallback(async () => {
    await auth.deleteAccount();
    route('/signin?deleted', true);
    showSignedOut();
  }, [route, showSignedOut]);

  const leave = useCallback(() => setView(left), []);

  useEffect(() => noteTyping(), []);
  useEffect(() => void refresh(), [refresh]);
  useSessionWatch(refresh, view.state.status === 'signed-in');

  const value = useMemo(
    () => ({ ...view, refresh, signOut, leave, deleteAccount }),
    [view, refresh, signOut, leave, deleteAccount],
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
