import Koa from 'koa';
import {
  type ConfigurationError,
  type ConfigurationFault,
  createWellKnownRouter,
  type NativeAppOptions,
  readConfiguration,
} from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgent } from '../support/agent.ts';
import { logIn, newAuthenticator, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { send } from '../support/raw-request.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { serve } from '../support/serve.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const page = 'https://example.com';
/** The example of https://developer.android.com/identity/sign-in/credential-manager. */
const fingerprint =
  '14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5';
const otherFingerprint = fingerprint.replace('14:', '15:');
const originOf = (print: string) =>
  `android:apk-key-hash:${Buffer.from(print.replaceAll(':', ''), 'hex').toString('base64url')}`;

const nativeApps: NativeAppOptions = {
  android: [{ packageName: 'com.example.app', sha256CertFingerprints: [fingerprint.toLowerCase()] }],
  apple: ['ABCDE12345.com.example.app'],
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    rpId: 'example.com',
    origins: [page, originOf(otherFingerprint)],
    nativeApps,
    bearerTokens: true,
  });
});
afterAll(() => service.close());

const agent = () => createAgent(service.url, page);

describe('an Android app', () => {
  test.each([
    ['in `nativeApps`', fingerprint],
    ['in `origins`', otherFingerprint],
  ])('%s can use its passkeys', async (_, print) => {
    const authenticator = newAuthenticator({ origin: originOf(print) });
    await signUp(service, { browser: agent(), authenticator });
    expect((await logIn(agent(), authenticator)).status).toBe(200);
  });

  test.each([
    ['with another certificate', originOf(fingerprint.replace('14:', '16:'))],
    ['with an origin in lower case', originOf(fingerprint).toLowerCase()],
  ])('%s cannot use its passkeys', async (_, origin) => {
    const authenticator = newAuthenticator({ origin });
    await expect(signUp(service, { browser: agent(), authenticator })).rejects.toThrow('registration_failed');
  });

  test('has an origin that cannot send requests as a page', async () => {
    const answer = await send(service.url, '/auth/session', {
      method: 'DELETE',
      headers: { Origin: originOf(fingerprint) },
    });
    expectProblem(answer, 'cross_origin_request');
    expect(service.auth.config.origins).toEqual([page]);
  });
});

describe('createWellKnownRouter', () => {
  const read = async (path: string, from = service.auth) => {
    const app = new Koa();
    app.use(createWellKnownRouter(from).routes());
    const served = await serve(app);
    const answer = await send(served.url, path);
    await served.close();
    return answer;
  };

  test('publishes the Android apps in assetlinks.json', async () => {
    const { status, headers, body } = await read('/.well-known/assetlinks.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual([
      {
        relation: [
          'delegate_permission/common.handle_all_urls',
          'delegate_permission/common.get_login_creds',
        ],
        target: {
          namespace: 'android_app',
          package_name: 'com.example.app',
          sha256_cert_fingerprints: [fingerprint],
        },
      },
    ]);
  });

  test('publishes the Apple apps in apple-app-site-association', async () => {
    const { status, headers, body } = await read('/.well-known/apple-app-site-association');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual({ webcredentials: { apps: ['ABCDE12345.com.example.app'] } });
  });

  test('publishes only web origins as related origins', async () => {
    expect((await read('/.well-known/webauthn')).body).toEqual({ origins: [page] });
  });

  test('has neither path if no app is configured', async () => {
    const instance = await startSecondInstance(service, { rpId: 'example.com', origins: page });
    const paths = ['assetlinks.json', 'apple-app-site-association'];
    for (const path of paths) expect((await read(`/.well-known/${path}`, instance.auth)).status).toBe(404);
    await instance.close();
  });
});

const base = {
  env: {},
  database: {},
  secret: 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY',
  rpId: 'example.com',
};

function faultsOf(options: object): readonly ConfigurationFault[] {
  try {
    readConfiguration({ ...base, origins: page, ...options });
    return [];
  } catch (error) {
    return (error as ConfigurationError).faults;
  }
}

const android = (app: object) => ({ nativeApps: { android: [app] } });

describe('the configuration', () => {
  test.each<[options: object, setting: string]>([
    [{ nativeApps: { ios: [] } }, 'nativeApps.ios'],
    [{ nativeApps: { apple: 'ABCDE12345.com.example.app' } }, 'nativeApps.apple'],
    [{ nativeApps: { apple: ['com.example.app'] } }, 'nativeApps.apple[0]'],
    [{ nativeApps: { apple: ['ABCDE12345.*'] } }, 'nativeApps.apple[0]'],
    [
      android({ packageName: 'app', sha256CertFingerprints: [fingerprint] }),
      'nativeApps.android[0].packageName',
    ],
    [
      android({ packageName: 'com.example.app', sha256CertFingerprints: [] }),
      'nativeApps.android[0].sha256CertFingerprints',
    ],
    [
      android({ packageName: 'com.example.app', sha256CertFingerprints: [fingerprint.slice(3)] }),
      'nativeApps.android[0].sha256CertFingerprints',
    ],
    [
      android({ packageName: 'com.example.app', sha256CertFingerprints: fingerprint }),
      'nativeApps.android[0].sha256CertFingerprints',
    ],
    [{ origins: [page, 'android:apk-key-hash:short'] }, 'origins'],
    [{ origins: [page, 'android:com.example.app'] }, 'origins'],
    [{ origins: [originOf(fingerprint)] }, 'origins'],
    [{ bearerTokens: 'off' }, 'bearerTokens'],
    [{ env: { BEARER_TOKENS: 'true' } }, 'BEARER_TOKENS'],
  ])('is refused if it is invalid: %j', (options, setting) => {
    expect(faultsOf(options).map((fault) => fault.setting)).toEqual([setting]);
  });

  test('reads Android origins and bearer tokens from variables', () => {
    const env = { WEBAUTHN_RP_ORIGIN: `${page},${originOf(fingerprint)}`, BEARER_TOKENS: 'on' };
    const { origins, appOrigins, bearerTokens } = readConfiguration({ ...base, env });
    expect({ origins, appOrigins, bearerTokens }).toEqual({
      origins: [page],
      appOrigins: [originOf(fingerprint)],
      bearerTokens: true,
    });
  });
});
