import { expect } from 'vitest';
import type { Person } from './person.ts';

/** Presses keys as a user does, and reads which element has the focus. */
export interface Keyboard {
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Returns the text or the label of the focused element. Empty: the browser's own controls have the focus. */
  focused(): Promise<string>;
  /** Presses Tab until this element has the focus. Expects each focus to be visible. Returns the earlier elements. */
  tabTo(name: string | RegExp): Promise<string[]>;
}

const mostTabs = 80;

/** @param person returns the user, who may be created after this call */
export function keyboardOf(person: () => Person): Keyboard {
  const press = (key: string) => person().page.keyboard.press(key);
  const focused = () => person().page.evaluate<string>(nameOfFocused);
  return {
    press,
    type: (text) => person().page.keyboard.type(text),
    focused,
    async tabTo(name) {
      const passed: string[] = [];
      for (let steps = 0; steps < mostTabs; steps++) {
        await press('Tab');
        const reached = await focused();
        if (reached === '') continue;
        expect(await person().page.evaluate(outlineOfFocused), `the outline of ${reached}`).toBe('solid');
        if (typeof name === 'string' ? reached === name : name.test(reached)) return passed;
        passed.push(reached);
      }
      throw new Error(`Tab does not reach ${name}, only ${passed.join(', ')}`);
    },
  };
}

/** The focused element, also in the shadow trees of custom elements. */
const activeElement = `(() => {
  let { activeElement } = document;
  while (activeElement?.shadowRoot?.activeElement) ({ activeElement } = activeElement.shadowRoot);
  return activeElement;
})()`;

const nameOfFocused = `(() => {
  const activeElement = ${activeElement};
  if (!activeElement || activeElement === document.body) return '';
  const label = activeElement.labels?.[0];
  if (!label && activeElement.ariaLabel) return activeElement.ariaLabel;
  const named = (label ?? activeElement).cloneNode(true);
  for (const hidden of named.querySelectorAll('[aria-hidden], select')) hidden.remove();
  return named.textContent.replace(/\\s+/g, ' ').trim();
})()`;

// The outline can belong to a pseudo-element, such as that of a link that covers a whole row, or to the visible element
// after an invisible radio button.
export const outlineOfFocused = `(() => {
  const element = ${activeElement};
  const drawn = [[element], [element, '::after'], [element.nextElementSibling ?? element], [element.parentElement]];
  const styles = drawn
    .filter(([element]) => getComputedStyle(element).opacity !== '0')
    .map(([element, part]) => getComputedStyle(element, part).outlineStyle);
  return styles.includes('solid') ? 'solid' : styles[0];
})()`;
