import { render } from 'ink';
import type { CliContext } from './cli-context.ts';
import { Root } from './screens/root.tsx';
import { enterFullScreen, patchedStdout } from './terminal.ts';

/** Shows the screens until the operator quits, then restores the terminal. */
export async function runApp(context: CliContext): Promise<void> {
  let quit = () => {};
  const screen = enterFullScreen(process.stdout, () => quit());
  try {
    const app = render(<Root context={context} onQuit={() => quit()} />, {
      stdout: patchedStdout(process.stdout, { isFullScreen: true }),
      exitOnCtrlC: false,
    });
    quit = app.unmount;
    await app.waitUntilExit();
  } finally {
    screen.restore();
  }
}
