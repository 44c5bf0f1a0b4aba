import { render } from 'ink';
import type { ReactNode } from 'react';
import type { CliContext } from './cli-context.ts';
import { fits, qrLines } from './components/qr-code.tsx';
import { KeyboardProvider } from './hooks/keyboard.tsx';
import type { AwaitedPasskey, Waiting } from './screens/bootstrap/awaited-passkey.ts';
import { type Answers, BootstrapForm } from './screens/bootstrap/bootstrap-form.tsx';
import { InlineWait } from './screens/bootstrap/inline-wait.tsx';
import { patchedStdout, wantsNoColor } from './terminal.ts';

/**
 * Asks for the username and the password. Resolves to null if the operator cancels.
 *
 * @param given.rejection why the previous answers were rejected
 * @param given.reusable the username of an unfinished bootstrap. The operator can enter this username again.
 */
export async function promptBootstrap(
  context: Pick<CliContext, 'checkUsername' | 'passwordMinLength'>,
  given: { username?: string; passkey: boolean; rejection?: string; reusable?: string },
): Promise<Answers | null> {
  return ask((settle) => (
    <KeyboardProvider onInterrupt={() => settle(null)}>
      <BootstrapForm
        check={context.checkUsername}
        passwordMinLength={context.passwordMinLength}
        passkey={given.passkey}
        username={given.username}
        reusable={given.reusable}
        rejection={given.rejection}
        onAnswer={settle}
        onCancel={() => settle(null)}
      />
    </KeyboardProvider>
  ));
}

/** Shows a link and waits until the user has added a passkey. The link stays valid if the operator stops waiting. */
export async function showLinkAndWait(
  options: AwaitedPasskey & { url: string },
): Promise<'done' | 'canceled' | 'expired'> {
  process.stdout.write(announcement(options.url));
  return ask((settle) => (
    <KeyboardProvider onInterrupt={() => settle('canceled')}>
      <InlineWait awaited={options} onEnd={(end: NonNullable<Waiting['end']>) => settle(end)} />
    </KeyboardProvider>
  ));
}

/** The number of lines below the link. They show the status, the key hint and the cursor. */
const waitLines = 3;

/**
 * The text above the status. Ink does not print this text, because Ink would wrap the link, and a wrapped link cannot
 * be selected in one piece.
 */
function announcement(url: string): string {
  const qr = qrLines(url);
  const { columns = 80, rows = 24 } = process.stdout;
  const hasColors = process.stdout.isTTY && process.stdout.hasColors() && !wantsNoColor();
  const drawn = hasColors ? qr.map((line) => `\x1b[97;40m${line}\x1b[0m`) : qr;
  const linesAround = Math.ceil(url.length / columns) + waitLines;
  const code = fits(qr, { columns, rows: rows - linesAround }) ? drawn : [];
  const isTight = qr.length + linesAround + 4 > rows && code.length > 0;
  const gap = isTight ? [] : [''];
  return [
    'Open this link on the device that will hold the passkey:',
    ...gap,
    url,
    ...gap,
    ...code,
    ...gap,
    '',
  ].join('\n');
}

async function ask<T>(question: (settle: (answer: T) => void) => ReactNode): Promise<T> {
  return new Promise((resolve, reject) => {
    let answer: { value: T } | null = null;
    const prompt = render(
      question((value) => {
        answer ??= { value };
        prompt.unmount();
      }),
      { stdout: patchedStdout(process.stdout), exitOnCtrlC: false },
    );
    prompt.waitUntilExit().then(() => {
      if (answer) resolve(answer.value);
    }, reject);
  });
}
