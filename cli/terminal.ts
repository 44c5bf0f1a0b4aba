type Terminal = NodeJS.WriteStream;

const enter = '\x1b[?1049h\x1b[2J\x1b[H';
const leave = '\x1b[?25h\x1b[?1049l';
const eraseScrollback = '\x1b[3J';
const eraseLine = '\x1b[2K';
const startOver = '\x1b[2J\x1b[H';
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what colours are made of
const colours = /\x1b\[[\d;]*m/g;

export const wantsNoColour = (env: NodeJS.ProcessEnv = process.env): boolean => Boolean(env.NO_COLOR);

/**
 * The terminal as Ink should see it: it never erases what stood there before us, NO_COLOR is heeded, and after a change
 * of size the next picture is drawn on an empty screen.
 */
export function tamed(terminal: Terminal, { isFullScreen = false } = {}): Terminal {
  let isAskew = false;
  if (isFullScreen) {
    terminal.prependListener('resize', () => {
      isAskew = true;
    });
  }
  const write = (text: unknown, ...rest: unknown[]): boolean => {
    if (typeof text !== 'string') return terminal.write(text as Uint8Array, ...(rest as []));
    let written = text.replaceAll(eraseScrollback, '');
    if (wantsNoColour()) written = written.replaceAll(colours, '');
    if (isAskew && written.includes(eraseLine)) {
      written = startOver + written;
      isAskew = false;
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
 * Turns to the terminal's other screen, which keeps what stood there; `restore` turns back, also when the process ends
 * on its own, by an error or by a signal.
 */
export function enterFullScreen(terminal: Terminal, onSignal: () => void): { restore(): void } {
  let isEntered = true;
  const restore = () => {
    if (!isEntered) return;
    isEntered = false;
    for (const signal of signals) process.off(signal, onKill);
    process.off('exit', restore);
    process.off('uncaughtExceptionMonitor', restore);
    terminal.write(leave);
  };
  const onKill = (signal: NodeJS.Signals) => {
    onSignal();
    restore();
    // Whoever else wants to know of the signal hears of it now; else it ends us.
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, onKill);
  process.on('exit', restore);
  process.on('uncaughtExceptionMonitor', restore);
  terminal.write(enter);
  return { restore };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
