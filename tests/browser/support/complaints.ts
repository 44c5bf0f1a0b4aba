import type { Page } from 'playwright-core';

/** What Chromium itself prints of answers that are part of the story. */
const usual = /the server responded with a status of (400|401|403|404|409|410)/;

/** What a page's console complains of, but for what is expected there. */
export class Complaints {
  readonly #texts: string[] = [];
  readonly #expected: RegExp[] = [usual];

  listenTo(page: Page): void {
    page.on('pageerror', (error) => this.#texts.push(`${error}`));
    page.on('console', (message) => message.type() === 'error' && this.#texts.push(message.text()));
  }

  /** Chromium prints failed requests: those that a story makes fail on purpose. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  ours(): string[] {
    return this.#texts.filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
  }
}
