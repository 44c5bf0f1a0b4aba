import { Box } from 'ink';
import { render } from 'ink-testing-library';
import { onTestFinished } from 'vitest';
import { SizeContext } from '../../../../cli/hooks/terminal-size.ts';
import { Root } from '../../../../cli/screens/root.tsx';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createDesk } from './fake-desk.ts';
import { settle } from './settle.ts';
import { createWorld, type World } from './world.ts';

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
  world: World;
  clock: FakeClock;
  /** Presses one key after the other; a longer text counts as typed. */
  press(...pressed: string[]): Promise<void>;
  /** What is on the screen. */
  screen(): string;
  /** The line that holds a text. */
  line(text: string): string;
  /** What was written past the screen, to the clipboard say. */
  written(): string[];
  hasQuit(): boolean;
  /** How often something was asked of the service. */
  count(call: string): number;
}

/** The application before a world, and its time standing still. */
export async function openApp(
  given: Partial<World> = {},
  size: { columns?: number; rows?: number } = {},
): Promise<OpenedApp> {
  const { columns = 80, rows = 24 } = size;
  const world = createWorld(given);
  const clock = createFakeClock();
  let hasQuit = false;
  const quit = () => {
    hasQuit = true;
  };
  const app = render(
    <SizeContext.Provider value={{ columns, rows }}>
      <Box width={columns}>
        <Root desk={createDesk(world)} clock={clock} onQuit={quit} />
      </Box>
    </SizeContext.Provider>,
  );
  onTestFinished(app.unmount);
  await settle();
  const screen = () => app.lastFrame() ?? '';
  return {
    world,
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
    count: (name) => world.calls.filter(([call]) => call === name).length,
  };
}
