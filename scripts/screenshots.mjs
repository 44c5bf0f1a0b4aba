// `npm run screenshots` takes screenshots of every page of the example server, with invented data:
//   npm run screenshots                                 all, into node_modules/.cache/screenshots
//   npm run screenshots -- --out=/tmp/shots             into another folder
//   npm run screenshots -- --only=users,person          only screenshots whose names begin with one of these words
//   npm run screenshots -- --readme                     only the pictures of the documents that are out of date, into
//                                                       docs/screenshots. To take a picture again, delete it first
//   npm run screenshots -- --check                      takes nothing, and fails if a picture of the documents is out of date
// It needs Chromium, and a font with emoji (Debian: fonts-noto-color-emoji).
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'node_modules/.cache/screenshots' },
    only: { type: 'string', default: '' },
    readme: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
// The imports below import packages, which are missing on a fresh clone until `installIfNeeded` has returned.
const { recordPictures, stalePictures, terminalPicture } = await import('./screenshots/taken-from.mjs');
const stale = values.check || values.readme ? await stalePictures() : [];
if (values.check) {
  for (const { file, reason } of stale) console.error(`docs/screenshots/${file} ${reason}`);
  if (stale.length > 0) console.error('Run `npm run screenshots -- --readme`, and look at the pictures.');
  process.exit(stale.length > 0 ? 1 : 0);
}
const wanted = stale.map(({ file }) => file);
if (values.readme && wanted.length === 0) {
  console.log('All pictures of the documents are current.');
  process.exit();
}
buildIfStale();
if (wanted.includes(terminalPicture)) {
  const { takeTerminalPicture } = await import('./screenshots/terminal.mjs');
  const path = resolve('docs/screenshots', terminalPicture);
  await takeTerminalPicture(path);
  await recordPictures([path]);
  if (wanted.length === 1) process.exit();
}
const { startSite } = await import('./screenshots/site.mjs');
const { openCamera, openReadmeCamera } = await import('./screenshots/camera.mjs');
const { launch } = await import('./screenshots/person.mjs');
const { fill } = await import('./screenshots/data.mjs');
const { showNewUser, showOwnPages } = await import('./screenshots/own-pages.mjs');
const { showAdministration } = await import('./screenshots/administration.mjs');
const { showOrganizations } = await import('./screenshots/organizations.mjs');
const { showEntrances } = await import('./screenshots/entrances.mjs');
const { showRecovery } = await import('./screenshots/recovery.mjs');

const words = values.only.split(',').filter(Boolean);
const camera = values.readme
  ? openReadmeCamera(resolve('docs/screenshots'), wanted)
  : openCamera(resolve(values.out), words);
const site = await startSite();
const browser = await launch(site.origin);
// Closing the browser makes the current step fail, so the `finally` block stops the site and PostgreSQL.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => browser.close());
try {
  const nora = await browser.newPerson('nora.lindqvist');
  const ben = await browser.newPerson('ben.smith');
  for (const person of [nora, ben]) {
    await person.signUp();
    await person.createCodes();
  }
  await fill(site.sql);
  const scene = { site, browser, camera, nora, ben };
  await showOwnPages(scene);
  await showAdministration(scene);
  await showOrganizations(scene);
  await showNewUser(scene);
  await showEntrances(scene);
  await showRecovery(scene);
  if (values.readme) await recordPictures(camera.paths());
  console.log(`${camera.taken()} pictures in ${camera.folder}`);
} finally {
  await browser.close();
  await site.stop();
}
