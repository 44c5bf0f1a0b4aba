import { beforeEach } from 'vitest';

/**
 * For a story, in which each test continues where the previous test ended. After a test fails, skips all later tests.
 * The report lists each of them with the title of the failed test.
 */
export function skipAfterFailure(): void {
  let failed: string | null = null;
  beforeEach(({ task, skip, onTestFailed }) => {
    skip(failed !== null, `because this step failed: ${failed}`);
    onTestFailed(() => {
      failed = task.name;
    });
  });
}
