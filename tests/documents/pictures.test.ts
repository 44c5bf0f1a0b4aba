import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Copies everything that the pictures of the documents show, changes one file, and asks which pictures are out of date.
interface Places {
  root: string;
  folder: string;
  record: string;
}
interface TakenFrom {
  pagePictures: { file: string }[];
  terminalPicture: string;
  recordPictures(paths: string[], places: Places): Promise<void>;
  stalePictures(places?: Places): Promise<{ file: string; reason: string }[]>;
  strayPictures(): string[];
}
const script = new URL('../../scripts/screenshots/taken-from.mjs', import.meta.url).href;
const { pagePictures, terminalPicture, recordPictures, stalePictures, strayPictures }: TakenFrom =
  await import(script);
const files = [...pagePictures.map(({ file }) => file), terminalPicture];
const web = 'examples/server/web';
let places: Places;

beforeAll(async () => {
  const root = await mkdtemp(join(tmpdir(), 'latchkey-pictures-'));
  places = { root, folder: join(root, 'pictures'), record: join(root, 'taken-from.json') };
  for (const path of ['src', 'cli', web, 'scripts/screenshots', 'tsconfig.json', 'tsconfig.web.json'])
    await cp(path, join(root, path), { recursive: true });
  await mkdir(places.folder);
  for (const file of files) await copyFile(join('docs/screenshots', file), join(places.folder, file));
  await recordPictures(
    files.map((file) => join(places.folder, file)),
    places,
  );
});
afterAll(() => rm(places.root, { recursive: true }));

/** The pictures that are out of date after a change of a file. Undoes the change. */
async function staleAfter(path: string, change: (text: string) => string): Promise<string[]> {
  const file = join(places.root, path);
  const before = await readFile(file, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  await writeFile(file, after);
  const stale = await stalePictures(places);
  await writeFile(file, before);
  return stale.map(({ file }) => file);
}
const replace = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);
const of = (...names: string[]) => files.filter((file) => names.some((name) => file.startsWith(name)));

test('the pictures of the documents are current', async () => {
  expect(await stalePictures()).toEqual([]);
});

test('the folder of the pictures contains no other file', () => {
  expect(strayPictures()).toEqual([]);
});

test('pictures that were just taken are current', async () => {
  expect(await stalePictures(places)).toEqual([]);
});

test('a changed page makes only its own pictures stale', async () => {
  const page = `${web}/pages/security-page.tsx`;
  expect(await staleAfter(page, (text) => `${text}\nconsole.log('changed');\n`)).toEqual(of('security'));
});

test('a changed English text makes the pictures of the pages that use it stale', async () => {
  const stale = await staleAfter(`${web}/messages/en/overview.json`, (text) =>
    text.replaceAll('": "', '": "New '),
  );
  expect(stale).toContain('overview-1440-dark.webp');
  expect(stale).not.toContain('sign-in-1440-light.webp');
});

test('a changed German text makes no picture stale', async () => {
  expect(await staleAfter(`${web}/messages/de/entrance.json`, replace('": "', '": "Bitte '))).toEqual([]);
});

test('a changed style of the layout makes the pictures of signed-in users stale', async () => {
  const stale = await staleAfter(`${web}/layout/rail.css`, (text) => `${text}\n.rail { color: red; }\n`);
  expect(stale).toEqual(files.filter((file) => !file.startsWith('sign-in') && file !== terminalPicture));
});

test('a changed element makes the pictures of the pages with this element stale', async () => {
  const change = (text: string) => `${text}\nconsole.log('changed');\n`;
  expect(await staleAfter('src/elements/passkeys.ts', change)).toEqual(of('security'));
});

test('changed invented data makes the pictures of signed-in users stale', async () => {
  const stale = await staleAfter('scripts/screenshots/names.mjs', replace('nora.lindqvist', 'nora.smith'));
  expect(stale).toEqual(files.filter((file) => !file.startsWith('sign-in') && file !== terminalPicture));
});

test('a changed first screen of the terminal makes the picture of the terminal stale', async () => {
  const stale = await staleAfter('cli/screens/home/facts.tsx', replace('is unreachable', 'is not reachable'));
  expect(stale).toEqual([terminalPicture]);
});

test('a change of the service makes no picture stale', async () => {
  const change = (text: string) => `${text}\nconsole.log('changed');\n`;
  expect(await staleAfter('src/webhooks/destination.ts', change)).toEqual([]);
});

test('a comment or another formatting makes no picture stale', async () => {
  const change = (text: string) => `// A comment.\n\n${text.replaceAll(';\n', ';\n\n')}`;
  expect(await staleAfter(`${web}/pages/security-page.tsx`, change)).toEqual([]);
});

test('a picture that the script did not take, a missing one and a too large one are reported', async () => {
  const [edited = '', missing = '', large = ''] = files;
  await writeFile(join(places.folder, edited), 'edited');
  await rm(join(places.folder, missing));
  await writeFile(join(places.folder, large), Buffer.alloc(150_000));
  await recordPictures([join(places.folder, large)], places);
  expect(await stalePictures(places)).toEqual([
    { file: edited, reason: 'is not the picture that was taken' },
    { file: missing, reason: 'is missing' },
    { file: large, reason: 'has 150000 bytes or more' },
  ]);
});
