import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/openapi/document.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the README contains the unchanged text of examples/minimal.ts', () => {
  expect(read('README.md')).toContain(`\`\`\`ts\n${read('examples/minimal.ts')}\`\`\``);
});

test('the same variables are in .env.example, in the README and in the configuration code', () => {
  const inExample = [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  const source = ['config', 'config-urls', 'config-values', 'relying-party']
    .map((file) => read(`src/core/${file}.ts`))
    .join('\n');
  const inSource = [...new Set([...source.matchAll(/'([A-Z]+_[A-Z_]+)'/g)].map(([, name]) => name))];
  // Only the `latchkey` command and the example server read these variables.
  const others = [
    'BOOTSTRAP_ADMIN_USERNAME',
    'BOOTSTRAP_ADMIN_PASSWORD',
    'NODE_ENV',
    'LOG_LEVEL',
    'TLS_CERTIFICATE',
    'TLS_KEY',
    'METRICS_ADDR',
  ];
  expect([...inSource, ...others].sort()).toEqual(inExample.sort());

  const section = read('README.md').split('## Configuration')[1]?.split('\n## ')[0] ?? '';
  const inReadme = [...section.matchAll(/^\|[^|]*/gm)].flatMap(([cell]) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
  );
  expect(inReadme.sort()).toEqual(inSource.sort());
  for (const name of others) expect(read('README.md')).toContain(name);
});

test('the README lists exactly the endpoints of the OpenAPI document', () => {
  const { paths } = openApiDocument({ prefix: '/auth', cookieName: 'latchkey' });
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const section = read('README.md').split('## Endpoints')[1]?.split('\n### ')[0] ?? '';
  const listed = [...section.matchAll(/^\| ([A-Z, ]+) \| ([^|]+) \|/gm)].flatMap(([, methods, cell]) =>
    [...`${cell}`.matchAll(/`(\/[^`?]+)/g)].flatMap(([, path]) =>
      `${methods}`.split(', ').map((method) => `${method} ${path}`),
    ),
  );
  expect(listed.sort()).toEqual(documented.sort());
});
