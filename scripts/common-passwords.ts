import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'esbuild';

/** Shorter passwords are rejected before the list is consulted. */
const fewestCharacters = 8;

/**
 * Replaces `@zxcvbn-ts/language-common` by its list of common passwords, compressed: the package is 1.9 MB, the
 * compressed list 50 kB. The module stays an input of the bundle, so its license is published with it.
 */
export const commonPasswords = (): Plugin => ({
  name: 'common passwords',
  setup({ onLoad }) {
    onLoad({ filter: /@zxcvbn-ts[\\/]language-common[\\/]dist[\\/]index\.mjs$/ }, async () => {
      const { dictionary } = await import('@zxcvbn-ts/language-common');
      const passwords = dictionary['passwords-common'].filter((each) => [...each].length >= fewestCharacters);
      // Sorted, the list compresses a third better. Its order has no other meaning.
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
