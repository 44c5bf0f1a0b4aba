import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settle, twoFrames } from './settle.mjs';
import { pagePictures } from './taken-from.mjs';

const heights = { 1440: 900, 1024: 768, 390: 844 };
const allWidths = [1440, 1024, 390];
const themes = ['light', 'dark'];

/**
 * Takes pictures as `NAME-WIDTH-THEME.png`.
 *
 * @param words the beginnings of the names of the pictures to take. Empty: takes all pictures.
 */
export function openCamera(folder, words) {
  let taken = 0;
  return {
    folder,
    taken: () => taken,
    async take({ page }, name, { widths = allWidths, isLoading = false, wholePage = true } = {}) {
      if (words.length > 0 && !words.some((word) => name.startsWith(word))) return resetSize(page);
      await mkdir(folder, { recursive: true });
      await settle(page, { isLoading });
      // Placeholders appear after 200 ms.
      if (isLoading) await page.waitForTimeout(500);
      for (const width of widths) {
        await page.setViewportSize({ width, height: heights[width] });
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme });
          await twoFrames(page);
          // A dialog covers only the viewport.
          if (wholePage && (await page.locator('dialog[open]').count()) === 0)
            await showWholePage(page, width);
          const path = join(folder, `${name}-${width}-${colorScheme}.png`);
          await page.screenshot({ path });
          taken += 1;
        }
      }
      await resetSize(page);
    },
    async print({ page }, name) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `${name}.pdf`), await page.pdf({ format: 'A4' }));
      await page.emulateMedia({ media: 'print' });
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
      await page.emulateMedia({ media: null });
      taken += 2;
    },
  };
}

/**
 * Takes only pictures of the documents, as WebP.
 *
 * @param files the names of the pictures to take
 */
export function openReadmeCamera(folder, files) {
  const paths = [];
  return {
    folder,
    paths: () => paths,
    taken: () => paths.length,
    async take({ page }, taken) {
      for (const { name, width, colorScheme, file } of pagePictures) {
        if (name !== taken || !files.includes(file)) continue;
        await mkdir(folder, { recursive: true });
        await page.setViewportSize({ width, height: heights[width] });
        await page.emulateMedia({ colorScheme });
        await settle(page);
        const path = join(folder, file);
        await writeFile(path, await toWebp(page, await page.screenshot()));
        paths.push(path);
      }
      await resetSize(page);
    },
    print: async () => {},
  };
}

/** Makes the window as high as the page. With `fullPage`, the navigation would end at the edge of the viewport. */
async function showWholePage(page, width) {
  const height = await page.evaluate('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.min(height, 4000) });
  await twoFrames(page);
}

async function resetSize(page) {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Chromium converts the picture in an empty page, because the policy of the server's pages forbids `blob:` images. */
async function toWebp(page, png) {
  const converter = await page.context().newPage();
  const url = await converter.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = Object.assign(document.createElement('canvas'), {
      width: bitmap.width,
      height: bitmap.height,
    });
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    return canvas.toDataURL('image/webp', 0.86);
  }, png.toString('base64'));
  await converter.close();
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
