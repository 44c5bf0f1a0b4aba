import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { idsIn, linksIn } from './markdown-links.ts';

/** A file system that tests can replace. */
export interface Files {
  exists(path: string): boolean;
  read(path: string): string;
}

const onDisk: Files = { exists: existsSync, read: (path) => readFileSync(path, 'utf8') };

/** The documents whose links are checked. */
export const documents = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', 'llms.txt'], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter(existsSync);

/**
 * Returns one message for each link of a document to a file or a heading of this repository that does not exist. Does not
 * check links to other sites.
 */
export function deadLinksIn(path: string, { exists, read }: Files = onDisk): string[] {
  const known = new Map<string, ReadonlySet<string>>();
  const idsOf = (file: string) => {
    const ids = known.get(file) ?? idsIn(read(file));
    known.set(file, ids);
    return ids;
  };
  return linksIn(read(path)).flatMap(({ line, target }) => {
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(target)) return [];
    const [file = '', id] = target.split('#');
    const linked = file === '' ? path : join(dirname(path), decodeURIComponent(file));
    const at = `${path}:${line}: ${target}:`;
    if (file.startsWith('/')) return [`${at} write the path relative to ${dirname(path)}`];
    if (!exists(linked)) return [`${at} ${linked} does not exist`];
    if (id === undefined || !/\.(md|txt)$/.test(linked) || idsOf(linked).has(id)) return [];
    return [`${at} ${linked} has no heading with the id ${id}`];
  });
}
