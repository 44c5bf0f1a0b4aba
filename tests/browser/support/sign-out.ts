import type { Page } from 'playwright-core';

export const openAccountMenu = (page: Page) => page.getByRole('button', { name: /^Account menu of/ }).click();

/** Signs out with the account menu. */
export async function signOut(page: Page): Promise<void> {
  await openAccountMenu(page);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
}
