import { render } from 'ink';
import type { ReactNode } from 'react';
import { fits, qrLines } from './components/qr-code.tsx';
import type { Desk } from './desk.ts';
import { KeyboardProvider } from './hooks/keyboard.tsx';
import type { AwaitedPasskey, Waiting } from './screens/bootstrap/awaited-passkey.ts';
import { type Answers, BootstrapForm } from './screens/bootstrap/bootstrap-form.tsx';
import { InlineWait } from './screens/bootstrap/inline-wait.tsx';
import { tamed, wantsNoColour } from './terminal.ts';

/**
 * Asks for what is needed to bootstrap; null where the person thinks better of it.
 *
 * @param given.refusal why the answers before would not do
 * @param given.theirOwn the username of a superadmin who never came in, which may be given again
 */
export async function promptBootstrap(
  desk: Pick<Desk, 'checkUsername'>,
  given: { username?: string; passkey: boolean; refusal?: string; theirOwn?: string },
): Promise<Answers | null> {
  return ask((settle) => (
    <KeyboardProvider onInterrupt={() => settle(null)}>
      <BootstrapForm
        check={desk.checkUsername}
        passkey={given.passkey}
        username={given.username}
        theirOwn={given.theirOwn}
        refusal={given.refusal}
        onAnswer={settle}
        onCancel={() => settle(null)}
      />
    </KeyboardProvider>
  ));
}

/** Shows a link to make a passkey with, waits for that, and greets. Leaving early leaves the link as good as it was. */
export async function showLinkAndWait(
  options: AwaitedPasskey & { url: string },
): Promise<'done' | 'cancelled' | 'expired'> {
  process.stdout.write(announcement(options.url));
  return ask((settle) => (
    <KeyboardProvider onInterrupt={() => settle('cancelled')}>
      <InlineWait awaited={options} onEnd={(end: NonNullable<Waiting['end']>) => settle(end)} />
    </KeyboardProvider>
  ));
}

/** Below the link: that we wait, how to leave, and the line that the cursor is on. */
const waitLines = 3;

/** Written past Ink, which would break the link into lines: so it is selected in one piece. */
function announcement(url: string): string {
  const qr = qrLines(url);
  const { columns = 80, rows = 24 } = process.stdout;
  const hasColours = process.stdout.isTTY && process.stdout.hasColors() && !wantsNoColour();
  const drawn = hasColours ? qr.map((line) => `\x1b[97;40m${line}\x1b[0m`) : qr;
  const around = Math.ceil(url.length / columns) + waitLines;
  const code = fits(qr, { columns, rows: rows - around }) ? drawn : [];
  const isTight = qr.length + around + 4 > rows && code.length > 0;
  const gap = isTight ? [] : [''];
  return ['Open this link where the passkey is to be:', ...gap, url, ...gap, ...code, ...gap, ''].join('\n');
}

async function ask<T>(question: (settle: (answer: T) => void) => ReactNode): Promise<T> {
  return new Promise((resolve, reject) => {
    let answer: { value: T } | null = null;
    const prompt = render(
      question((value) => {
        answer ??= { value };
        prompt.unmount();
      }),
      { stdout: tamed(process.stdout), exitOnCtrlC: false },
    );
    prompt.waitUntilExit().then(() => {
      if (answer) resolve(answer.value);
    }, reject);
  });
}
