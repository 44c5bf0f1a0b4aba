import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { BudgetName, Budgets } from '../core/budgets.ts';
import { second } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { canonicalUsername } from '../users/rules.ts';
import { addressBlock } from './address-block.ts';
import { createCounterStore } from './bounded-counters.ts';
import { type BudgetCounter, createBudgetCounter, type Standing, tighter } from './budget-counter.ts';
import { clientAddress } from './current-actor.ts';
import { connectSharedCounters, type SharedCounters } from './shared-counters.ts';

type Counters = Readonly<Record<BudgetName, Record<keyof Budgets, BudgetCounter | null>>>;

/** A service has one set of counters, however many routers are made of it. */
const countersOf = new WeakMap<Runtime, Counters>();

export interface RateLimits {
  close(): void;
}

/**
 * Makes ready to count, and connects to Redis where one is configured.
 *
 * @throws ConfigurationError where REDIS_URL is set and the optional peer `ioredis` is not installed
 */
export async function startRateLimits(runtime: Runtime): Promise<RateLimits> {
  const { rateLimit, redisUrl } = runtime.config;
  if (!rateLimit) return { close: () => {} };
  const shared = redisUrl === null ? null : await connectSharedCounters(redisUrl, runtime.log);
  countersOf.set(runtime, createCounters(runtime, shared));
  return { close: () => shared?.close() };
}

function createCounters({ config, clock }: Runtime, shared: SharedCounters | null): Counters {
  const addresses = createCounterStore(clock);
  const entries = Object.entries(config.budgets).map(([name, { address, account }]) => {
    // Two services may share one Redis.
    const namespace = `latchkey:${config.rpId}:${name}`;
    const counters = {
      address: createBudgetCounter(`${namespace}:address`, address, addresses, shared),
      // With a store of its own, so that no flood of other addresses or names makes us forget who guesses at one.
      account:
        account && createBudgetCounter(`${namespace}:account`, account, createCounterStore(clock), shared),
    };
    return [name, counters] as const;
  });
  return Object.fromEntries(entries) as Counters;
}

/** Counts a request against its address's budget. @throws AuthError `rate_limited` */
export async function countAddress(ctx: Context, runtime: Runtime, budget: BudgetName): Promise<void> {
  const counter = counterFor(runtime, budget, 'address');
  if (!counter) return;
  const key = await addressBlock(clientAddress(ctx, runtime.config.trustedProxies));
  await count(ctx, runtime, { counter, budget, scope: 'address', key });
}

/** Counts a request against the budget of the account that is signed in. @throws AuthError `rate_limited` */
export async function countAccount(
  ctx: Context,
  runtime: Runtime,
  budget: BudgetName,
  userId: string,
): Promise<void> {
  const counter = counterFor(runtime, budget, 'account');
  if (counter) await count(ctx, runtime, { counter, budget, scope: 'account', key: `user:${userId}` });
}

/**
 * Counts a request against the budget of the name that it gives, whether an account has it or not. It is another
 * budget than the one of whoever is signed in: a stranger may spend this one, and must not lock out the person by it.
 *
 * @throws AuthError `rate_limited`
 */
export async function countName(
  ctx: Context,
  runtime: Runtime,
  budget: BudgetName,
  username: string,
): Promise<void> {
  const counter = counterFor(runtime, budget, 'account');
  if (counter) await count(ctx, runtime, { counter, budget, scope: 'account', key: nameKey(username) });
}

/** One key for every spelling of a name, of one length, and not to be read in Redis. */
const nameKey = (username: string) =>
  `name:${createHash('sha256').update(canonicalUsername(username).username).digest('base64url')}`;

function counterFor(runtime: Runtime, budget: BudgetName, scope: keyof Budgets): BudgetCounter | null {
  if (!runtime.config.rateLimit) return null;
  const counters = countersOf.get(runtime);
  // Counting nothing because of a slip of ours would go unnoticed.
  if (!counters) throw new TypeError('the rate limits of this service have not been started');
  return counters[budget][scope];
}

interface Counted {
  counter: BudgetCounter;
  budget: BudgetName;
  scope: keyof Budgets;
  key: string;
}

async function count(ctx: Context, runtime: Runtime, counted: Counted): Promise<void> {
  const { counter, budget, scope, key } = counted;
  const standing = await counter.count(key);
  const shown = show(ctx, standing);
  if (standing.passed) return;
  if (counter.claimFirstRefusal(key)) {
    const ip = clientAddress(ctx, runtime.config.trustedProxies);
    runtime.log.warn(
      { budget, scope, ip },
      'a budget is spent: requests are refused until it is whole again',
    );
  }
  throw new AuthError('rate_limited', { headers: { 'Retry-After': inSeconds(shown) } });
}

/** The tightest of the budgets that a request has been counted against so far. */
const shownBy = new WeakMap<Context, Standing>();

/** Tells where the request stands. A spent budget is the tightest: of two, the one that stays spent for longer. */
function show(ctx: Context, standing: Standing): Standing {
  const before = shownBy.get(ctx);
  const shown = before ? tighter(before, standing) : standing;
  shownBy.set(ctx, shown);
  ctx.set('RateLimit-Limit', `${shown.limit}`);
  ctx.set('RateLimit-Remaining', `${shown.remaining}`);
  ctx.set('RateLimit-Reset', inSeconds(shown));
  return shown;
}

/** Rounded up: whoever waits so many seconds has waited long enough. */
const inSeconds = ({ resetMs }: Standing) => `${Math.max(1, Math.ceil(resetMs / second))}`;
