import { dirname, join } from 'node:path/posix';
import { linksIn } from './markdown-links.ts';

/** The package that contains a document. */
export interface Package {
  name: string;
  version: string;
  /** The field `repository` of package.json, if it is set. */
  repository?: string | { url: string } | undefined;
  /** Whether the package contains this file or folder. */
  contains(path: string): boolean;
}

/**
 * Makes the relative links of a document of the package work on other sites. The npm site shows README.md without the
 * other files, so all links of README.md become absolute. In other documents, only the links to files outside of the
 * package become absolute.
 *
 * The addresses come from `repository`. Without a repository, they are those of the published files on unpkg.com, and a
 * link to a file outside of the package becomes text.
 */
export function withPackedLinks(text: string, path: string, packed: Package): string {
  const links = linksIn(text).filter(({ target }) => !/^([a-z][a-z\d+.-]*:|\/\/|#)/i.test(target));
  let result = text;
  for (const { target, index } of links.reverse()) {
    const [file = '', id] = target.split('#');
    const linked = join(dirname(path), file);
    const isPacked = packed.contains(linked);
    if (path !== 'README.md' && isPacked) continue;
    const url = addressOf(linked, isPictureAt(text, index, linked), packed);
    if (url === null) result = withoutLink(result, index, target);
    else result = splice(result, index, target.length, id === undefined ? url : `${url}#${id}`);
  }
  return result;
}

/** Returns the files that a document links to or shows, relative to the folder of the package. */
export const filesLinkedFrom = (text: string, path: string): string[] =>
  linksIn(text).map(({ target }) => join(dirname(path), target.replace(/#.*/, '')));

const isPictureAt = (text: string, index: number, path: string): boolean =>
  /\.(png|webp|svg|gif|jpe?g)$/.test(path) && /(!\[[^\]]*\]\(<?|\bsrc(set)?=")$/.test(text.slice(0, index));

function addressOf(path: string, isPicture: boolean, packed: Package): string | null {
  const { name, version, repository } = packed;
  const url = typeof repository === 'string' ? repository : repository?.url;
  if (url !== undefined) {
    const [, place] = /github(?:\.com[/:]|:)([^/]+\/[^/.#]+)/.exec(url) ?? [];
    if (place === undefined)
      throw new Error(`package.json: repository: expected a URL of github.com, not ${url}`);
    return isPicture
      ? `https://raw.githubusercontent.com/${place}/v${version}/${path}`
      : `https://github.com/${place}/blob/v${version}/${path}`;
  }
  return packed.contains(path) ? `https://unpkg.com/${name}@${version}/${path}` : null;
}

/** Replaces the link `[text](target)` with its text. */
function withoutLink(text: string, index: number, target: string): string {
  const before = text.slice(0, index);
  const start = before.lastIndexOf('[', before.length - 3);
  if (!before.endsWith('](') || before[start - 1] === '!')
    throw new Error(`${target} is not in the package. Link it as [text](${target}), or remove the link`);
  const after = text.slice(index + target.length).replace(/^(\s+"[^"]*")?\)/, '');
  return `${text.slice(0, start)}${before.slice(start + 1, -2)}${after}`;
}

const splice = (text: string, index: number, length: number, replacement: string): string =>
  `${text.slice(0, index)}${replacement}${text.slice(index + length)}`;
