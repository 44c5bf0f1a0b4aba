import { render } from 'ink';
import type { Desk } from './desk.ts';
import { Root } from './screens/root.tsx';
import { enterFullScreen, tamed } from './terminal.ts';

/** Shows the screens until the person quits, and leaves the terminal as it was. */
export async function runApp(desk: Desk): Promise<void> {
  let quit = () => {};
  const screen = enterFullScreen(process.stdout, () => quit());
  try {
    const app = render(<Root desk={desk} onQuit={() => quit()} />, {
      stdout: tamed(process.stdout, { isFullScreen: true }),
      exitOnCtrlC: false,
    });
    quit = app.unmount;
    await app.waitUntilExit();
  } finally {
    screen.restore();
  }
}
