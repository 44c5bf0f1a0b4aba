import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, NodeResult } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const options = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  // Style sheets are read for the one rule about turned screens, and ours turn nothing.
  preload: false,
};

/** Holds what a page shows just now to WCAG 2.2 AA and to good practice, as far as a machine can tell. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  // Evaluated by the debugger, which no content policy binds; once a document.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  const faults = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}) at ${node.target.join(' ')}: ${reasonsOf(node)}`),
  );
  expect(faults, `what axe finds in ${state}`).toEqual([]);
}

const reasonsOf = ({ any, all, none }: NodeResult): string =>
  [...any, ...all, ...none].map(({ message }) => message).join('; ');
