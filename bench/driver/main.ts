import { setTimeout as sleep } from 'node:timers/promises';
import { createSoftwareAuthenticator } from 'latchkey/testing';
import { origin, rpId } from '../throughput/identity.ts';
import { expectStatus, requestOf } from './browser.ts';
import { openConnection } from './http-connection.ts';
import type { Job, JobAnswer, JobName, Jobs, ProfileName } from './jobs.ts';
import { load } from './load.ts';
import { operationOf } from './operations.ts';
import { type Code, makeCodes, type Person, refresh, settle } from './people.ts';
import { betterAuth } from './profiles/better-auth.ts';
import { express } from './profiles/express.ts';
import { koa } from './profiles/koa.ts';
import { latchkey } from './profiles/latchkey.ts';
import type { Profile } from './profiles/profile.ts';
import { measureRevocation } from './revocation.ts';

// The driver process. It stores the users with their authenticators and sessions, and runs one job at a time.
const profiles: Record<ProfileName, Profile> = { latchkey, betterAuth, express, koa };
const known = new Map<string, Person[]>();
let codes: Code[] = [];

type Work = { [Name in JobName]: (takes: Jobs[Name]['takes']) => Promise<Jobs[Name]['gives']> };
const work: Work = {
  async settle({ profile, port, people, count }) {
    known.set(people, await settle(profiles[profile], port, count));
    return null;
  },
  async refresh({ profile, port, people, from }) {
    known.set(people, await refresh(profiles[profile], port, peopleOf(from)));
    return null;
  },
  async makeCodes({ profile, port, people, count }) {
    codes = await makeCodes(profiles[profile], port, peopleOf(people), count);
    return codes.length;
  },
  load({ profile, port, people, scenario, connections, limit }) {
    const operation = operationOf(scenario, profiles[profile], peopleOf(people), codes);
    return load(port, connections, limit, operation);
  },
  async firstAnswer({ port, people }) {
    const connection = await openConnection(port);
    while ((await connection.ask(checkOfFirst(people))).status !== 200) await sleep(1);
    connection.close();
    return null;
  },
  ceiling({ port, connections, limit }) {
    const request = Buffer.from(requestOf('GET', '/me', new Map([['session', 'x'.repeat(43)]])));
    return load(port, connections, limit, async (connection) => {
      expectStatus(await connection.ask(request), 200, 'the ceiling');
      return true;
    });
  },
  signing: ({ seconds }) => signFor(seconds),
  revocation: ({ profile, port, otherPort, people, samples }) =>
    measureRevocation(profiles[profile], [port, otherPort], peopleOf(people), samples),
  async sample({ port, people }) {
    const connection = await openConnection(port);
    const answer = await connection.ask(checkOfFirst(people));
    connection.close();
    expectStatus(answer, 200, 'a check');
    return answer.body.toString();
  },
};

function peopleOf(name: string): Person[] {
  const people = known.get(name);
  if (!people) throw new Error(`There are no users named ${name}.`);
  return people;
}

const checkOfFirst = (people: string) => requestOf('GET', '/me', peopleOf(people)[0]?.cookies ?? new Map());

async function signFor(seconds: number): Promise<number> {
  const authenticator = createSoftwareAuthenticator({ origin });
  const challenge = Buffer.alloc(32, 7).toString('base64url');
  await authenticator.create({
    rp: { id: rpId, name: 'Bench' },
    user: { id: 'dXNlcg', name: 'user', displayName: 'user' },
    challenge,
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  });
  let signatures = 0;
  const began = performance.now();
  for (; performance.now() - began < seconds * 1000; signatures += 1)
    await authenticator.get({ challenge, rpId });
  return (signatures / (performance.now() - began)) * 1000;
}

process.on('message', async ({ name, takes }: Job) => {
  const answer: JobAnswer = await (work[name] as (takes: unknown) => Promise<unknown>)(takes).then(
    (result) => ({ result }),
    (error) => ({ error: error instanceof Error ? (error.stack ?? error.message) : `${error}` }),
  );
  process.send?.(answer);
});
process.once('disconnect', () => process.exit(0));
