import type { Page } from 'playwright-core';
import { settled } from './settled.ts';

/** Opens a path as a link in the page does, without loading the document again. */
export async function followLink(page: Page, path: string): Promise<void> {
  await page.evaluate(`{
    const link = Object.assign(document.createElement('a'), { href: ${JSON.stringify(path)} });
    document.body.append(link);
    link.click();
    link.remove();
  }`);
  await settled(page);
}
