import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'esbuild';

/** Shorter passwords are rejected anyway, so the list leaves them out. */
const fewestCharacters = 8;

/**
 * Replaces the package `@zxcvbn-ts/language-common` (1.9 MB) with its compressed list of common passwords (50 kB). The
 * package stays an input of the bundle, so its license is published.
 */
export const commonPasswords = (): Plugin => ({
  name: 'common passwords',
  setup({ onLoad }) {
    onLoad({ filter: /@zxcvbn-ts[\\/]language-common[\\/]dist[\\/]index\.mjs$/ }, async () => {
      const { dictionary } = await import('@zxcvbn-ts/language-common');
      const passwords = dictionary['passwords-common'].filter((each) => [...each].length >= fewestCharacters);
      // A sorted list compresses a third better. The order has no meaning.
      const list = Buffer.from(passwords.sort().join('\n'));
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: list.length };
      const compressed = brotliCompressSync(list, { params }).toString('base64');
      return {
        contents: `
          import { brotliDecompressSync } from 'node:zlib';
          const list = brotliDecompressSync(Buffer.from('${compressed}', 'base64'));
          export const dictionary = { 'passwords-common': list.toString().split('\\n') };`,
      };
    });
  },
});
