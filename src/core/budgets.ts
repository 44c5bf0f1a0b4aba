import { inspect } from 'node:util';
import type { FaultList } from './config-fault.ts';

/** How many requests may come in how many seconds. */
export interface Budget {
  /** 1 to 1000000. */
  max: number;
  /** 1 to 86400. */
  seconds: number;
}

/**
 * The kinds of routes that share a budget:
 *
 * - `read`: whatever only reads, username availability among it
 * - `write`: changes by somebody who is signed in, and signing out
 * - `ceremony`: both halves of signup, login, step-up and of adding a passkey
 * - `password`: whatever checks or sets a password
 * - `recovery`: recovery codes and recovery links, from either side
 */
export type BudgetName = 'read' | 'write' | 'ceremony' | 'password' | 'recovery';

/** What one address may spend, and what may be spent on one account from wherever. */
export interface Budgets {
  address: Budget;
  /** Null: routes of this kind have a budget for each address alone. */
  account: Budget | null;
}

/** Budgets given in code, each in place of its default. */
export type BudgetOptions = { readonly [Name in BudgetName]?: Partial<Budgets> };

/**
 * The defaults. An office behind one address fits into the ones for addresses. The ones for accounts leave somebody who
 * guesses at a password forty tries an hour; a recovery code cannot be guessed, so there they only bound the work, and
 * no single address can spend them.
 */
const defaults: Readonly<Record<BudgetName, Budgets>> = {
  read: { address: { max: 600, seconds: 60 }, account: null },
  write: { address: { max: 120, seconds: 60 }, account: null },
  ceremony: { address: { max: 300, seconds: 60 }, account: { max: 60, seconds: 60 } },
  password: { address: { max: 60, seconds: 300 }, account: { max: 10, seconds: 900 } },
  recovery: { address: { max: 20, seconds: 900 }, account: { max: 100, seconds: 900 } },
};

const scopes = ['address', 'account'] satisfies (keyof Budgets)[];
const expected = '{ max: 1 to 1000000, seconds: 1 to 86400 }, whole numbers';

/** The given budgets and the default ones for the rest; what cannot be used is put on the list. */
export function readBudgets(faults: FaultList, given: BudgetOptions = {}): Record<BudgetName, Budgets> {
  const names = Object.keys(defaults) as BudgetName[];
  listUnknown(faults, 'rateLimits', given, names);
  const budgets = names.map((name) => {
    const path = `rateLimits.${name}`;
    const { address, account } = given[name] ?? {};
    listUnknown(faults, path, given[name] ?? {}, scopes);
    if (address !== undefined) listUnusable(faults, `${path}.address`, address, expected);
    if (account !== undefined && account !== null)
      listUnusable(faults, `${path}.account`, account, `${expected}; or null`);
    // Null is an answer of its own here: no budget for accounts.
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
  // From JavaScript anything may come.
  if (isWithin(budget?.max, 1_000_000) && isWithin(budget?.seconds, 86_400)) return;
  faults.add(path, inspect(budget, { breakLength: Number.POSITIVE_INFINITY }), expected);
}

const isWithin = (value: unknown, most: number) =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;
