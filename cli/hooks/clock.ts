import { createContext, useContext } from 'react';

/** The clock of the screens. Tests pass a fake one. */
export interface Clock {
  now(): Date;
  /** Runs a function later. Returns a function that cancels it. */
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
