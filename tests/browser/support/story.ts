import { beforeEach, describe } from 'vitest';
import { findChromium } from './chromium.ts';
import { settled } from './settled.ts';
import { skipAfterFailure } from './skip-after-failure.ts';
import { openPages, reportPages } from './watched-pages.ts';

export const inChromium = (title: string, tests: () => void): void =>
  describeIn(findChromium(), title, tests);

/**
 * Describes a story in Chromium. Each test is a step that continues where the previous step ended, on pages that have
 * loaded all their content.
 */
export const story = (title: string, steps: () => void): void => storyIn(findChromium())(title, steps);

/** @param executable the path of another Chromium. Null skips the story. */
export const storyIn =
  (executable: string | null) =>
  (title: string, steps: () => void): void =>
    describeIn(executable, title, () => {
      skipAfterFailure();
      beforeEach(async () => {
        await Promise.all(openPages().map(settled));
      });
      steps();
    });

function describeIn(executable: string | null, title: string, tests: () => void): void {
  describe.skipIf(executable === null)(`in Chromium, ${title}`, { sequential: true }, () => {
    reportPages();
    tests();
  });
}
