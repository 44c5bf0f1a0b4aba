import { afterEach, beforeEach, vi } from 'vitest';

/** Timeouts that expire only when the test says so, however slow the machine is. */
export interface HeldTimeouts {
  /** The number of timeouts with this delay that run. */
  pending(ms: number): number;
  /** Lets all timeouts with this delay expire. */
  expire(ms: number): void;
}

/** Holds the calls of `setTimeout` with these delays during each test. Others run as usual. */
export function holdTimeouts(...delays: number[]): HeldTimeouts {
  const held = new Map<unknown, { ms: number; act: () => void }>();
  const of = (ms: number) => [...held].filter(([, each]) => each.ms === ms);
  beforeEach(() => {
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    const setting = vi.spyOn(globalThis, 'setTimeout');
    setting.mockImplementation(((act: () => void, ms = 0, ...args: []) => {
      if (!delays.includes(ms)) return set(act, ms, ...args);
      const timer = set(() => {}, 2 ** 31 - 1).unref();
      held.set(timer, { ms, act: () => act(...args) });
      return timer;
    }) as typeof setTimeout);
    const clearing = vi.spyOn(globalThis, 'clearTimeout');
    clearing.mockImplementation((timer) => {
      held.delete(timer);
      clear(timer);
    });
    return () => {
      setting.mockRestore();
      clearing.mockRestore();
      for (const timer of held.keys()) clear(timer as NodeJS.Timeout);
      held.clear();
    };
  });
  return {
    pending: (ms) => of(ms).length,
    expire(ms) {
      for (const [timer, { act }] of of(ms)) {
        held.delete(timer);
        clearTimeout(timer as NodeJS.Timeout);
        act();
      }
    },
  };
}

/** Holds all signals of `AbortSignal.timeout` during each test. */
export function holdAbortTimeouts(): HeldTimeouts {
  let held: { ms: number; controller: AbortController }[] = [];
  beforeEach(() => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController();
      held.push({ ms, controller });
      return controller.signal;
    });
  });
  afterEach(() => {
    vi.mocked(AbortSignal.timeout).mockRestore();
    held = [];
  });
  return {
    pending: (ms) => held.filter((each) => each.ms === ms).length,
    expire(ms) {
      for (const { controller } of held.filter((each) => each.ms === ms))
        controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
      held = held.filter((each) => each.ms !== ms);
    },
  };
}
