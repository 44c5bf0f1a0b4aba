import { cumulativeStdNormalProbability, median, wilcoxonRankSum } from 'simple-statistics';
import { startService } from './support/service.ts';
import { timed } from './support/timed.ts';
import { expectStatus, newVisitor, signUp, type Visitor } from './support/visitor.ts';

// Checks whether the response time reveals why a sign-in failed. Takes sixty samples of each cause, and alternates
// between the causes. A rank-sum test compares the samples of each cause with those of a wrong secret. If the p value
// is below the significance level, the cause is distinguishable.
const samples = 60;
const significance = 0.01;
const password = 'a fallback, spelled out';

const service = await startService({ BCRYPT_COST: '12' });
const people = ['with-password', 'disabled', 'no-password', 'old-hash'] as const;
for (const username of people) await makePerson(username);
await service.sql`update latchkey.users set status = 'disabled' where username = 'disabled'`;
await service.sql`
  update latchkey.users set password_hash = ${await hashAt(10)} where username = 'old-hash'`;

const guess = (username: string, typed = 'not the password') => ({ username, password: typed });
const code = (username: string) => ({ username, code: '22222-22222-22222-22222' });
const kinds: Record<string, [path: string, causes: Record<string, object>]> = {
  'password login': [
    '/password/login',
    {
      'wrong password': guess('with-password'),
      'unknown username': guess('nobody-at-all'),
      'no password': guess('no-password'),
      'disabled, right password': guess('disabled', password),
      'wrong password, hash of cost 10': guess('old-hash'),
      'impossible username': guess('?!'),
    },
  ],
  'recovery code': [
    '/recovery/codes/use',
    {
      'wrong code': code('with-password'),
      'unknown username': code('nobody-at-all'),
      'no codes': code('no-password'),
      disabled: code('disabled'),
    },
  ],
  'passkey login, by name': [
    '/passkey/login/start',
    {
      'has a passkey': { username: 'with-password' },
      'unknown username': { username: 'nobody-at-all' },
      disabled: { username: 'disabled' },
    },
  ],
};

let separated = 0;
for (const [kind, [path, causes]] of Object.entries(kinds)) {
  const visitor = newVisitor(service.url);
  const times = await sampleInTurn(visitor, path, causes);
  console.log(
    `\n### ${kind}: ${samples} samples each\n\n| cause | median ms | p, compared with the first row |\n|---|---|---|`,
  );
  const [reference = []] = Object.values(times);
  for (const [cause, values] of Object.entries(times)) {
    const p = values === reference ? 1 : probabilityOfChance(reference, values);
    if (p < significance) separated += 1;
    console.log(`| ${cause} | ${median(values).toFixed(2)} | ${values === reference ? '' : p.toFixed(3)} |`);
  }
}
await service.stop();
console.log(`\nDistinguishable causes at p < ${significance}: ${separated}.`);
process.exitCode = separated === 0 ? 0 : 1;

async function makePerson(username: (typeof people)[number]): Promise<void> {
  const visitor = newVisitor(service.url);
  await signUp(visitor, username);
  if (username === 'no-password') return;
  expectStatus(await visitor.post('/password/add', { password }), 201);
  expectStatus(await visitor.post('/recovery/codes/generate'), 201);
}

/**
 * Alternates between the causes, so that other load on the machine affects all of them. The first rounds are a warm-up.
 */
async function sampleInTurn(visitor: Visitor, path: string, causes: Record<string, object>) {
  const times: Record<string, number[]> = {};
  const warmUp = 10;
  for (let round = -warmUp; round < samples; round += 1) {
    const order = Object.entries(causes).sort(() => Math.random() - 0.5);
    for (const [cause, body] of order) {
      const time = await timed(() =>
        visitor.post(path, body).then((answer) => expectStatus(answer, 200, 401)),
      );
      times[cause] ??= [];
      if (round >= 0) times[cause].push(time);
    }
  }
  return Object.fromEntries(Object.keys(causes).map((cause) => [cause, times[cause] ?? []]));
}

/** The two-sided p value. Uses the normal approximation, which is accurate enough for sixty samples. */
function probabilityOfChance(some: number[], others: number[]): number {
  const [n, m] = [some.length, others.length];
  const expected = (n * (n + m + 1)) / 2;
  const deviation = Math.sqrt((n * m * (n + m + 1)) / 12);
  return (
    2 * (1 - cumulativeStdNormalProbability(Math.abs(wilcoxonRankSum(some, others) - expected) / deviation))
  );
}

async function hashAt(cost: number): Promise<string> {
  const { default: bcrypt } = await import('bcrypt');
  return bcrypt.hash(password, cost);
}
