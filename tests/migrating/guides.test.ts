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
