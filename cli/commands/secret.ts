import { randomBytes } from 'node:crypto';
import { command } from '../command.ts';
import { print, printJson } from '../output.ts';

const secret = command({
  async run({ json }) {
    const value = randomBytes(32).toString('base64url');
    return json ? printJson({ secret: value }) : print(value);
  },
});

export const commands = { '': secret };
