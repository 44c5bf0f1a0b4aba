// Edits the pages of TypeDoc for docs/reference/api/.
import { anchorOf } from './anchors.ts';

/** Makes the pages of TypeDoc shorter: no headings for single values, and no list of what a class extends. */
export function compact(text: string): string {
  return `${text
    .replaceAll(
      /^#{4,6} (Overrides|Extends|Inherited from|Implementation of)\n\n[^#]*(?=^(?:#|\*\*\*))/gm,
      '',
    )
    .replaceAll(/^#{4,6} (Returns|Throws)\n\n/gm, '**$1:** ')
    .replaceAll(/^#{4,6} (Parameters|Type Parameters|Example|Properties|Call Signature)\n/gm, '**$1**\n')
    .replaceAll(/\[([^\]]*)\]\(#property-[^)]*\)/g, '$1')
    .replaceAll(/<a id="[^"]*"><\/a> /g, '')
    .replaceAll(/^\|( :-+ \|)+$/gm, (line) => line.replaceAll(/ :-+ /g, '---'))
    .replaceAll(/\(index\.md/g, '(latchkey.md')
    .replaceAll(/^\*\*\*\n\n/gm, '')
    .replaceAll(/ +$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

/** Lists every exported name with the first sentence of its comment. */
export function indexOf(named: Readonly<Record<string, string>>): string {
  const sections = Object.entries(named).map(([file, text]) => {
    const [title = ''] = /(?<=^# ).+/m.exec(text) ?? [];
    const lines = [...text.matchAll(/^### (.+)\n\n([\s\S]*?)(?=^###? |(?![\s\S]))/gm)].map(
      ([, name = '', body = '']) => {
        const sentence = firstSentence(body);
        return `- [${name}](${file}#${anchorOf(name)})${sentence ? `: ${sentence}` : ''}`;
      },
    );
    return `## [${title}](${file})\n\n${lines.join('\n')}\n`;
  });
  return `# API\n\nThe exported names of the package, from the comments in the source code. Editors show the same texts.\n\n${sections.join('\n')}`;
}

/** The first sentence of the text. Empty if the text starts with anything other than a sentence. */
function firstSentence(body: string): string {
  const paragraph = body
    .replace(/^```ts\n[\s\S]*?\n```\n+/, '')
    .replace(/\n\n[\s\S]*$/, '')
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim();
  if (!/^[A-Z`A-Za-z]/.test(paragraph) || /^(#|\*\*|\||>|```)/.test(paragraph)) return '';
  return (/^.*?[.:](?=\s+[A-Z]|\s*$)/.exec(paragraph)?.[0] ?? paragraph).replace(/:$/, '.');
}
