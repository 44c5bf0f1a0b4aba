import { Box } from 'ink';
import { render } from 'ink-testing-library';
import { onTestFinished } from 'vitest';
import { SizeContext } from '../../../../cli/hooks/terminal-size.ts';
import { Root } from '../../../../cli/screens/root.tsx';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createFakeContext } from './fake-context.ts';
import { createFakeState, type FakeState } from './fake-state.ts';
import { settle } from './settle.ts';

export const keys = {
  enter: '\r',
  escape: '\x1b',
  up: '\x1b[A',
  down: '\x1b[B',
  pageDown: '\x1b[6~',
  tab: '\t',
  backspace: '\x7f',
  ctrlC: '\x03',
};

interface OpenedApp {
  state: FakeState;
  clock: FakeClock;
  /** Presses keys in order. Types a text of several characters. */
  press(...pressed: string[]): Promise<void>;
  /** Returns the text on the screen. */
  screen(): string;
  /** Returns the first line that contains the text. */
  line(text: string): string;
  /** Returns control sequences that are not part of the screen, such as the sequence that copies to the clipboard. */
  written(): string[];
  hasQuit(): boolean;
  /** Returns the number of calls of an action. */
  count(call: string): number;
}

/** Opens the screens with a fake state and a fake clock. */
export async function openApp(
  given: Partial<FakeState> = {},
  size: { columns?: number; rows?: number } = {},
): Promise<OpenedApp> {
  const { columns = 80, rows = 24 } = size;
  const state = createFakeState(given);
  const clock = createFakeClock();
  let hasQuit = false;
  const quit = () => {
    hasQuit = true;
  };
  const app = render(
    <SizeContext.Provider value={{ columns, rows }}>
      <Box width={columns}>
        <Root context={createFakeContext(state)} clock={clock} onQuit={quit} />
      </Box>
    </SizeContext.Provider>,
  );
  onTestFinished(app.unmount);
  await settle();
  const screen = () => app.lastFrame() ?? '';
  return {
    state,
    clock,
    press: async (...pressed) => {
      for (const key of pressed) {
        app.stdin.write(key);
        await settle();
      }
      for (let more = 0; more < Math.max(0, ...pressed.map(({ length }) => length)); more++) await settle();
    },
    screen,
    line: (text) =>
      screen()
        .split('\n')
        .find((line) => line.includes(text)) ?? '',
    written: () => app.frames.filter((frame) => frame.startsWith('\x1b]')),
    hasQuit: () => hasQuit,
    count: (name) => state.calls.filter(([call]) => call === name).length,
  };
}
