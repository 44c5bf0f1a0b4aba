import { AuthClientError } from 'latchkey/client';
import { beforeAll, expect, test } from 'vitest';
import { deviceName } from '../../examples/server/web/device-name.ts';
import { explain, passwordFault } from '../../examples/server/web/explain.ts';
import problems from '../../examples/server/web/messages/de/problems.json' with { type: 'json' };
import { setMessages } from '../../examples/server/web/messages/text.ts';
import { returnPath, signInPath, withReturnPath } from '../../examples/server/web/return-path.ts';
import { lengthOf } from '../../examples/server/web/security/password-length.ts';
import { showEnglish } from '../support/english-messages.ts';

beforeAll(showEnglish);

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
])('after a sign-in, the return path %j leads to %s', (target, path) => {
  expect(returnPath(target, origin)).toBe(path);
});

test('the URL of the sign-in page contains the return path', () => {
  expect(signInPath('/')).toBe('/signin');
  const to = new URL(signInPath('/settings/security?a=1&b=2'), origin).searchParams.get('to');
  expect(returnPath(to ?? undefined, origin)).toBe('/settings/security?a=1&b=2');
});

test('the URL of a page for another sign-in method contains the return path only if a return path is given', () => {
  expect(withReturnPath('/signin/password', '/settings/security')).toBe(
    '/signin/password?to=%2Fsettings%2Fsecurity',
  );
  expect(withReturnPath('/signin/password', undefined)).toBe('/signin/password');
});

test('a refused authenticator shows the detail of the service, because it says what is missing', () => {
  const detail = 'The passkey must stay on one device. Use a security key.';
  const details = { reason: 'not_device_bound', detail, nextStep: 'Use another device.' };
  expect(explain(new AuthClientError('authenticator_not_allowed', 'Not allowed.', details))).toEqual({
    tone: 'warning',
    title: 'Not allowed',
    body: detail,
  });
});

test('in German, a refused authenticator shows a translated reason, or the detail of the application', () => {
  setMessages({ problems }, 'de');
  const bodyOf = (reason: string) =>
    explain(new AuthClientError('authenticator_not_allowed', '', { reason, detail: 'Use our key.' })).body;
  try {
    expect(bodyOf('not_device_bound')).toMatch('auf einem einzigen Gerät bleiben');
    expect(bodyOf('model_denied')).toMatch('Nimm ein anderes Gerät');
    expect(bodyOf('refused_by_application')).toBe('Use our key.');
  } finally {
    showEnglish();
  }
});

test.each([
  ['rate_limited', 30, 'Try again in 30 seconds.'],
  ['rate_limited', 90, 'Try again in 2 minutes.'],
  ['rate_limited', 899, 'Try again in 15 minutes.'],
  ['rate_limited', 7200, 'Try again in 2 hours.'],
  ['rate_limited', undefined, 'Wait a moment, then try again.'],
  ['unavailable', 1, 'Wait a moment, then try again.'],
  ['unavailable', 5, 'Try again in 5 seconds.'],
])('the error %s with retryAfterSeconds %s is shown as: %s', (code, retryAfterSeconds, body) => {
  expect(explain(new AuthClientError(code, '', { retryAfterSeconds })).body).toBe(body);
});

test('the message about too many attempts ends with the page’s own text for this error', () => {
  const own = { rate_limited: { tone: 'info', title: 'Own', body: 'Or else.' } } as const;
  const error = new AuthClientError('rate_limited', '', { retryAfterSeconds: 30 });
  expect(explain(error, own)).toEqual({
    tone: 'warning',
    title: 'Too many attempts',
    body: 'Try again in 30 seconds. Or else.',
  });
});

test('an unknown passkey has its own message, even if the page has a text for failed sign-ins', () => {
  const own = { authentication_failed: { tone: 'danger', title: 'Own', body: '' } } as const;
  const refused = (reason?: string) =>
    explain(new AuthClientError('authentication_failed', '', { reason }), own);
  expect(refused('unknown_credential').title).toMatch(/no longer works here/);
  expect(refused().title).toBe('Own');
  expect(refused('of_a_later_service').title).toBe('Own');
});

test('an error for which the pages have no text is shown with the title and the next step of the error', () => {
  const error = new AuthClientError('too_many_invitations', 'The title.', { nextStep: 'The step.' });
  expect(explain(error)).toEqual({ tone: 'warning', title: 'The title', body: 'The step.' });
});

test.each([
  ['too_short', /Too short/],
  ['too_long', /128 characters/],
  ['malformed', /can’t be used/],
  ['common', /common/],
  ['breached', /breach/],
  ['of_a_later_service', /can’t be used/],
  [undefined, /can’t be used/],
])('the message about a rejected password explains the reason %s', (reason, words) => {
  expect(passwordFault(new AuthClientError('password_unacceptable', '', { reason }))).toMatch(words);
});

test('the message about a short password names the minimum of the service', () => {
  const detail = 'The password must have at least 15 characters.';
  const error = new AuthClientError('password_unacceptable', '', { reason: 'too_short', detail });
  expect(passwordFault(error)).toBe(detail);
});

test('only errors about the password are shown at the password field', () => {
  expect(passwordFault(new AuthClientError('rate_limited', ''))).toBeNull();
  expect(passwordFault(null)).toBeNull();
});

test.each([
  ['', 'short'],
  ['1234567', 'short'],
  ['12345678', 'good'],
  // As in the service, both limits count characters of the normalized password.
  ['🗝🗝🗝🗝', 'short'],
  ['🗝'.repeat(8), 'good'],
  ['🗝'.repeat(128), 'good'],
  ['🗝'.repeat(129), 'long'],
  ['u\u0308'.repeat(7), 'short'],
  ['u\u0308'.repeat(128), 'good'],
  ['x'.repeat(128), 'good'],
  ['x'.repeat(129), 'long'],
])('the length of the password %j is %s', (password, length) => {
  expect(lengthOf(password, 8)).toBe(length);
});

test('a password with fewer characters than the service requires is short', () => {
  expect([lengthOf('x'.repeat(14), 15), lengthOf('x'.repeat(15), 15)]).toEqual(['short', 'good']);
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
])('the browser with the User-Agent %j is called “%s”', (userAgent, name) => {
  expect(deviceName(userAgent).name).toBe(name);
});
