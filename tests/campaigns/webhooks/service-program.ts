import { createAuthService } from 'latchkey';

/** A process that only sends events to webhooks, until it is killed. */
const [database = '', secret = ''] = process.argv.slice(2);
await createAuthService({
  database,
  secret,
  env: {},
  auditSequencer: false,
  webhooks: { allowedNetworks: ['127.0.0.1'] },
});
// The timers of the service do not keep a process running.
setInterval(() => {}, 60_000);
process.stdout.write('ready\n');
