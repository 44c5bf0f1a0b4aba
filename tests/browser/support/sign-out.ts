import type { Page } from 'playwright-core';
import { settled } from './settled.ts';

export const openAccountMenu = (page: Page) => page.getByRole('button', { name: /^Account menu of/ }).click();

/** Signs out with the account menu, and waits for the complete sign-in page. */
export async function signOut(page: Page): Promise<void> {
  await openAccountMenu(page);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  await settled(page);
}
