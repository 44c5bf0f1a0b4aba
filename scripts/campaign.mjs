// `npm run campaign -- failover` runs one of the campaigns in tests/campaigns/ against real servers on this machine. A
// campaign takes minutes to hours, and `npm test` does not run it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { bundle } from './bundle.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

const campaigns = readdirSync('tests/campaigns').filter((name) =>
  existsSync(`tests/campaigns/${name}/main.ts`),
);
const [name, ...options] = process.argv.slice(2);
if (!campaigns.includes(name)) {
  console.error(`Unknown campaign: "${name ?? ''}". Available: ${campaigns.join(', ')}`);
  process.exit(2);
}

installIfNeeded();
const folder = `tests/campaigns/${name}`;
// Inside the repository, so that the programs can import packages.
const outdir = `node_modules/.cache/latchkey-campaigns/${name}`;
const programs = readdirSync(folder).filter((file) => file.endsWith('-program.ts'));
await bundle({ entryPoints: ['main.ts', ...programs].map((file) => `${folder}/${file}`), outdir });
const running = spawn(process.execPath, [`${outdir}/main.js`, ...options], { stdio: 'inherit' });
// On Ctrl-C, the terminal sends SIGINT to the campaign, too. This process waits until the campaign has ended.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => running.kill('SIGTERM'));
const [code] = await once(running, 'exit');
process.exit(code ?? 1);
