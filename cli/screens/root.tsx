import type { ReactNode } from 'react';
import type { Desk } from '../desk.ts';
import { type Clock, ClockContext, systemClock } from '../hooks/clock.ts';
import { DeskContext } from '../hooks/desk-context.ts';
import { KeyboardProvider } from '../hooks/keyboard.tsx';
import { NoticesProvider } from '../hooks/notices.tsx';
import { Screens } from './screens.tsx';

/** The whole application, without the terminal that it is in. */
export function Root({
  desk,
  clock = systemClock,
  onQuit,
}: {
  desk: Desk;
  clock?: Clock;
  onQuit: () => void;
}): ReactNode {
  return (
    <ClockContext.Provider value={clock}>
      <DeskContext.Provider value={desk}>
        <KeyboardProvider onInterrupt={onQuit}>
          <NoticesProvider>
            <Screens onQuit={onQuit} />
          </NoticesProvider>
        </KeyboardProvider>
      </DeskContext.Provider>
    </ClockContext.Provider>
  );
}
