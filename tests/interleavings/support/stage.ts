import { type Chain, chainsOf } from '../chains.ts';
import { brokenInvariants } from '../invariants.ts';
import { requestsOf } from '../operations.ts';
import { operatorCallsOf } from '../operator-calls.ts';
import { typedStatementsOf } from '../typed-statements.ts';
import { prepareCeremonies } from './ceremonies.ts';
import { tablesOf } from './effects.ts';
import { cleaning } from './expired-rows.ts';
import type { Stage } from './meeting.ts';
import { connectOnce } from './one-connection.ts';
import { housekeeping, type Operation } from './operation.ts';
import { readInitialState } from './state.ts';
import { connectTwice } from './two-connections.ts';
import { createWorld, type World } from './world.ts';

/** All operations on the data of a world, and a backend to run them. */
export interface OpenStage extends Stage {
  world: World;
  operations: readonly Operation[];
  chains: readonly Chain[];
  /** Only run with a second instance. */
  typedStatements: readonly Operation[];
  /** Returns operations by their names: `bob leaves | adm leaves`. */
  find(names: string): Operation[];
  close(): Promise<void>;
}

/**
 * @param url a migrated database that only this stage uses, with the rights of its owner
 * @param overlaps whether statements can overlap. That is slower, because they commit.
 * @param superadmins see `createWorld`
 */
export async function openStage(
  url: string,
  { overlaps, superadmins = true }: { overlaps: boolean; superadmins?: boolean },
): Promise<OpenStage> {
  const world = await createWorld(url, superadmins);
  const operations = [
    ...requestsOf(world, await prepareCeremonies(world)),
    ...operatorCallsOf(world),
    ...Object.entries(cleaning).map(([job, cleans]) => housekeeping(world.auth, job, cleans)),
  ];
  const chains = chainsOf(world);
  const typedStatements = typedStatementsOf(world);
  world.service.seal();
  const backend = overlaps ? await connectTwice(url) : connectOnce(url);
  return {
    world,
    operations,
    chains,
    typedStatements,
    backend,
    brokenInvariants,
    initial: await readInitialState(backend, await tablesOf(world.service.sql)),
    find: (names) =>
      names
        .split(' | ')
        .map((name) => operationNamed([...operations, ...chains.flat(), ...typedStatements], name)),
    close: async () => {
      await backend.close();
      await world.close();
    },
  };
}

function operationNamed(operations: readonly Operation[], name: string): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`unknown operation: "${name}"`);
  return found;
}
