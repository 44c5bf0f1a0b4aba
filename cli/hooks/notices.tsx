import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { useClock } from './clock.ts';

interface Notice {
  kind: 'busy' | 'done' | 'fault';
  text: string;
}

interface Notices {
  notice: Notice | null;
  say(notice: Notice | null): void;
}

const NoticesContext = createContext<Notices>({ notice: null, say: () => {} });
export const useNotices = (): Notices => useContext(NoticesContext);

const stays = { busy: null, done: 6000, fault: 15_000 };

/** What was done or refused last, for the line above the keys. */
export function NoticesProvider({ children }: { children: ReactNode }): ReactNode {
  const clock = useClock();
  const [notice, say] = useState<Notice | null>(null);
  useEffect(() => {
    const time = notice && stays[notice.kind];
    if (time) return clock.after(time, () => say(null));
  }, [clock, notice]);
  const notices = useMemo(() => ({ notice, say }), [notice]);
  return <NoticesContext.Provider value={notices}>{children}</NoticesContext.Provider>;
}
