import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import type { AuthService } from 'latchkey';
import { expect, test } from 'vitest';
import { readBrandSetting } from '../../examples/server/brand/setting.ts';
import { loadPages } from '../../examples/server/pages.ts';
import { readGuide } from './support/guide.ts';
import { createFolder, runShell } from './support/shell-blocks.ts';

const guide = readGuide('docs/guides/theming.md');
const elements = readFileSync('docs/guides/elements.md', 'utf8');
const builtPages = fileURLToPath(new URL('../../examples/server/dist/web/', import.meta.url));

test('the settings of the guide give the built pages a name, a logo and colors, in a shell and in an .env file', async () => {
  const settings = guide.block('BRAND_NAME');
  const BRAND_LOGO = join(createFolder(), 'logo.svg');
  writeFileSync(BRAND_LOGO, '<svg xmlns="http://www.w3.org/2000/svg"></svg>');
  const { stdout } = await runShell(`${settings}printf '%s\\n' "$BRAND_NAME" "$BRAND_LOGO" "$BRAND_ACCENT"`);
  expect(stdout).toBe('Orders\nlogo.svg\n#7b2d8b\n');
  const env = parseEnv(settings);
  expect(env).toEqual({ BRAND_NAME: 'Orders', BRAND_LOGO: 'logo.svg', BRAND_ACCENT: '#7b2d8b' });

  const brand = readBrandSetting({ ...env, BRAND_LOGO });
  const source = {
    config: { origins: ['http://localhost:3000'], passwordMinLength: 8, signUpMode: 'open' },
    organizationRoles: {},
    can: () => false,
  } as unknown as AuthService;
  const { document, assets } = loadPages(source, brand, builtPages);
  expect(`${document.bytes}`).toContain('<title>Orders</title>');
  expect(`${document.bytes}`).toContain('href="/assets/brand-logo.svg"');
  expect(`${assets.get('/assets/brand.css')?.bytes}`).toContain('--green: light-dark(#7b2d8b, ');
});

test('a color with too little contrast is refused', () => {
  expect(() => readBrandSetting({ BRAND_ACCENT: '#c77dd6' })).toThrow('contrast of at least 4.5:1');
});

test('docs/guides/elements.md lists the variables and the part that the guide sets', () => {
  const css = guide.block('::part');
  const names = [...css.matchAll(/(--latchkey-[\w-]+):/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) expect(elements).toContain(`| \`${name}\` |`);
  const [, part] = /::part\(([\w-]+)\)/.exec(css) ?? [];
  expect(elements).toContain(`| \`${part}\` |`);
});
