import { append, type CborMap, type CeremonyTampering, type ClientDataTampering } from 'latchkey/testing';
import { origin } from '../../support/test-service.ts';

/** Forgeries for both sign-up and sign-in, each with its name. The tests say how each is answered. */

type Named<Value> = [name: string, value: Value][];

/** Client data types that no ceremony uses. */
export const typesOfNoCeremony: Named<unknown> = [
  ['payment.get', 'payment.get'],
  ['empty', ''],
  ['missing', undefined],
  ['null', null],
];

export const challengesNotOurs: Named<unknown> = [
  ['missing', undefined],
  ['null', null],
  ['a number', 7],
  ['an object', {}],
  ['empty', ''],
  ['unknown to the service', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
];

/** The JSON text of client data with its challenge in a list. */
export const withListedChallenge = (json: string): string =>
  json.replace(/"challenge":("[^"]+")/, '"challenge":[$1]');

export const originsNotOurs: Named<unknown> = [
  ['of another site', 'https://evil.example'],
  ['with another scheme', 'https://localhost:3000'],
  ['with another port', 'http://localhost:3001'],
  ['without the port', 'http://localhost'],
  ['with a trailing slash', `${origin}/`],
  ['with a path', `${origin}/login`],
  ['in capitals', 'http://LOCALHOST:3000'],
  ['with a scheme in capitals', 'HTTP://localhost:3000'],
  ['of a subdomain', 'http://evil.localhost:3000'],
  ['that begins with the configured origin', `${origin}.evil.example`],
  ['that ends with the configured origin', 'http://evil.example/http://localhost:3000'],
  ['with the configured origin as user information', `${origin}@evil.example`],
  ['of the loopback address', 'http://127.0.0.1:3000'],
  ['with a space before it', ` ${origin}`],
  ['with NUL after it', `${origin}\0`],
  ['of an Android app', 'android:apk-key-hash:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ['that is opaque', 'null'],
  ['that is null', null],
  ['that is empty', ''],
  ['that is missing', undefined],
  ['that is a number', 3000],
  ['that is a list with the configured origin', [origin]],
  ['that is an object', { toString: origin }],
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
    'crossOrigin is true and topOrigin is another site',
    { crossOrigin: true, topOrigin: 'https://evil.example' },
  ],
  ['crossOrigin is false and topOrigin is set', { topOrigin: 'https://evil.example' }],
  ['crossOrigin is missing and topOrigin is set', { crossOrigin: undefined, topOrigin: origin }],
  ['topOrigin is empty', { topOrigin: '' }],
  ['topOrigin is null', { topOrigin: null }],
  ['crossOrigin is the string "true"', { crossOrigin: 'true' }],
  ['crossOrigin is one', { crossOrigin: 1 }],
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

/** Client data that browsers do not send today, but are allowed to send. */
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
  ['a byte order mark, which UTF-8 decoding strips', (json) => `\ufeff${json}`],
  ['escaped characters', (json) => json.replace('webauthn', '\\u0077ebauthn')],
];

const first = 'https://app.example';
const related = 'https://app.example.net';
/** Options of a service with several origins. */
export const severalOrigins = { rpId: 'app.example', origins: [first, related] };

/** Origins to claim under `severalOrigins`, and whether each one is accepted. */
export const originsAmongSeveral: [name: string, origin: string, ours: boolean][] = [
  ['the first is accepted', first, true],
  ['a related origin is accepted', related, true],
  ['an explicit port is rejected', 'https://app.example:443', false],
  ['a trailing dot is rejected', 'https://app.example.', false],
  ['a subdomain is rejected', 'https://www.app.example', false],
  ['the parent domain is rejected', 'https://example', false],
  ['an origin without TLS is rejected', 'http://app.example', false],
  ['the whole list as one text is rejected', `${first},${related}`, false],
  ['a longer origin is rejected', `${related}.evil.example`, false],
];

export const rpIdsNotOurs: Named<string> = [
  ['of another site', 'evil.example'],
  ['of a subdomain', 'login.localhost'],
  ['that is the origin', 'http://localhost:3000'],
  ['in capitals', 'LOCALHOST'],
  ['with a trailing dot', 'localhost.'],
  ['that is empty', ''],
];

export const brokenAuthenticatorData: Named<CeremonyTampering> = [
  ['without UP', { flags: { up: false } }],
  ['without UV', { flags: { uv: false } }],
  ['without UP and UV', { flags: { up: false, uv: false } }],
  ['with BS but without BE', { flags: { be: false, bs: true } }],
  ['with AT but without attested credential data', { attestedCredentialData: false, flags: { at: true } }],
  ['with attested credential data but without AT', { attestedCredentialData: true, flags: { at: false } }],
  ['with ED but without extensions', { flags: { ed: true } }],
  ['with extensions but without ED', { extensionData: new Map([['uvm', 2]]), flags: { ed: false } }],
  ['with extensions that are not CBOR', { extensionData: Uint8Array.of(0xff, 0xff) }],
  ['with extensions that are a number', { extensionData: Uint8Array.of(0x07) }],
  ['with extensions that are a list', { extensionData: Uint8Array.of(0x80) }],
  ['with extensions nested 20,000 levels deep', { extensionData: new Uint8Array(20_000).fill(0x81) }],
  ['with extensions that are truncated', { extensionData: Uint8Array.of(0xa1, 0x61, 0x78) }],
  ['with a byte after it', { authenticatorData: append(0) }],
  ['with another map after it', { authenticatorData: append(0xa0) }],
  ['with a byte after its extensions', { extensionData: new Map(), authenticatorData: append(0) }],
  ['that is empty', { authenticatorData: () => Uint8Array.of() }],
  ['that is all zeros', { authenticatorData: (bytes) => new Uint8Array(bytes.length) }],
];

/** Extensions to truncate at any byte: every byte is needed. */
export const extensionsToCut: CborMap = new Map<string, string | Uint8Array>([
  ['text', 'abcdef'],
  ['bytes', Uint8Array.of(1, 2, 3, 4, 5, 6)],
]);

/** Replaces the signature counter in authenticator data. */
export function withCounter(counter: number): (bytes: Uint8Array) => Uint8Array {
  return (bytes) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt32BE(counter, 33);
    return changed;
  };
}

export const credentialTypesNotOurs = ['password', 'PUBLIC-KEY', 'public-key ', ''];
