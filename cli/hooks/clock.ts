import { createContext, useContext } from 'react';

/** Time as the screens see it; tests turn one of their own. */
export interface Clock {
  now(): Date;
  /** Runs something later; returns how to call that off. */
  after(milliseconds: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

export const ClockContext = createContext<Clock>(systemClock);
export const useClock = (): Clock => useContext(ClockContext);
