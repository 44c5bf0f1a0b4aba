import { spawn } from 'node:child_process';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { eventually } from './eventually.ts';
import { freePort } from './example-server.ts';
import { secret } from './test-service.ts';
import { withoutTimeLimits } from './without-time-limits.ts';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));

/** An example in its own process. */
export interface StartedExample {
  /** The origin of its page. */
  origin: string;
  /** Ends the process as Ctrl+C does. Returns the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts `server.ts` of an example with the built package. Bundles the example first, because Node 20 cannot run
 * TypeScript.
 *
 * The example gets a free port in PORT, and no origin: it accepts its own pages on every port.
 *
 * @param name the folder of the example
 */
export async function startExample(name: string, databaseUrl: string): Promise<StartedExample> {
  const folder = join(examples, name);
  // Inside the folder of the example, so that the script finds the package and the files of the page like server.ts.
  const dist = join(folder, 'dist');
  await mkdir(dist, { recursive: true });
  const served = (await readdir(folder)).filter((file) => /\.(html|js|css)$/.test(file));
  for (const file of served) await copyFile(join(folder, file), join(dist, file));
  const outfile = join(dist, 'server.mjs');
  await build({
    entryPoints: [join(folder, 'server.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    // With the paths in tsconfig.json, the bundle would contain the sources instead of the built package.
    tsconfigRaw: {},
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const child = spawn(process.execPath, [outfile], {
    env: {
      PATH: process.env.PATH,
      ...withoutTimeLimits,
      PORT: `${port}`,
      DATABASE_URL: databaseUrl,
      JWT_SECRET: secret,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`the example ${name} has ended: ${errors}`);
    return responds(origin);
  });
  return {
    origin,
    stop: () => {
      child.kill('SIGINT');
      return exit;
    },
  };
}

const responds = (origin: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get(origin, { agent: false }, (answer) => {
      answer.resume();
      resolve(true);
    });
    request.on('error', () => resolve(false));
  });
