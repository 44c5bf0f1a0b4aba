/** Waits until the page has loaded its content and its fonts. */
export async function settle(page, { isLoading = false } = {}) {
  if (!isLoading) await page.waitForLoadState('networkidle');
  // `waitForFunction` would evaluate text in the page, which the policy of the pages forbids.
  const deadline = Date.now() + 15_000;
  while (!isLoading && (await page.evaluate(isLoadingContent))) {
    if (Date.now() > deadline) throw new Error(`${page.url()} is still loading`);
    await twoFrames(page);
  }
  await page.evaluate('document.fonts.ready.then(() => null)');
}

const isLoadingContent = `document.querySelector('.skeleton, .list[aria-busy=true]') !== null`;

/** Charts and open menus follow a change of the width in the next frame. */
export const twoFrames = (page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
