import { anchorOf } from './anchors.ts';

/** A link or a picture in a Markdown document. */
export interface MarkdownLink {
  /** The line, from 1. */
  line: number;
  /** The address as written, such as `docs/guides/roles.md#define-a-role`. */
  target: string;
  /** Where the address starts in the document. */
  index: number;
}

/** The start of an address: `](address)`, `[name]: address`, `href="address"`, `src="address"` or `srcset="address"`. */
const address = /(\]\(<?|^ {0,3}\[[^\]]+\]:\s+|\b(?:href|src|srcset)=")([^\s)>"]+)/gm;

/** Returns the links and pictures of a document, except those in code. */
export function linksIn(text: string): MarkdownLink[] {
  const prose = withoutCode(text);
  return [...prose.matchAll(address)].map(({ index, 1: before = '', 2: target = '' }) => ({
    line: prose.slice(0, index).split('\n').length,
    target,
    index: index + before.length,
  }));
}

/** The ids that GitHub gives to the headings of a document, and the ids of its elements. */
export function idsIn(text: string): ReadonlySet<string> {
  const ids = new Set<string>();
  const prose = withoutCode(text, false);
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} +(.*?) *#*$/gm)) {
    const id = anchorOf(heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1'));
    let unique = id;
    for (let count = 1; ids.has(unique); count += 1) unique = `${id}-${count}`;
    ids.add(unique);
  }
  for (const [, id = ''] of prose.matchAll(/\b(?:id|name)="([^"]+)"/g)) ids.add(id);
  return ids;
}

/** Replaces code with spaces, so that everything else keeps its position. */
function withoutCode(text: string, inline = true): string {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, ' ');
  const prose = text.replaceAll(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^ *\2[`~]* *$/gm, blank);
  return inline ? prose.replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, blank) : prose;
}
