import { TestRunner } from 'vitest';

/** Returns a signal that aborts when the running test times out. Returns undefined in `beforeAll` and `afterAll`. */
export const testSignal = (): AbortSignal | undefined => TestRunner.getCurrentTest()?.context.signal;
