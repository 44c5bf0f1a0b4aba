import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import type { AuthService } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Color, contrast, parseColor } from '../../examples/server/brand/color.ts';
import { type Brand, readBrandSetting } from '../../examples/server/brand/setting.ts';
import { shadesOf } from '../../examples/server/brand/shades.ts';
import { loadPages, servePages } from '../../examples/server/pages.ts';
import { setSecurityHeaders } from '../../examples/server/security-headers.ts';
import { send } from '../support/raw-request.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { serve } from '../support/serve.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-brand-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    '<title>Latchkey</title><meta name="latchkey-brand-name" content=""><meta name="latchkey-brand-logo" content=""><link rel="icon" href="/assets/favicon.svg" type="image/svg+xml" /><link rel="stylesheet" href="/assets/app.css" />',
  );
  writeFileSync(
    join(folder, 'assets', 'favicon.svg'),
    '<svg><rect fill="#0c4132"/><path fill="#f0c768"/></svg>',
  );
});
afterAll(() => removeFolder(folder));

const write = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);

describe('the settings of the brand', () => {
  test('are those of Latchkey by default', () => {
    const expected = { name: 'Latchkey', logo: null, accent: null };
    expect(readBrandSetting({})).toEqual(expected);
    expect(readBrandSetting({ BRAND_NAME: ' ', BRAND_LOGO: '', BRAND_ACCENT: ' ' })).toEqual(expected);
  });

  test('accept a name, a logo and a color', () => {
    const svg = '<?xml version="1.0"?>\n<!-- Orders --><svg xmlns="http://www.w3.org/2000/svg"></svg>';
    const env = { BRAND_NAME: ' Orders ', BRAND_LOGO: write('logo.svg', svg), BRAND_ACCENT: '#7B2D8B' };
    expect(readBrandSetting(env)).toEqual({
      name: 'Orders',
      logo: { type: '.svg', bytes: Buffer.from(svg) },
      accent: [0x7b, 0x2d, 0x8b],
    });
    expect(readBrandSetting({ BRAND_LOGO: write('logo', png) }).logo?.type).toBe('.png');
  });

  test.each([
    [{ BRAND_NAME: 'x'.repeat(41) }, 'BRAND_NAME: given "x{41}"; expected a name of at most 40 characters'],
    [{ BRAND_NAME: 'a\u202eb' }, 'BRAND_NAME: given ".+"; expected a name .+ without control characters'],
    [{ BRAND_ACCENT: 'green' }, 'BRAND_ACCENT: given "green"; expected a color such as #0f5f48'],
    [
      { BRAND_ACCENT: '#ffcc00' },
      'BRAND_ACCENT: given "#ffcc00"; .+ at least 4.5:1 .+contrast is 1.\\d+:1, so it needs to be darker',
    ],
    [{ BRAND_LOGO: '/nowhere/logo.svg' }, 'BRAND_LOGO: given "/nowhere/logo.svg"; .+ cannot be read: ENOENT'],
  ])('reject %j, and name the variable, the value and what is expected', (env, message) => {
    expect(() => readBrandSetting(env)).toThrow(new RegExp(message));
  });

  test.each([
    ['text', 'Orders', 'neither an SVG nor a PNG'],
    ['html', '<html><svg></svg></html>', 'neither an SVG nor a PNG'],
    ['script', '<svg><script>alert(1)</script></svg>', 'a script'],
    [
      'script with a prefix',
      '<svg xmlns:s="http://www.w3.org/2000/svg"><s:script href="a.js"/></svg>',
      'a script',
    ],
    ['script with a prefix that is not ASCII', '<svg><é:script/></svg>', 'a script'],
    ['handler', '<svg onload="alert(1)"></svg>', 'an event handler'],
    ['handler after a slash', '<svg><g/onload=alert(1)></svg>', 'an event handler'],
    ['handler after a quotation mark', `<svg><g id="a"onload='alert(1)'/></svg>`, 'an event handler'],
    ['foreign', '<svg><foreignObject></foreignObject></svg>', 'foreign content'],
    ['link', '<svg><a href="javascript:alert(1)"></a></svg>', 'a script'],
    ['entity', '<!-- x --><svg><!ENTITY x "y"></svg>', 'an entity'],
    ['large', `<svg>${' '.repeat(100_000)}</svg>`, 'its size is 101 kB'],
  ])('reject a logo that is or contains: %s', (name, content, reason) => {
    const read = () => readBrandSetting({ BRAND_LOGO: write(name, content) });
    expect(read).toThrow(/BRAND_LOGO: given .+ expected the path of an SVG or PNG file/);
    expect(read).toThrow(reason);
  });

  test('check a logo that begins with many comments in less than two seconds of CPU time', () => {
    for (let comments = 20; comments <= 40; comments += 1) {
      const start = process.cpuUsage();
      const path = write('comments', `${'<!-- -->'.repeat(comments)}<html>`);
      expect(() => readBrandSetting({ BRAND_LOGO: path })).toThrow('neither an SVG nor a PNG');
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1e6, `${comments} comments`).toBeLessThan(2);
    }
    const svg = `${'<!-- a --> '.repeat(1000)}<svg></svg>`;
    expect(readBrandSetting({ BRAND_LOGO: write('commented.svg', svg) }).logo?.type).toBe('.svg');
  });

  test('are reported together if several are invalid', () => {
    expect(() => readBrandSetting({ BRAND_ACCENT: '#fff', BRAND_NAME: 'x'.repeat(50) })).toThrow(
      /BRAND_NAME[\s\S]+BRAND_ACCENT/,
    );
  });
});

describe('the colors of a brand', () => {
  /** Every accent color that the setting accepts, of a grid of 512 colors. */
  const accents: Color[] = [];
  for (let red = 0; red < 256; red += 36)
    for (let green = 0; green < 256; green += 36)
      for (let blue = 0; blue < 256; blue += 36)
        if (contrast([red, green, blue], [255, 255, 255]) >= 4.5) accents.push([red, green, blue]);
  const canvas: [Color, Color] = [
    [0xf5, 0xf7, 0xf5],
    [0x0a, 0x13, 0x10],
  ];

  test.each([
    ['the text of a primary button', 'on-green', 'green', 4.5],
    ['a link on the page', 'green-ink', canvas, 4.5],
    ['a badge', 'green-ink', 'green-soft', 4.5],
    ['a primary button on the page', 'green', canvas, 3],
    ['the current page in the navigation', 'rail-ink', 'rail-raised', 7],
    ['another page in the navigation', 'rail-ink-2', 'rail', 4.5],
    ['another page in the navigation that the pointer is on', 'rail-ink-2', 'rail-raised', 4.5],
  ] as const)('have enough contrast for %s, in light and dark', (_, front, back, least) => {
    expect(accents.length).toBeGreaterThan(100);
    for (const accent of accents) {
      const shades = shadesOf(accent);
      const backs = typeof back === 'string' ? shades[back] : back;
      for (const theme of [0, 1] as const) {
        const ratio = contrast(shades[front]?.[theme] as Color, backs?.[theme] as Color);
        expect(ratio, `${front} for the accent ${accent}, theme ${theme}`).toBeGreaterThanOrEqual(least);
      }
    }
  });

  test('are compared with the contrast formula of WCAG 2.2', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrast([255, 255, 255], [119, 119, 119])).toBeCloseTo(4.48, 2);
    expect(parseColor('#0f4')).toEqual([0, 255, 68]);
    expect(parseColor('#0f4a')).toBeNull();
  });
});

describe('the pages of a brand', () => {
  const source = {
    config: { origins: ['http://localhost:3000'], passwordMinLength: 8, signUpMode: 'open' },
    organizationRoles: {},
    can: () => false,
  } as unknown as AuthService;
  const pagesOf = (brand: Brand) => loadPages(source, brand, folder);
  const brand = { name: '<b>"$&\'', logo: { type: '.png', bytes: png }, accent: [123, 45, 139] } as const;

  test('contain its escaped name, its logo, its icon and its colors', () => {
    const { document, assets } = pagesOf(brand);
    const html = `${document.bytes}`;
    expect(html).toContain("<title>&lt;b&gt;&quot;$&amp;'</title>");
    expect(html).toContain('<meta name="latchkey-brand-name" content="&lt;b&gt;&quot;$&amp;\'">');
    expect(html).toContain('<meta name="latchkey-brand-logo" content="/assets/brand-logo.png">');
    expect(html).toContain('<link rel="icon" href="/assets/brand-logo.png" type="image/png" />');
    expect(html).toContain('app.css" />\n    <link rel="stylesheet" href="/assets/brand.css" />');
    expect(assets.get('/assets/brand-logo.png')?.bytes).toEqual(png);
    expect(`${assets.get('/assets/brand.css')?.bytes}`).toContain('--green: light-dark(#7b2d8b, ');
  });

  test('without a logo have the mark of Latchkey in the color of the brand', () => {
    const { document, assets } = pagesOf({ ...brand, logo: null });
    expect(`${document.bytes}`).toContain(
      '<link rel="icon" href="/assets/favicon.svg" type="image/svg+xml" />',
    );
    const [plate] = /#[\da-f]{6}/.exec(`${assets.get('/assets/favicon.svg')?.bytes}`) ?? [];
    expect(plate).not.toBe('#0c4132');
    expect(`${assets.get('/assets/favicon.svg')?.bytes}`).toContain('#f0c768');
  });

  test('without settings load no additional style sheet', () => {
    const { document, assets } = pagesOf({ name: 'Latchkey', logo: null, accent: null });
    expect(`${document.bytes}`).not.toContain('brand.css');
    expect([...assets.keys()]).toEqual(['/assets/favicon.svg']);
  });

  test('are served with a policy that allows no scripts in SVG files, even if the file has not changed', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>');
    const app = new Koa();
    app.use(setSecurityHeaders('http://localhost:3000'));
    const { config } = source;
    app.use(servePages(pagesOf({ ...brand, logo: { type: '.svg', bytes: svg } }), config));
    const served = await serve(app);
    try {
      const get = async (path: string, headers = {}) => {
        const response = await send(served.url, path, { headers });
        return { ...response, policy: response.headers['content-security-policy'] };
      };
      for (const path of ['/assets/brand-logo.svg', '/assets/favicon.svg']) {
        const { status, policy, headers } = await get(path);
        expect([status, policy]).toEqual([
          200,
          "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox",
        ]);
        const fresh = await get(path, { 'If-None-Match': headers.etag });
        expect([fresh.status, fresh.policy]).toEqual([304, policy]);
      }
      expect((await get('/assets/brand.css')).policy).toContain("script-src 'self'");
    } finally {
      await served.close();
    }
  });
});
