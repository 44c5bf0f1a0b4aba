import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { useClock } from './clock.ts';

interface Notice {
  kind: 'busy' | 'done' | 'error';
  text: string;
}

interface Notices {
  notice: Notice | null;
  notify(notice: Notice | null): void;
}

const NoticesContext = createContext<Notices>({ notice: null, notify: () => {} });
export const useNotices = (): Notices => useContext(NoticesContext);

const durationMs = { busy: null, done: 6000, error: 15_000 };

/** The last result or error, shown above the key hints. */
export function NoticesProvider({ children }: { children: ReactNode }): ReactNode {
  const clock = useClock();
  const [notice, notify] = useState<Notice | null>(null);
  useEffect(() => {
    const time = notice && durationMs[notice.kind];
    if (time) return clock.after(time, () => notify(null));
  }, [clock, notice]);
  const notices = useMemo(() => ({ notice, notify }), [notice]);
  return <NoticesContext.Provider value={notices}>{children}</NoticesContext.Provider>;
}
