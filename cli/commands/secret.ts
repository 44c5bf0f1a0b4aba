import { randomBytes } from 'node:crypto';
import type { Command } from '../command.ts';
import { print, printJson } from '../output.ts';

/** 32 random bytes, as JWT_SECRET wants them. */
export const secret: Command = {
  usage: '',
  async run({ json }) {
    const fresh = randomBytes(32).toString('base64url');
    if (json) printJson({ secret: fresh });
    else print(fresh);
    return undefined;
  },
};
