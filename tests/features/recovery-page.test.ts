import { ConfigurationError, readConfiguration } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { origin, secret, startTestService, type TestService } from '../support/test-service.ts';
import { createLink } from './support/recovery.ts';

const origins = ['https://app.example', 'https://app.example.net'];
const read = (recoveryPage?: string) =>
  readConfiguration({
    env: { DATABASE_URL: 'postgresql://app@localhost/shop' },
    secret,
    rpId: 'app.example',
    origins,
    ...(recoveryPage !== undefined && { recoveryPage }),
  });

describe('the recovery page', () => {
  test.each<[how: string, given: string | undefined, page: string]>([
    ['is /recover by default', undefined, 'https://app.example/recover'],
    ['can be a path', '/account/back-in', 'https://app.example/account/back-in'],
    ['can be a path with a query', '/?page=recover', 'https://app.example/?page=recover'],
    ['can be a URL', 'https://app.example/help', 'https://app.example/help'],
    [
      'can be a URL on another configured origin',
      'https://app.example.net/help',
      'https://app.example.net/help',
    ],
  ])('%s', (_, given, page) => {
    expect(read(given).recoveryPage).toBe(page);
  });

  test.each([
    ['if it is on another site', 'https://evil.example/recover'],
    ['if it is a URL of another site without a scheme', '//evil.example/recover'],
    ['if it is a URL of another site with backslashes', '/\\evil.example/recover'],
    ['if it is on a subdomain', 'https://www.app.example/recover'],
    ['if it does not use TLS', 'http://app.example/recover'],
    ['if it is on another port', 'https://app.example:8443/recover'],
    ['if it has a fragment', '/recover#top'],
    ['if it has an empty fragment', '/recover#'],
    ['if it is a script', 'javascript:alert(1)'],
    ['if it is a data URL', 'data:text/html,hello'],
    ['if it is an invalid URL', 'https://'],
  ])('is rejected %s', (_, given) => {
    const refusal = (() => {
      try {
        return read(given);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(ConfigurationError);
    expect((refusal as ConfigurationError).faults).toEqual([
      {
        setting: 'recoveryPage',
        given: JSON.stringify(given),
        expected: expect.stringContaining(origins.join(' or ')),
      },
    ]);
  });
});

describe('a recovery link', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  test.each(['/account/back-in', `${origin}/account/back-in`, '/account/back-in?lang=en'])(
    'points to the configured page, for example %s',
    async (recoveryPage) => {
      const person = await signUp(service);
      const instance = await startSecondInstance(service, { recoveryPage });
      const { token, url } = await createLink(instance, person);
      await instance.close();
      const { origin: linked, pathname, hash } = new URL(url);
      expect([linked, pathname, hash]).toEqual([origin, '/account/back-in', `#token=${token}`]);
    },
  );
});
