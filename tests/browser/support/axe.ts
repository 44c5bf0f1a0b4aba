import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, NodeResult } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const every = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Those that look at colours, at sizes and at where things are; the others read what is shown, wherever it is. */
const ofLooks = [
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
  // Style sheets are read for the one rule about turned screens, and ours turn nothing.
  preload: false,
});

/** Holds what a page shows just now to WCAG 2.2 AA and to good practice, as far as a machine can tell. */
export const expectAccessible = (page: Page, state: string): Promise<void> => hold(page, state, every);

/** The same for a page that shows what it showed then, in other colours or at another width. */
export async function expectAccessibleStill(page: Page, state: string, shownThen: string): Promise<void> {
  const isSame = (await shownOn(page)) === shownThen;
  await hold(page, state, isSame ? { type: 'rule', values: ofLooks } : every);
}

/** What a page has, and which of it is shown, however it looks. */
export const shownOn = (page: Page): Promise<string> =>
  page.evaluate(`document.documentElement.outerHTML + [...document.querySelectorAll('*')]
    .map((element) => element.checkVisibility({ visibilityProperty: true }))`);

async function hold(page: Page, state: string, rules: object): Promise<void> {
  // Evaluated by the debugger, which no content policy binds; once a document.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source);
  const options = JSON.stringify(optionsFor(rules));
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  const faults = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}) at ${node.target.join(' ')}: ${reasonsOf(node)}`),
  );
  expect(faults, `what axe finds in ${state}`).toEqual([]);
}

const reasonsOf = ({ any, all, none }: NodeResult): string =>
  [...any, ...all, ...none].map(({ message }) => message).join('; ');
