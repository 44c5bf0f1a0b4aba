import { TestRunner } from 'vitest';

/** Aborts when the running test times out. Undefined in hooks that run before or after all tests. */
export const testSignal = (): AbortSignal | undefined => TestRunner.getCurrentTest()?.context.signal;
