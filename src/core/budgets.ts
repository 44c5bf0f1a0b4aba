import { inspect } from 'node:util';
import type { FaultList } from './config-fault.ts';

/** A rate limit: at most `max` requests in a window of `seconds`. */
export interface Budget {
  /** From 1 to 1000000. */
  max: number;
  /** From 1 to 86400. */
  seconds: number;
}

/**
 * The kinds of routes. All routes of one kind share a budget:
 *
 * - `read`: routes that only read
 * - `write`: changes by signed-in users, including signing out, removing the password and issuing service tokens
 * - `ceremony`: the start and the finish of each passkey ceremony
 * - `password`: routes that check or set a password
 * - `recovery`: creating, using, revoking and canceling recovery codes and recovery links
 */
export type BudgetName = 'read' | 'write' | 'ceremony' | 'password' | 'recovery';

/** The budgets for one kind of route. */
export interface Budgets {
  /**
   * The budget of each IPv4 address and of each IPv6 /64 network. Each IPv6 /56 network has 4 times this budget, and each
   * /48 network has 16 times this budget.
   */
  address: Budget;
  /**
   * The budget of each signed-in user, counted over all IP addresses. For `password` and `recovery`, also the budget of
   * each username in a sign-in or a recovery. Each browser that has signed in to the account before has another budget
   * of this size. Null: no such budgets.
   */
  account: Budget | null;
}

/** Budgets that replace the defaults. */
export type BudgetOptions = { readonly [Name in BudgetName]?: Partial<Budgets> };

/**
 * The budgets of IP addresses are large enough for several users behind one IP address. The `password` budget of
 * accounts allows 40 wrong guesses an hour. Recovery codes are too long to guess, so the `recovery` budget of accounts
 * only limits the size of the audit log, and rejects no correct code.
 */
const defaults: Readonly<Record<BudgetName, Budgets>> = {
  read: { address: { max: 600, seconds: 60 }, account: null },
  write: { address: { max: 120, seconds: 60 }, account: null },
  ceremony: { address: { max: 300, seconds: 60 }, account: { max: 60, seconds: 60 } },
  password: { address: { max: 60, seconds: 300 }, account: { max: 10, seconds: 900 } },
  recovery: { address: { max: 20, seconds: 900 }, account: { max: 100, seconds: 900 } },
};

/**
 * Whether the budget of accounts counts only failed requests. If successful requests counted, users could lock themselves
 * out.
 */
export const countsFailures = (budget: BudgetName): boolean => budget === 'password' || budget === 'recovery';

const scopes = ['address', 'account'] satisfies (keyof Budgets)[];
const expected = '{ max: 1 to 1000000, seconds: 1 to 86400 }, whole numbers';

/** Merges the given budgets with the defaults. Adds a fault for each invalid budget. */
export function readBudgets(faults: FaultList, given: BudgetOptions = {}): Record<BudgetName, Budgets> {
  const names = Object.keys(defaults) as BudgetName[];
  // `checkOptionNames` has added a fault for a value that is not an object.
  if (typeof given !== 'object') return { ...defaults };
  listUnknown(faults, 'rateLimits', given, names);
  const budgets = names.map((name) => {
    const path = `rateLimits.${name}`;
    const { address, account } = given[name] ?? {};
    listUnknown(faults, path, given[name] ?? {}, scopes);
    if (address !== undefined) listUnusable(faults, `${path}.address`, address, expected);
    if (account !== undefined && account !== null)
      listUnusable(faults, `${path}.account`, account, `${expected}; or null`);
    // Not `??`, because null means that accounts have no budget.
    const forAccount = account === undefined ? defaults[name].account : account;
    return [name, { address: address ?? defaults[name].address, account: forAccount }] as const;
  });
  return Object.fromEntries(budgets) as Record<BudgetName, Budgets>;
}

function listUnknown(faults: FaultList, path: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) faults.add(`${path}.${name}`, name, `one of ${known.join(', ')}`);
  }
}

function listUnusable(faults: FaultList, path: string, budget: Budget, expected: string): void {
  // Callers in JavaScript can pass any value.
  if (isWithin(budget?.max, 1_000_000) && isWithin(budget?.seconds, 86_400)) return;
  faults.add(path, inspect(budget, { breakLength: Number.POSITIVE_INFINITY }), expected);
}

const isWithin = (value: unknown, most: number) =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;
