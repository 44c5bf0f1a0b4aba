import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { PasswordOptions } from 'latchkey';

const derive = promisify(pbkdf2);

/** From passport.mjs: the number of iterations, the salt and the key of 32 bytes. */
const form = /^pbkdf2-sha256\$(\d{1,7})\$([\w-]+)\$([\w-]{43})$/;

/** Verifies the password hashes of Passport's example: PBKDF2 with SHA-256. bcrypt hashes do not need this. */
export const password: PasswordOptions = {
  accepts: (hash) => form.test(hash),
  async verify(password, hash) {
    const [, iterations, salt = '', key = ''] = form.exec(hash) ?? [];
    const derived = await derive(password, Buffer.from(salt, 'base64url'), Number(iterations), 32, 'sha256');
    return timingSafeEqual(derived, Buffer.from(key, 'base64url'));
  },
};
