import { scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { PasswordOptions } from 'latchkey';

type Scrypt = (password: string, salt: string, length: number, options: object) => Promise<Buffer>;
const derive = promisify(scrypt) as Scrypt;

/** Salt and key in hexadecimal digits. The salt is used as text. */
const form = /^([\da-f]{32}):([\da-f]{128})$/;

/** Verifies the password hashes of Better Auth: scrypt with N = 16384, r = 16, p = 1 and a key of 64 bytes. */
export const password: PasswordOptions = {
  accepts: (hash) => form.test(hash),
  async verify(password, hash) {
    const [, salt = '', key = ''] = form.exec(hash) ?? [];
    const options = { N: 16384, r: 16, p: 1, maxmem: 128 * 16384 * 16 * 2 };
    return timingSafeEqual(
      await derive(password.normalize('NFKC'), salt, 64, options),
      Buffer.from(key, 'hex'),
    );
  },
};
