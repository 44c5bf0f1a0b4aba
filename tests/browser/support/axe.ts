import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, NodeResult } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const allTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose results depend on the color scheme or on the width. All other rules depend only on the content. */
const visualRules = ['color-contrast', 'link-in-text-block', 'target-size'];

const optionsFor = (runOnly: object) => ({
  runOnly,
  resultTypes: ['violations'],
  // Preloading the style sheets helps only the rule about screen orientation. It is unnecessary here, because the style
  // sheets do not depend on the orientation.
  preload: false,
});

/** Checks the page's current state against the axe rules for WCAG 2.2 AA and for good practice. */
export const expectAccessible = (page: Page, state: string): Promise<void> => check(page, state, allTags);

/** Checks only colors and sizes. Use this after `expectAccessible`, in other colors and at another width. */
export const expectAccessibleStill = (page: Page, state: string): Promise<void> =>
  check(page, state, { type: 'rule', values: visualRules });

async function check(page: Page, state: string, rules: object): Promise<void> {
  // The debugger runs axe's code, because the debugger ignores the content security policy. The code runs once per
  // document.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source);
  const options = JSON.stringify(optionsFor(rules));
  // Playwright serializes the complete result slowly.
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  );
  const violationTexts = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}) at ${node.target.join(' ')}: ${reasonsOf(node)}`),
  );
  expect(violationTexts, `violations that axe finds in ${state}`).toEqual([]);
}

const reasonsOf = ({ any, all, none }: NodeResult): string =>
  [...any, ...all, ...none].map(({ message }) => message).join('; ');
