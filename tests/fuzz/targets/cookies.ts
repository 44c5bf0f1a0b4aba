import { createSealer } from '../../../src/core/sealing.ts';
import { cookieIn } from '../../../src/http/cookie-names.ts';
import { assertHolds, type FuzzTarget } from '../fuzz-target.ts';

const secrets = [
  'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY',
  'an-earlier-secret-of-the-fuzzer-0123456789',
] as const;
const sealer = createSealer(secrets);
const names = ['__Host-latchkey', '__Host-latchkey-device', 'latchkey', 'latchkey-binding'];
/** Sealed once, with the nonce of that time, so that the inputs of a corpus have the same effect in every run. */
const token =
  'MTzAaQ4bjfyNoCrXvf4Hcx7d86KAaNel-oQGqW0lG2iX0hYvV_yLA0wVz-f_x0mz11zcMq4AzbbLszV0rwT1iNUtxPukF4cDWr9HjNuMHKde5sf5_0T6iArnCFsqpE-wak_qciI';

/** The header Cookie, and the sealed token in the device cookie. */
export const cookies: FuzzTarget = {
  name: 'cookies',
  maxBytes: 2048,
  dictionary: [
    ...names.map((name) => `${name}=`),
    ';',
    '; ',
    '=',
    '\t',
    '\u00a0',
    '"',
    ',',
    token,
    '-',
    '_',
    'A',
  ],
  seeds: () =>
    [
      `__Host-latchkey=abc; __Host-latchkey-device=${token}`,
      `latchkey=1; latchkey-binding=2;latchkey=3`,
      '',
      `a=b; __Host-latchkey=${token};`,
    ].map((text) => Buffer.from(text, 'latin1')),
  run: (input) => {
    const header = Buffer.from(input).toString('latin1');
    for (const name of names) {
      const value = cookieIn(header, name);
      const expected = new RegExp(`(?:^|;)[ \\t]*${name}=([^;]*)`).exec(header)?.[1] ?? null;
      assertHolds(value === expected, `read another value of ${name}`);
      const opened = value === null ? null : sealer.open('device', value);
      assertHolds(opened === null || value === token, 'opened a changed token');
      assertHolds(value === null || sealer.open('ceremony', value) === null, 'opened it for another purpose');
    }
  },
};
