import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = 'docs/guides/';
const guides = readdirSync(folder).filter((name) => name.startsWith('migrate-from-'));

test.each(guides)('%s contains the files that the tests run', (name) => {
  const text = readFileSync(folder + name, 'utf8');
  const blocks = [...text.matchAll(/<!-- file: (\S+) -->\n```\w+\n(.*?)```/gs)];
  expect(blocks.length).toBeGreaterThan(0);
  for (const [, file = '', shown] of blocks)
    expect([file, shown]).toEqual([file, readFileSync(file, 'utf8')]);
  const system = name.slice('migrate-from-'.length, -'.md'.length);
  expect(blocks.map(([, file]) => file)).toContain(`examples/migrate/${system}.mjs`);
  expect(text).toContain(`tests/migrating/${system}.test.ts`);
});

test('a guide exists for each script', () => {
  const scripts = readdirSync('examples/migrate').filter((name) => /^(?!write-users).*\.mjs$/.test(name));
  expect(guides).toEqual(scripts.map((name) => `migrate-from-${name.replace('.mjs', '.md')}`));
});

test.each(guides)('%s names only environment variables that exist', (name) => {
  const variables = new Set(readFileSync('.env.example', 'utf8').match(/^#? ?[A-Z_]+(?==)/gm));
  const text = readFileSync(folder + name, 'utf8').replace(/```.*?```/gs, '');
  const named = [...text.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, variable = '']) => variable);
  expect(variables).toContain('WEBAUTHN_RP_ID');
  expect(named.filter((variable) => !variables.has(variable))).toEqual([]);
});
