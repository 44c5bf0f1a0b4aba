import { append, type CborMap, type CeremonyTampering, type ClientDataTampering } from 'latchkey/testing';
import { origin } from '../../support/test-service.ts';

/** Forgeries for sign-up and sign-in. A name completes the title of a test. */

type Named<Value> = [name: string, value: Value][];
/** `reason`: the expected reason in the audit log. */
type NamedWithReason<Value> = [name: string, value: Value, reason?: string][];

/** Values that no ceremony uses as the `type` of its client data. */
export const typesOfNoCeremony: Named<unknown> = [
  ['payment.get', 'payment.get'],
  ['empty', ''],
  ['missing', undefined],
  ['null', null],
];

/** Challenges that the service did not create. */

export const challengesNotOurs: NamedWithReason<unknown> = [
  ['missing', undefined, 'client_data_malformed'],
  ['null', null, 'client_data_malformed'],
  ['a number', 7, 'client_data_malformed'],
  ['an object', {}, 'client_data_malformed'],
  ['empty', '', 'challenge_unknown'],
  ['unknown to the service', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'challenge_unknown'],
];

/** Puts the challenge of client data into a list. */
export const withListedChallenge = (json: string): string =>
  json.replace(/"challenge":("[^"]+")/, '"challenge":[$1]');

/** Origins that differ from the configured origin. */

export const originsNotOurs: Named<unknown> = [
  ['another site', 'https://evil.example'],
  ['the configured origin with another scheme', 'https://localhost:3000'],
  ['the configured origin with another port', 'http://localhost:3001'],
  ['the configured origin without its port', 'http://localhost'],
  ['the configured origin with a trailing slash', `${origin}/`],
  ['the configured origin with a path', `${origin}/login`],
  ['the configured origin with its host in capitals', 'http://LOCALHOST:3000'],
  ['the configured origin with its scheme in capitals', 'HTTP://localhost:3000'],
  ['a subdomain', 'http://evil.localhost:3000'],
  ['a longer host that starts with the configured origin', `${origin}.evil.example`],
  ['a URL that ends with the configured origin', 'http://evil.example/http://localhost:3000'],
  ['a URL with the configured origin as its user information', `${origin}@evil.example`],
  ['the IP address 127.0.0.1', 'http://127.0.0.1:3000'],
  ['the configured origin after a space', ` ${origin}`],
  ['the configured origin before a NUL character', `${origin}\0`],
  ['an Android app', 'android:apk-key-hash:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ['the string "null"', 'null'],
  ['null', null],
  ['empty', ''],
  ['missing', undefined],
  ['a number', 3000],
  ['a list that contains the configured origin', [origin]],
  ['an object', { toString: origin }],
];

/** Request headers that name the site of `https://evil.example`. */
export const headersOfAnotherSite: Record<string, string>[] = [
  { Host: 'evil.example' },
  { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' },
  { Forwarded: 'host=evil.example;proto=https' },
  { Referer: 'https://evil.example/' },
];

export const crossOriginClientData: Named<ClientDataTampering> = [
  ['crossOrigin is true', { crossOrigin: true }],
  ['crossOrigin is true and topOrigin is the configured origin', { crossOrigin: true, topOrigin: origin }],
  [
    'crossOrigin is true and topOrigin is another origin',
    { crossOrigin: true, topOrigin: 'https://evil.example' },
  ],
  ['crossOrigin is false and topOrigin is set', { topOrigin: 'https://evil.example' }],
  ['crossOrigin is missing and topOrigin is set', { crossOrigin: undefined, topOrigin: origin }],
  ['topOrigin is empty', { topOrigin: '' }],
  ['topOrigin is null', { topOrigin: null }],
  ['crossOrigin is the string "true"', { crossOrigin: 'true' }],
  ['crossOrigin is the number 1', { crossOrigin: 1 }],
  ['crossOrigin is null', { crossOrigin: null }],
];

export const unreadableClientData: Named<ClientDataTampering> = [
  ['an empty string', ''],
  ['not JSON', 'webauthn.create'],
  ['truncated JSON', (json) => json.slice(0, -1)],
  ['JSON followed by other text', (json) => `${json}{}`],
  ['JSON inside a list', (json) => `[${json}]`],
  ['JSON inside a string', (json) => JSON.stringify(json)],
  ['null', 'null'],
  ['a number', '1'],
  [
    'invalid UTF-8',
    (json) =>
      Buffer.concat([
        Buffer.from(json.slice(0, -1)),
        Uint8Array.of(0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
      ]),
  ],
  ['UTF-16', (json) => Buffer.from(json, 'utf16le')],
  ['thirty thousand brackets', '['.repeat(30_000)],
];

/** Client data that is unusual but valid. */
export const unusualClientData: Named<ClientDataTampering> = [
  ['unknown properties', { future: { deep: [1, 'two', null] }, tokenBindingId: 'x' }],
  [
    'properties named toString and __proto__',
    (json) => json.replace('{', '{"toString":1,"__proto__":{"a":1},'),
  ],
  ['no crossOrigin', { crossOrigin: undefined }],
  ['a token binding', { tokenBinding: { status: 'supported' } }],
  [
    'its properties in another order',
    (json) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).reverse())),
  ],
  ['white space', (json) => JSON.stringify(JSON.parse(json), null, '\t')],
  ['a byte order mark, which UTF-8 decoding removes', (json) => `\ufeff${json}`],
  ['escaped characters', (json) => json.replace('webauthn', '\\u0077ebauthn')],
];

const first = 'https://app.example';
const related = 'https://app.example.net';
/** Service options with several origins. */
export const severalOrigins = { rpId: 'app.example', origins: [first, related] };

/**
 * Origins in client data, for a service with the options `severalOrigins`. The last value is whether the service
 * accepts the origin.
 */
export const originsAmongSeveral: [name: string, origin: string, ours: boolean][] = [
  ['the first origin is accepted', first, true],
  ['a related origin is accepted', related, true],
  ['the first origin with an explicit port is rejected', 'https://app.example:443', false],
  ['the first origin with a trailing dot is rejected', 'https://app.example.', false],
  ['a subdomain is rejected', 'https://www.app.example', false],
  ['the parent domain is rejected', 'https://example', false],
  ['the first origin without TLS is rejected', 'http://app.example', false],
  ['a list of all origins is rejected', `${first},${related}`, false],
  ['a longer host that starts with a related origin is rejected', `${related}.evil.example`, false],
];

export const rpIdsNotOurs: Named<string> = [
  ['the domain of another site', 'evil.example'],
  ['a subdomain', 'login.localhost'],
  ['an origin instead of a domain', 'http://localhost:3000'],
  ['in capitals', 'LOCALHOST'],
  ['followed by a dot', 'localhost.'],
  ['empty', ''],
];

/** UP, UV, BE, BS, AT and ED are the flags of authenticator data (WebAuthn, section 6.1). */

export const brokenAuthenticatorData: NamedWithReason<CeremonyTampering> = [
  ['without UP', { flags: { up: false } }, 'user_not_present'],
  ['without UV', { flags: { uv: false } }, 'user_not_verified'],
  ['without UP and UV', { flags: { up: false, uv: false } }, 'user_not_present'],
  ['with BS but without BE', { flags: { be: false, bs: true } }],
  ['with AT but without attested credential data', { attestedCredentialData: false, flags: { at: true } }],
  ['with attested credential data but without AT', { attestedCredentialData: true, flags: { at: false } }],
  ['with ED but without extensions', { flags: { ed: true } }],
  ['with extensions but without ED', { extensionData: new Map([['uvm', 2]]), flags: { ed: false } }],
  ['with extensions that are not CBOR', { extensionData: Uint8Array.of(0xff, 0xff) }],
  ['with extensions that are a number', { extensionData: Uint8Array.of(0x07) }],
  ['with extensions that are a list', { extensionData: Uint8Array.of(0x80) }],
  ['with extensions nested 20,000 levels deep', { extensionData: new Uint8Array(20_000).fill(0x81) }],
  ['with truncated extensions', { extensionData: Uint8Array.of(0xa1, 0x61, 0x78) }],
  ['with an additional byte at its end', { authenticatorData: append(0) }],
  ['with an additional CBOR map at its end', { authenticatorData: append(0xa0) }],
  [
    'with extensions and an additional byte at its end',
    { extensionData: new Map(), authenticatorData: append(0) },
  ],
  ['that is empty', { authenticatorData: () => Uint8Array.of() }],
  ['that is all zeros', { authenticatorData: (bytes) => new Uint8Array(bytes.length) }, 'rp_id_mismatch'],
];

/** Extensions for tests that truncate them. They are malformed if any byte is missing. */
export const extensionsToCut: CborMap = new Map<string, string | Uint8Array>([
  ['text', 'abcdef'],
  ['bytes', Uint8Array.of(1, 2, 3, 4, 5, 6)],
]);

export function withCounter(counter: number): (bytes: Uint8Array) => Uint8Array {
  return (bytes) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt32BE(counter, 33);
    return changed;
  };
}

export const credentialTypesNotOurs = ['password', 'PUBLIC-KEY', 'public-key ', ''];
