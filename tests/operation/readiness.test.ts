import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Readiness } from '../../examples/server/readiness.ts';

describe('a server that shuts down', () => {
  let readiness: Readiness;
  let left: boolean;
  /** Runs all timers within this time. */
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
  const leave = () => {
    void readiness.stop().then(() => {
      left = true;
    });
  };
  const ask = () => readiness.answered(readiness.check());

  beforeEach(() => {
    vi.useFakeTimers();
    readiness = new Readiness();
    left = false;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is ready before and not ready after the shutdown starts', () => {
    expect(readiness.check()).toBe(true);
    leave();
    expect(readiness.check()).toBe(false);
  });

  test('does not wait without recent readiness checks', async () => {
    leave();
    await pass(0);
    expect(left).toBe(true);

    readiness = new Readiness();
    left = false;
    ask();
    await pass(15_001);
    leave();
    await pass(0);
    expect(left).toBe(true);
  });

  test('waits until a check gets "not ready" and a short time for other checkers', async () => {
    ask();
    leave();
    await pass(900);
    ask();
    await pass(1249);
    expect(left).toBe(false);
    await pass(1);
    expect(left).toBe(true);
  });

  test('ignores an answer to an earlier check', async () => {
    const ready = readiness.check();
    leave();
    readiness.answered(ready);
    await pass(2000);
    expect(left).toBe(false);
  });

  test('waits at most three seconds', async () => {
    ask();
    leave();
    await pass(2999);
    expect(left).toBe(false);
    await pass(1);
    expect(left).toBe(true);
  });
});
