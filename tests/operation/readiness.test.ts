import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Readiness } from '../../examples/server/readiness.ts';

describe('a server that leaves', () => {
  let readiness: Readiness;
  let left: boolean;
  /** Everything that is due within this long. */
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

  test('was ready before, and is not from then on', () => {
    expect(readiness.check()).toBe(true);
    leave();
    expect(readiness.check()).toBe(false);
  });

  test('does not wait where nobody asks, or nobody has for long', async () => {
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

  test('waits until who asks has been told, and a moment more for others who ask', async () => {
    ask();
    leave();
    await pass(900);
    ask();
    await pass(1249);
    expect(left).toBe(false);
    await pass(1);
    expect(left).toBe(true);
  });

  test('does not take for told whose answer was on its way before', async () => {
    const ready = readiness.check();
    leave();
    readiness.answered(ready);
    await pass(2000);
    expect(left).toBe(false);
  });

  test('waits for three seconds at most', async () => {
    ask();
    leave();
    await pass(2999);
    expect(left).toBe(false);
    await pass(1);
    expect(left).toBe(true);
  });
});
