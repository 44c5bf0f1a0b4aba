import { availableParallelism } from 'node:os';
import { median } from 'simple-statistics';
import { startService } from './support/service.ts';
import { timed } from './support/timed.ts';
import { logIn, newVisitor, signUp } from './support/visitor.ts';

// Measures how much two hundred concurrent password logins slow down a user who signs in with a passkey.
const flood = 200;
const rounds = 3;
const most = 2;

const service = await startService({ BCRYPT_COST: '12' });
const person = newVisitor(service.url);
await signUp(person, 'ada');
for (let login = 0; login < 50; login += 1) await logIn(person);

const quiet: number[] = [];
const flooded: number[] = [];
const statuses = new Map<number, number>();
for (let round = 0; round < rounds; round += 1) {
  for (let login = 0; login < 50; login += 1) quiet.push(await timed(() => logIn(person)));
  let underWay = true;
  const attack = Promise.all(Array.from({ length: flood }, guess)).then(() => {
    underWay = false;
  });
  while (underWay) flooded.push(await timed(() => logIn(person)));
  await attack;
}
await service.stop();

const ratio = median(flooded) / median(quiet);
console.log(`
### A passkey login during ${flood} concurrent password logins (${availableParallelism()} cores)

| | logins | median ms | slowest ms |
|---|---|---|---|
| quiet | ${quiet.length} | ${median(quiet).toFixed(2)} | ${Math.max(...quiet).toFixed(1)} |
| during the flood | ${flooded.length} | ${median(flooded).toFixed(2)} | ${Math.max(...flooded).toFixed(1)} |

Ratio of the medians: ${ratio.toFixed(2)}. Responses to the flood: ${[...statuses].map(([status, count]) => `${status} × ${count}`).join(', ')}.`);
process.exitCode = ratio < most ? 0 : 1;

async function guess(): Promise<void> {
  const { status } = await newVisitor(service.url).post('/password/login', {
    username: 'ada',
    password: 'a guess like any other',
  });
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}
