import type { ReactNode } from 'react';
import type { CliContext } from '../cli-context.ts';
import { CliContextProvider } from '../hooks/cli-context.ts';
import { type Clock, ClockContext, systemClock } from '../hooks/clock.ts';
import { KeyboardProvider } from '../hooks/keyboard.tsx';
import { NoticesProvider } from '../hooks/notices.tsx';
import { Screens } from './screens.tsx';

/** All screens with their providers. */
export function Root({
  context,
  clock = systemClock,
  onQuit,
}: {
  context: CliContext;
  clock?: Clock;
  onQuit: () => void;
}): ReactNode {
  return (
    <ClockContext.Provider value={clock}>
      <CliContextProvider.Provider value={context}>
        <KeyboardProvider onInterrupt={onQuit}>
          <NoticesProvider>
            <Screens onQuit={onQuit} />
          </NoticesProvider>
        </KeyboardProvider>
      </CliContextProvider.Provider>
    </ClockContext.Provider>
  );
}
