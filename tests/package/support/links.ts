import { dirname, join } from 'node:path/posix';
import { exists, readDocument } from './named-tests.ts';

/** Returns the links of a document to files or headings of this repository that do not exist. */
export const brokenLinksIn = (path: string): string[] =>
  [...readDocument(path).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => {
      const [file = '', heading] = target.split('#');
      const linked = file === '' ? path : join(dirname(path), file);
      if (!exists(linked)) return true;
      return heading !== undefined && !headingsOf(linked).has(heading);
    });

/** Returns the ids that GitHub gives to the headings of a document. */
const headingsOf = (path: string): ReadonlySet<string> =>
  new Set(
    [...readDocument(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
