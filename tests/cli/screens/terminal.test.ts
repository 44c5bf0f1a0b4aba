import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { enterFullScreen, patchedStdout } from '../../../cli/terminal.ts';

const createTerminal = () => {
  const written: string[] = [];
  const terminal = Object.assign(new EventEmitter(), {
    columns: 80,
    rows: 24,
    write: (text: string) => {
      written.push(text);
      return true;
    },
  });
  return { terminal: terminal as unknown as NodeJS.WriteStream, written };
};

afterEach(() => vi.unstubAllEnvs());

describe('the terminal', () => {
  it('keeps its scrollback', () => {
    const { terminal, written } = createTerminal();
    patchedStdout(terminal).write('\x1b[2J\x1b[3J\x1b[Hnew');
    expect(written).toEqual(['\x1b[2J\x1b[Hnew']);
  });

  it('receives no colors with NO_COLOR, but still receives other control sequences', () => {
    vi.stubEnv('NO_COLOR', '1');
    const { terminal, written } = createTerminal();
    patchedStdout(terminal).write('\x1b[2K\x1b[1m\x1b[38;5;2mgreen\x1b[39m\x1b[22m');
    expect(written).toEqual(['\x1b[2Kgreen']);
  });

  it('is cleared after a resize', () => {
    const { terminal, written } = createTerminal();
    const screen = patchedStdout(terminal, { isFullScreen: true });
    terminal.emit('resize');
    screen.write('\x1b]52;c;eA==\x07');
    screen.write('\x1b[2Kpicture');
    screen.write('\x1b[2Knext');
    expect(written).toEqual(['\x1b]52;c;eA==\x07', '\x1b[2J\x1b[H\x1b[2Kpicture', '\x1b[2Knext']);
  });

  it('is restored only once, and then shows the cursor again', () => {
    const { terminal, written } = createTerminal();
    const before = process.listenerCount('exit');
    const screen = enterFullScreen(terminal, () => {});
    expect(written.join('')).toContain('\x1b[?1049h');
    screen.restore();
    screen.restore();
    expect(written.filter((text) => text.includes('\x1b[?25h\x1b[?1049l'))).toHaveLength(1);
    expect(process.listenerCount('exit')).toBe(before);
  });

  it('is restored before a signal ends the process', () => {
    const { terminal, written } = createTerminal();
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const onSignal = vi.fn();
    const before = process.listenerCount('SIGTERM');
    enterFullScreen(terminal, onSignal);
    process.listeners('SIGTERM').at(-1)?.('SIGTERM');
    expect(onSignal).toHaveBeenCalled();
    expect(written.at(-1)).toContain('\x1b[?1049l');
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGTERM');
    expect(process.listenerCount('SIGTERM')).toBe(before);
    kill.mockRestore();
  });
});
