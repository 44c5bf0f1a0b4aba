import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Sets the direction of the page to right-to-left. Expects every box and every block of text at the mirrored position. Physical
 * properties such as `margin-left` break this, because only logical properties follow the direction.
 */
export async function expectMirrored(page: Page, name: string): Promise<void> {
  const leftToRight = await layoutOf(page, 'ltr');
  const rightToLeft = await layoutOf(page, 'rtl');
  const misplaced = leftToRight.flatMap(({ what, left, right }, index) => {
    const mirrored = rightToLeft[index];
    const isMirrored = mirrored && isNear(left, mirrored.right) && isNear(right, mirrored.left);
    return isMirrored ? [] : [`${what}: ${left} and ${right}, then ${mirrored?.left} and ${mirrored?.right}`];
  });
  expect(leftToRight.length).toBeGreaterThan(10);
  expect(
    misplaced,
    `distances from the left and right edges in ${name}, first left-to-right, then right-to-left`,
  ).toEqual([]);
}

interface Extent {
  what: string;
  /** The distance from the left edge of the page, in pixels. */
  left: number;
  /** The distance from the right edge of the page. */
  right: number;
}

const isNear = (a: number, b: number) => Math.abs(a - b) <= 1;

const layoutOf = (page: Page, direction: 'ltr' | 'rtl'): Promise<Extent[]> =>
  page.evaluate<Extent[]>(`(${extents})('${direction}')`);

/** Runs in the page. Returns the extents of all boxes, of the texts of all blocks, and of positioned pseudo-elements. */
const extents = `(direction) => {
  document.documentElement.dir = direction;
  const width = document.documentElement.clientWidth;
  const nameOf = (element) => element.tagName.toLowerCase() + [...element.classList].map((name) => '.' + name).join('');
  const extentOf = (what, { left, right }) => ({ what, left: Math.round(left), right: Math.round(width - right) });
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '';
  const pseudoExtents = (element) => ['::before', '::after'].flatMap((pseudo) => {
    const { content, position, left, right } = getComputedStyle(element, pseudo);
    if (content === 'none' || position !== 'absolute') return [];
    return [{ what: nameOf(element) + pseudo, left: parseFloat(left), right: parseFloat(right) }];
  });
  const found = [];
  // Also the elements in the shadow trees of custom elements.
  const below = (root) => [...root.querySelectorAll('*')].flatMap((element) =>
    element.shadowRoot ? [element, ...below(element.shadowRoot)] : [element]);
  for (const element of below(document.body)) {
    const { display } = getComputedStyle(element);
    const isHidden = !element.checkVisibility() || element.closest('.visually-hidden, .unseen, svg *');
    if (isHidden || display === 'contents') continue;
    found.push(...pseudoExtents(element));
    if (display === 'inline') continue;
    found.push(extentOf(nameOf(element), element.getBoundingClientRect()));
    if (![...element.childNodes].some(isText)) continue;
    const text = document.createRange();
    text.selectNodeContents(element);
    found.push(extentOf(nameOf(element) + ' (text)', text.getBoundingClientRect()));
  }
  return found;
}`;
