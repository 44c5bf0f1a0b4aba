import type { Page } from 'playwright-core';

/** What a page's console complains of, but for the answers 400, 401, 403, 404, 409 and 410 that Chromium itself prints. */
export class Complaints {
  readonly #texts: string[] = [];

  listenTo(page: Page): void {
    page.on('pageerror', (error) => this.#texts.push(`${error}`));
    page.on('console', (message) => message.type() === 'error' && this.#texts.push(message.text()));
  }

  ours(): string[] {
    return this.#texts.filter(
      (text) => !/the server responded with a status of (400|401|403|404|409|410)/.test(text),
    );
  }
}
