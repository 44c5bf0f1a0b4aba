import { randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createAuthService } from 'latchkey';
import { startEmbeddedPostgres } from 'latchkey/embedded';
import postgres from 'postgres';
import { createRandom } from '../failover/random.ts';
import { writeResults } from '../results.ts';
import { sendThroughKills } from './kills.ts';

/** Kills the process that sends webhooks, and checks that the receiver still gets each event, in order. */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: `${randomInt(2 ** 31)}` },
  },
});
const kills = Number(values.kills);
const { below } = createRandom(Number(values.seed));
const at = new Date().toISOString();
const began = performance.now();
const print = (text: string) => void process.stdout.write(`${text}\n`);

const directory = mkdtempSync(join(tmpdir(), 'latchkey-campaign-'));
const embedded = await startEmbeddedPostgres({ directory });
const secret = randomBytes(32).toString('hex');
const auth = await createAuthService({
  database: embedded.url,
  migrationDatabase: embedded.ownerUrl,
  migrate: true,
  secret,
  env: {},
  webhooks: { allowedNetworks: ['127.0.0.1'] },
  webhookSender: false,
});
const sql = postgres(embedded.ownerUrl, { max: 2, onnotice: () => {} });
try {
  print(`${kills} kills, --seed=${values.seed}`);
  const report = await sendThroughKills({
    auth,
    sql,
    databaseUrl: embedded.url,
    secret,
    script: fileURLToPath(new URL('service-program.js', import.meta.url)),
    kills,
    random: () => below(1_000_000) / 1_000_000,
    onKill: (count) => {
      if (count % 10 === 0) print(`${count} kills`);
    },
  });
  const { events, requests, missing, outOfOrder, invalidSignatures } = report;
  print(`${events} events, ${requests} requests, of which ${requests - events} were sent again`);
  print(
    `missing: ${missing.length}, out of order: ${outOfOrder.length}, invalid signatures: ${invalidSignatures}`,
  );
  const file = await writeResults('webhooks', {
    campaign: 'webhooks',
    command: `npm run campaign -- webhooks --kills=${kills} --seed=${values.seed}`,
    at,
    seconds: Math.round((performance.now() - began) / 1000),
    kills,
    events,
    requests,
    missing: missing.length,
    outOfOrder: outOfOrder.length,
    invalidSignatures,
  });
  print(`The results are in ${file}`);
  process.exitCode = missing.length + outOfOrder.length + invalidSignatures === 0 ? 0 : 1;
} finally {
  await sql.end();
  await auth.close();
  await embedded.stop();
  rmSync(directory, { recursive: true, force: true });
}
