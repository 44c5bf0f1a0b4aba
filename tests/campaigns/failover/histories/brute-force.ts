import type { Model, Operation } from './operation.ts';

/** Tries each order of each subset that contains all operations with a known answer. */
export const hasAllowedOrder = (model: Model, operations: readonly Operation[]): boolean =>
  subsets(operations).some(
    (chosen) =>
      operations.every((each) => each.answer === null || chosen.includes(each)) &&
      permutations(chosen).some((order) => respectsTime(order) && isAllowed(model, order)),
  );

const subsets = <T>(items: readonly T[]): T[][] =>
  items.reduce<T[][]>((found, item) => found.flatMap((one) => [one, [...one, item]]), [[]]);

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

const respectsTime = (order: readonly Operation[]): boolean =>
  order.every((later, index) => order.slice(0, index).every((earlier) => earlier.sentAt <= later.answeredAt));

function isAllowed(model: Model, order: readonly Operation[]): boolean {
  let state: string | null = model.initial;
  for (const each of order) state = state === null ? null : model.step(state, each);
  return state !== null;
}
