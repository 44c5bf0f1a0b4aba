import { existsSync, readdirSync, readFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };

/** The sections of llms.txt, with the documents of each. */
const sections: readonly (readonly [heading: string, isIn: (path: string) => boolean])[] = [
  ['Start', (path) => path === 'docs/README.md' || path.startsWith('docs/start/')],
  ['Guides', (path) => path.startsWith('docs/guides/')],
  ['Concepts', (path) => path.startsWith('docs/concepts/')],
  ['Reference', (path) => path.startsWith('docs/reference/')],
  ['Operations', (path) => path.startsWith('docs/operations/')],
  ['Security', (path) => path.startsWith('docs/security/')],
  // Readers with little space can leave this section out (llmstxt.org).
  ['Optional', () => true],
];

/** The text of llms.txt (https://llmstxt.org): all documents, with the first sentence of each. */
export function llmsText(): string {
  const all = documentsInOrder();
  const listed = sections.map(([heading, isIn], index) => {
    const earlier = sections.slice(0, index);
    const paths = all.filter((path) => isIn(path) && !earlier.some(([, isInEarlier]) => isInEarlier(path)));
    return paths.length === 0 ? '' : `\n## ${heading}\n\n${paths.map(lineOf).join('\n')}\n`;
  });
  return `# Latchkey\n\n> ${packageJson.description}\n\n${rules}\n${listed.join('')}`;
}

const rules = `- Latchkey is the npm package \`${packageJson.name}\`: ESM only, with types, for Node.js ${packageJson.engines.node.replace('>=', '')} or later.
- Links are relative to this file. The package contains the same documents: \`node_modules/${packageJson.name}/docs/\`.
- [AGENTS.md](AGENTS.md) has the rules for programs that edit code.`;

/** In the order of the table of contents, then by path. */
function documentsInOrder(): string[] {
  const contents = existsSync('docs/README.md') ? readFileSync('docs/README.md', 'utf8') : '';
  const placeOf = (path: string) => {
    const place = path === 'docs/README.md' ? 0 : contents.indexOf(`(${path.slice('docs/'.length)}`);
    return place === -1 ? contents.length : place;
  };
  const documents = readdirSync('docs', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ parentPath, name }) => `${parentPath}/${name}`.replaceAll('\\', '/'))
    // The index of the API lists these pages.
    .filter((path) => !/^docs\/reference\/api\/(?!README)/.test(path))
    .sort();
  return [...documents.sort((one, other) => placeOf(one) - placeOf(other)), 'CHANGELOG.md'];
}

function lineOf(path: string): string {
  const text = readFileSync(path, 'utf8');
  const [, title = path] = /^# (.+)$/m.exec(text) ?? [];
  const paragraph = text.replace(/^[\s\S]*?^# .+\n+/m, '').replace(/\n\n[\s\S]*$/, '');
  const sentence = /^[A-Z`[]/.test(paragraph) ? (/^[\s\S]*?[.:](?=\s|$)/.exec(paragraph)?.[0] ?? '') : '';
  const note = sentence
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replace(/:$/, '.');
  return `- [${title.replaceAll('`', '')}](${path})${note === '' ? '' : `: ${note}`}`;
}
