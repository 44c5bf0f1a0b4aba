// Finds links to files and headings of this repository that do not exist.
import { importBundled } from './bundle.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
const { deadLinksIn, documents } = await importBundled('scripts/dead-links.ts');
const dead = documents().flatMap((path) => deadLinksIn(path));
for (const message of dead) console.error(message);
if (dead.length > 0) {
  console.error(`\n${dead.length} dead links.`);
  process.exit(1);
}
