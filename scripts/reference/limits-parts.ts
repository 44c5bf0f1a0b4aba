import { bounds } from '../../src/core/bounds.ts';
import { type Budget, type BudgetName, countsFailures, readBudgets } from '../../src/core/budgets.ts';
import { FaultList } from '../../src/core/config-fault.ts';
import { commentsIn } from '../doc-comments.ts';
import { code, table } from '../markdown.ts';

/** The generated parts of docs/reference/limits.md, by name. */
export const limitsParts = (): Record<string, string> => ({
  'rate-limits': rateLimitTable(),
  bounds: boundTable(),
});

function rateLimitTable(): string {
  const kinds = commentsIn('src/core/budgets.ts', 'BudgetName');
  return table(
    ['Routes', 'Each IP address (IPv6: each /64)', 'Each account'],
    Object.entries(readBudgets(new FaultList())).map(([name, { address, account }]) => {
      const kind = new RegExp(`- \`${name}\`: (.*?)(?= - |$)`).exec(kinds.BudgetName ?? '')?.[1];
      return [
        `${code(name)}: ${kind}`,
        budgetText(address),
        account ? budgetText(account, countsFailures(name as BudgetName) ? ' failures' : '') : '',
      ];
    }),
  );
}

function budgetText({ max, seconds }: Budget, what = ''): string {
  if (seconds === 60) return `${max}${what} a minute`;
  return `${max}${what} in ${seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`}`;
}

function boundTable(): string {
  const comments = commentsIn('src/core/bounds.ts', 'Bounds');
  return table(
    ['At most', ''],
    Object.entries(bounds).map(([name, most]) => [
      sizeText(name, most),
      firstLowerCase(comments[name] ?? ''),
    ]),
  );
}

function sizeText(name: string, most: number): string {
  if (name.endsWith('Bytes')) return most % 1024 === 0 ? `${most / 1024} KiB` : `${most} bytes`;
  return name.endsWith('Seconds') ? `${most} seconds` : most.toLocaleString('en-US');
}

const firstLowerCase = (text: string): string => `${text[0]?.toLowerCase()}${text.slice(1)}`;
