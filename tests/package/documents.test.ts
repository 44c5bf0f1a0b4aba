import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the README shows examples/minimal.ts to the letter', () => {
  expect(read('README.md')).toContain(`\`\`\`ts\n${read('examples/minimal.ts')}\`\`\``);
});

test('.env.example, the README and the configuration name the same variables', () => {
  const inExample = [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  const source = ['config', 'relying-party', 'config-values']
    .map((file) => read(`src/core/${file}.ts`))
    .join('\n');
  const inSource = [...new Set([...source.matchAll(/'([A-Z]+_[A-Z_]+)'/g)].map(([, name]) => name))];
  // Read by the terminal program and the example server, not by the service.
  const others = ['BOOTSTRAP_ADMIN_USERNAME', 'BOOTSTRAP_ADMIN_PASSWORD', 'NODE_ENV', 'LOG_LEVEL'];
  expect([...inSource, ...others].sort()).toEqual(inExample.sort());

  const section = read('README.md').split('## Configuration')[1]?.split('\n## ')[0] ?? '';
  const inReadme = [...section.matchAll(/^\|[^|]*/gm)].flatMap(([cell]) => [
    ...cell.matchAll(/`([A-Z_]+)`/g),
  ]);
  for (const [, name] of inReadme) expect(inExample).toContain(name);
  expect(inReadme.length).toBeGreaterThan(10);
});
