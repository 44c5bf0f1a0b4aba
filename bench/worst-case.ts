import { min } from 'simple-statistics';
import { prepareWorst } from './support/send-worst.ts';
import { startService } from './support/service.ts';
import { newVisitor, signUp } from './support/visitor.ts';
import { fillAccount, type WorstRequest, worstRequests } from './support/worst-requests.ts';
import { writeResults } from './support/write-results.ts';

// Measures the most expensive request of each kind: how many bytes it has, how many bytes the response has, and for how
// long it keeps the event loop of the service busy. Sends one request at a time. Other load on the machine can only make
// a request slower, so the table shows the fastest of several runs.
const runs = process.argv.includes('--quick') ? 3 : 20;
const mostMs = 20;
const mostBytes = 384 * 1024;

const service = await startService({ BCRYPT_COST: '4', TRUST_PROXY: '1' });
const visitor = newVisitor(service.url);
await signUp(visitor, 'worst');
await service.sql`update latchkey.users set role = 'superadmin' where username = 'worst'`;
await fillAccount(service.sql);
const cookie = visitor.cookies();

/** The time that the measurement itself takes. */
const idleMs = await fastest(() => async () => {});
const rows: Awaited<ReturnType<typeof measure>>[] = [];
for (const request of worstRequests) rows.push(await measure(request));
await service.stop();

const missed = rows.filter(({ ms, bytesOut }) => ms > mostMs || bytesOut > mostBytes);
const lineOf = ({ name, status, bytesIn, bytesOut, ms }: (typeof rows)[number]) =>
  `| ${name} | ${status} | ${bytesIn} | ${bytesOut} | ${ms.toFixed(1)} |`;
await writeResults(
  'worst-case',
  rows,
  [
    '### Worst-case requests',
    '',
    '| Request | Status | Bytes in | Bytes out | ms of event loop |',
    '|---|---|---|---|---|',
    ...rows.map(lineOf),
    '',
    `The fastest of ${runs} runs. Above ${mostMs} ms or ${mostBytes / 1024} kB: ${missed.map(({ name }) => name).join(', ') || 'none'}.`,
  ].join('\n'),
);
process.exitCode = missed.length === 0 ? 0 : 1;

async function measure(request: WorstRequest) {
  let answer = { status: 0, bytesIn: 0, bytesOut: 0 };
  const ms = await fastest(async () => {
    const send = await prepareWorst(service.url, request, cookie);
    return async () => {
      answer = await send();
    };
  });
  const { status, bytesIn, bytesOut } = answer;
  return { name: request.name, status, bytesIn, bytesOut, ms: Math.max(0, ms - idleMs) };
}

/** @param prepare returns the work; its own time is not measured */
async function fastest(prepare: () => Promise<() => Promise<void>> | (() => Promise<void>)): Promise<number> {
  const times: number[] = [];
  while (times.length < runs) {
    const work = await prepare();
    const before = await service.busyMs();
    await work();
    times.push((await service.busyMs()) - before);
  }
  return min(times);
}
