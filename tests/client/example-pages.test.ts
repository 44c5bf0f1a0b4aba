import { expect, test } from 'vitest';
import { deviceName } from '../../examples/server/web/device-name.ts';
import { returnPath, signInPath } from '../../examples/server/web/return-path.ts';

const origin = 'https://example.org';

test.each([
  ['/settings/security', '/settings/security'],
  ['/settings/security?tab=1', '/settings/security?tab=1'],
  ['/a/../settings', '/settings'],
  [undefined, '/'],
  ['', '/'],
  ['settings', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['\\/evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/\n/evil.example', '/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['/.//evil.example', '/'],
])('after signing in, %j leads to %s', (target, path) => {
  expect(returnPath(target, origin)).toBe(path);
});

test('the sign-in address remembers where somebody was going, and comes back to it', () => {
  expect(signInPath('/')).toBe('/signin');
  const to = new URL(signInPath('/settings/security?a=1&b=2'), origin).searchParams.get('to');
  expect(returnPath(to ?? undefined, origin)).toBe('/settings/security?a=1&b=2');
});

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.0 Safari/605.1.15`,
    'Safari on macOS',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webKit} Version/18.0 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webKit} CriOS/140.0 Mobile/15E148 Safari/604.1`,
    'Chrome on iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${blink} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    `Mozilla/5.0 (Linux; Android 14) ${blink} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', 'Unknown device'],
  [null, 'Unknown device'],
])('%j is called %s', (userAgent, name) => {
  expect(deviceName(userAgent).name).toBe(name);
});
