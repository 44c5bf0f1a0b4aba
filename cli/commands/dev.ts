import { type Command, numberFlag } from '../command.ts';
import { UsageError } from '../usage-error.ts';

/** The example server, which the package brings along built, with its pages. */
const server = new URL('../dev/main.js', import.meta.url).href;

/** Runs until a signal ends it. It is no server for production: that is an application of one's own. */
export const dev: Command = {
  usage: '[--port <n>]',
  options: [['--port <n>', 'Where it listens; 3000 by default']],
  flags: { port: { type: 'number' } },
  async run(given) {
    const port = numberFlag(given, 'port');
    if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65_535))
      throw new UsageError('--port: expected a number from 1 to 65535.');
    if (port !== undefined) process.env.SERVER_ADDR = `:${port}`;
    await import(server);
    return undefined;
  },
};
