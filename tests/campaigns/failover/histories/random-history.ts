import type { Random } from '../random.ts';
import { type ModelName, models } from './models.ts';
import type { Operation } from './operation.ts';

/** What clients can ask for in each model, with the possible answers. */
export const requests = {
  username: [
    ['sign-up by 0', 'created', 'taken'],
    ['sign-up by 1', 'created', 'taken'],
    ['sign-in by 0', 'signed in', 'rejected'],
    ['sign-in by 1', 'signed in', 'rejected'],
  ],
  session: [
    ['end', 'ended', 'not found'],
    ['check', 'accepted', 'rejected'],
    ['check', 'accepted', 'rejected'],
  ],
  role: [
    ['set user', 'done'],
    ['set admin', 'done'],
    ['read', 'user', 'admin'],
    ['read', 'user', 'admin'],
  ],
  singleUse: [['use', 'opened', 'rejected']],
} as const satisfies Record<ModelName, [Asked, ...Asked[]]>;
type Asked = readonly [request: string, answer: string, ...answers: string[]];

const isMutation = (request: string): boolean => /^(sign-up|end|set|use)/.test(request);

/** An operation at a random time, with a random answer. */
export function randomOperation(name: ModelName, random: Random): Operation {
  const [request, ...answers] = random.pick<Asked>(requests[name]);
  const [one, other] = [random.below(12), random.below(12)];
  const isUnknown = isMutation(request) && random.below(3) === 0;
  return {
    sentAt: Math.min(one, other),
    answeredAt: isUnknown ? Number.POSITIVE_INFINITY : Math.max(one, other),
    request,
    answer: isUnknown ? null : random.pick(answers),
  };
}

/**
 * The history of operations that took effect at one moment each, so that it is linearizable. A fifth of the mutations
 * have an unknown result: a third of them took effect at once, a third may later, and a third never.
 */
export function simulatedHistory(name: ModelName, count: number, random: Random): Operation[] {
  const model = models[name];
  let state: string = model.initial;
  const late: string[] = [];
  /** Lets a request take effect. Returns the answer. */
  function apply(request: string, answers: readonly string[]): string {
    for (const answer of answers) {
      const next = model.step(state, { request, answer });
      if (next === null) continue;
      state = next;
      return answer;
    }
    throw new Error(`the model "${name}" has no answer to "${request}" in the state "${state}"`);
  }
  const answersOf = (wanted: string) =>
    requests[name].find(([request]) => request === wanted)?.slice(1) ?? [];
  return Array.from({ length: count }, (_, index) => {
    const now = index * 10;
    if (late.length > 0 && random.below(8) === 0) {
      const [request = ''] = late.splice(random.below(late.length), 1);
      apply(request, answersOf(request));
    }
    const [request, ...answers] = random.pick<Asked>(requests[name]);
    const sentAt = now - random.below(40);
    if (!isMutation(request) || random.below(5) > 0)
      return { sentAt, answeredAt: now + random.below(40), request, answer: apply(request, answers) };
    const fate = random.pick(['now', 'late', 'never']);
    if (fate === 'now') apply(request, answers);
    if (fate === 'late') late.push(request);
    return { sentAt, answeredAt: Number.POSITIVE_INFINITY, request, answer: null };
  });
}
