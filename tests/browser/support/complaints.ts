import type { Page } from 'playwright-core';

/** Chromium’s messages about error responses. The tests expect these responses. */
const usual = /the server responded with a status of (400|401|403|404|409|410)/;

/** Collects the errors in a page's console, except expected errors. */
export class Complaints {
  readonly #texts: string[] = [];
  readonly #expected: RegExp[] = [usual];

  listenTo(page: Page): void {
    page.on('pageerror', (error) => this.#texts.push(`${error}`));
    page.on('console', (message) => message.type() === 'error' && this.#texts.push(message.text()));
  }

  /** Adds expected messages, such as messages about requests whose failure a test causes on purpose. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  ours(): string[] {
    return this.#texts.filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
  }
}
