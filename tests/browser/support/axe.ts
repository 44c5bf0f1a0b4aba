import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, NodeResult } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const allTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules about colors, sizes and positions. All other rules depend only on the content. */
const visualRules = [
  'bypass',
  'color-contrast',
  'link-in-text-block',
  'region',
  'scrollable-region-focusable',
  'skip-link',
  'target-size',
];

const optionsFor = (runOnly: object) => ({
  runOnly,
  resultTypes: ['violations'],
  // Preloading the style sheets helps only the rule about screen orientation. It is unnecessary here, because the style
  // sheets do not depend on the orientation.
  preload: false,
});

/** Checks the page's current state against the axe rules for WCAG 2.2 AA and for good practice. */
export const expectAccessible = (page: Page, state: string): Promise<void> => check(page, state, allTags);

/** Checks the page again in other colors or at another width. Runs fewer rules if the content has not changed. */
export async function expectAccessibleStill(page: Page, state: string, shownBefore: string): Promise<void> {
  const isSame = (await shownOn(page)) === shownBefore;
  await check(page, state, isSame ? { type: 'rule', values: visualRules } : allTags);
}

/** Describes each element of a page and whether the element is visible. Ignores the style of the elements. */
export const shownOn = (page: Page): Promise<string> =>
  page.evaluate(`document.documentElement.outerHTML + [...document.querySelectorAll('*')]
    .map((element) => element.checkVisibility({ visibilityProperty: true }))`);

async function check(page: Page, state: string, rules: object): Promise<void> {
  // The debugger runs axe's code, because the debugger ignores the content security policy. The code runs once per
  // document.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source);
  const options = JSON.stringify(optionsFor(rules));
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  const violationTexts = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}) at ${node.target.join(' ')}: ${reasonsOf(node)}`),
  );
  expect(violationTexts, `violations that axe finds in ${state}`).toEqual([]);
}

const reasonsOf = ({ any, all, none }: NodeResult): string =>
  [...any, ...all, ...none].map(({ message }) => message).join('; ');
