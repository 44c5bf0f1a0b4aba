import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stopOnSignal } from '../../examples/server/stop-on-signal.ts';

let stops: number;
let finish: () => void;
let fail: (error: Error) => void;
let exits: (number | string | null | undefined)[];
let signal: (name: 'SIGTERM' | 'SIGINT') => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  stops = 0;
  exits = [];
  const handlers = new Map<string | symbol, (name: string) => void>();
  const on = vi.spyOn(process, 'on').mockImplementation((name, handler) => {
    handlers.set(name, handler);
    return process;
  });
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    exits.push(code);
    return undefined as never;
  });
  const stop = () => {
    stops += 1;
    return new Promise<void>((resolve, reject) => {
      finish = resolve;
      fail = reject;
    });
  };
  stopOnSignal({ stop }, pino({ level: 'silent' }));
  on.mockRestore();
  signal = (name) => handlers.get(name)?.(name);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Lets this time pass, and runs all promises that are due. */
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test.each(['SIGTERM', 'SIGINT'] as const)(
  'the process exits with 0 after %s, when the server has stopped',
  async (name) => {
    signal(name);
    await pass(5000);
    expect([stops, exits]).toEqual([1, []]);
    finish();
    await pass(0);
    expect(exits).toEqual([0]);
  },
);

test('the process exits with 1 if the server does not stop cleanly', async () => {
  signal('SIGTERM');
  fail(new Error('the database did not close'));
  await pass(0);
  expect(exits).toEqual([1]);
});

test('the process exits with 1 if the server has not stopped after 9.5 s', async () => {
  signal('SIGTERM');
  await pass(9499);
  expect(exits).toEqual([]);
  await pass(1);
  expect(exits).toEqual([1]);
});

test('a second signal within a second changes nothing', async () => {
  signal('SIGINT');
  await pass(1000);
  signal('SIGTERM');
  expect([stops, exits]).toEqual([1, []]);
  finish();
  await pass(0);
  expect(exits).toEqual([0]);
});

test('a second signal after more than a second ends the process immediately with 1', async () => {
  signal('SIGINT');
  await pass(1001);
  signal('SIGINT');
  expect([stops, exits]).toEqual([1, [1]]);
});
