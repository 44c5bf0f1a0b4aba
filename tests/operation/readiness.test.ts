import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Readiness } from '../../examples/server/readiness.ts';

describe('a server that shuts down', () => {
  let readiness: Readiness;
  let left: boolean;
  /** Lets this time pass and runs all timers that are due. */
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

  test('is ready until the shutdown starts, and then not ready', () => {
    expect(readiness.check()).toBe(true);
    leave();
    expect(readiness.check()).toBe(false);
  });

  test('does not wait if no proxy recently checked whether it is ready', async () => {
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

  test('waits until one check has returned "not ready", and then 1250 ms more for other checkers', async () => {
    ask();
    leave();
    await pass(900);
    ask();
    await pass(1249);
    expect(left).toBe(false);
    await pass(1);
    expect(left).toBe(true);
  });

  test('keeps waiting if the only check arrived before the shutdown, even if its response came later', async () => {
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
