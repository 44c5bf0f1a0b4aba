import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from './support/installed-package.ts';
import { anyIn, publicTypesOf } from './support/public-types.ts';

const { exports } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const entries = Object.entries(exports as Record<string, { types?: string }>).flatMap(([entry, { types }]) =>
  types ? [[entry.replace('.', 'latchkey'), join(repository, types)] as const] : [],
);

test('the package has eleven entries with types', () => {
  expect(entries.map(([entry]) => entry)).toEqual([
    'latchkey',
    'latchkey/client',
    'latchkey/elements',
    'latchkey/elements/sign-in',
    'latchkey/elements/sign-up',
    'latchkey/elements/passkeys',
    'latchkey/elements/step-up',
    'latchkey/elements/de',
    'latchkey/testing',
    'latchkey/embedded',
    'latchkey/service-token',
  ]);
});

describe.each(entries)('the public types of %s', (entry, path) => {
  const types = publicTypesOf(path);

  // After an intended change of the types, run this file with --update and commit the snapshot.
  test('match the snapshot', async () => {
    const page = `# Public types of \`${entry}\`

Written by \`npm test -- public-types --update\`, sorted by name. The exported types use the types that are not exported.

\`\`\`ts
${types}
\`\`\`
`;
    await expect(page).toMatchFileSnapshot(`api/${entry.replaceAll('/', '-')}.md`);
  });

  test('contain no `any`', () => {
    expect(anyIn(types)).toEqual([]);
  });

  test('contain no names of built files', () => {
    expect(types).toMatch(/^export /m);
    expect(types).not.toMatch(/-[\w-]{8}\.js|\bfrom ['"]|import\(['"]\./);
  });
});

test('`anyIn` finds nested `any` types and ignores strings', () => {
  const types = `
    export type Scope = 'own' | 'any';
    export interface Hidden { deep: { list: Map<string, any>[] } }
    export const listen: (event: string, then: (...args: any[]) => void) => void;`;
  expect(anyIn(types)).toEqual(['Hidden', 'listen']);
});
