type Terminal = NodeJS.WriteStream;

const enter = '\x1b[?1049h\x1b[2J\x1b[H';
const leave = '\x1b[?25h\x1b[?1049l';
const eraseScrollback = '\x1b[3J';
const eraseLine = '\x1b[2K';
const clearScreen = '\x1b[2J\x1b[H';
// biome-ignore lint/suspicious/noControlCharactersInRegex: color codes contain a control character
const colors = /\x1b\[[\d;]*m/g;

export const wantsNoColor = (env: NodeJS.ProcessEnv = process.env): boolean => Boolean(env.NO_COLOR);

/**
 * Standard output for Ink. Keeps the scrollback and honors NO_COLOR. In full screen, clears the screen before the first
 * frame after a resize.
 */
export function patchedStdout(terminal: Terminal, { isFullScreen = false } = {}): Terminal {
  let wasResized = false;
  if (isFullScreen) {
    terminal.prependListener('resize', () => {
      wasResized = true;
    });
  }
  const write = (text: unknown, ...rest: unknown[]): boolean => {
    if (typeof text !== 'string') return terminal.write(text as Uint8Array, ...(rest as []));
    let written = text.replaceAll(eraseScrollback, '');
    if (wantsNoColor()) written = written.replaceAll(colors, '');
    if (wasResized && written.includes(eraseLine)) {
      written = clearScreen + written;
      wasResized = false;
    }
    return terminal.write(written, ...(rest as []));
  };
  return new Proxy(terminal, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * Switches to the alternate screen, which preserves the terminal's content. `restore` switches back. It also runs when
 * the process exits, throws or receives a signal.
 */
export function enterFullScreen(terminal: Terminal, onSignal: () => void): { restore(): void } {
  let isEntered = true;
  const restore = () => {
    if (!isEntered) return;
    isEntered = false;
    for (const signal of signals) process.off(signal, onKill);
    process.off('exit', restore);
    terminal.write(leave);
  };
  const onKill = (signal: NodeJS.Signals) => {
    onSignal();
    restore();
    // `restore` has removed this listener. So the second signal reaches the other listeners or the default action.
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, onKill);
  // Also after an uncaught exception: Node.js emits `exit` before it prints the stack trace.
  process.on('exit', restore);
  terminal.write(enter);
  return { restore };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
