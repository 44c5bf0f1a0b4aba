import type { Page } from 'playwright-core';

/** What Chromium prints for error answers that the tests expect. */
const usual = /the server responded with a status of (400|401|403|404|409|410)/;

/** Collects the errors in a page's console, except expected ones. */
export class Complaints {
  readonly #texts: string[] = [];
  readonly #expected: RegExp[] = [usual];

  listenTo(page: Page): void {
    page.on('pageerror', (error) => this.#texts.push(`${error}`));
    page.on('console', (message) => message.type() === 'error' && this.#texts.push(message.text()));
  }

  /** Expects messages of requests that a test makes fail on purpose. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  ours(): string[] {
    return this.#texts.filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
  }
}
