import { command } from '../command.ts';

/** The package contains the built example server and its pages. */
const server = new URL('../dev/main.js', import.meta.url).href;

const dev = command({
  flags: { port: { type: 'number', range: [1, 65_535], about: 'Port to listen on (default 3000)' } },
  note: 'For trying Latchkey, not for production. Press Ctrl-C to stop the server.',
  async run({ flags: { port } }) {
    if (port !== undefined) process.env.SERVER_ADDR = `:${port}`;
    await import(server);
    return undefined;
  },
});

export const commands = { '': dev };
