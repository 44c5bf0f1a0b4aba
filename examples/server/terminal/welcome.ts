import type { Setup } from '../setup.ts';

/** The text that the terminal shows after the start. */
export function welcome(setup: Setup): string {
  const lines = ['', '  Open the address in a browser. Press Ctrl-C to stop the server.'];
  if (setup.needsSuperadmin)
    lines.push(
      '',
      '  No superadmin exists yet. Create the first superadmin in another terminal:',
      `    ${bootstrapCommand}`,
    );
  return `${lines.join('\n')}\n\n`;
}

/** Works in the folder of the application and in this repository. */
const bootstrapCommand = 'npx latchkey bootstrap';
