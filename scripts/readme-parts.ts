import { readFileSync } from 'node:fs';
import type { Access, Endpoint } from '../src/api/endpoint.ts';
import { chapters } from '../src/api/openapi/chapters.ts';
import { schemaOf } from '../src/api/openapi/components.ts';
import { requirementOf } from '../src/api/openapi/requirement.ts';
import { bounds } from '../src/core/bounds.ts';
import { type Budget, type BudgetName, countsFailures, readBudgets } from '../src/core/budgets.ts';
import { FaultList } from '../src/core/config-fault.ts';
import { variables } from '../src/core/config-options.ts';
import { errorTable } from '../src/core/errors.ts';
import { builtInGrants } from '../src/roles/grants.ts';
import { commentsIn } from './doc-comments.ts';
import { code, table } from './markdown.ts';

/** The generated parts of README.md, by name. */
export const readmeParts = (): Record<string, string> => ({
  'minimal-app': `\`\`\`ts\n${readFileSync('examples/minimal.ts', 'utf8')}\`\`\``,
  endpoints: endpointTable(),
  'rate-limits': rateLimitTable(),
  bounds: boundTable(),
  errors: errorTableRows(),
  options: optionTable(),
});

const marks: Record<Access, string> = {
  none: '',
  any_session_or_none: '◇',
  any_session: '◇',
  full_session: '',
  fresh: '★',
  fresh_or_recovering: '★◇',
};

const endpointTable = (): string =>
  table(
    ['Request', 'Body or query', ''],
    chapters
      .flatMap(({ endpoints }) => Object.values(endpoints))
      .map((endpoint) => [
        `${requestOf(endpoint)} ${marks[endpoint.access]}`.trim(),
        inputsOf(endpoint),
        [
          `${endpoint.summary}.`,
          endpoint.requires && requirementOf(builtInGrants, endpoint.requires, endpoint.everywhere),
        ]
          .filter(Boolean)
          .join(' '),
      ]),
  );

function requestOf({ on }: Endpoint): string {
  const [method, path = ''] = on.split(' ');
  return code(`${method} /auth${path.replaceAll(/[:*](\w+)/g, '{$1}')}`);
}

/** The properties of the body, or the parameters of the query. `?` follows the name of an optional one. */
function inputsOf({ body, query }: Endpoint): string {
  const schema = body ?? query;
  if (!schema) return '';
  const { properties = {}, required = [] } = schemaOf(schema);
  const names = Object.keys(properties).map((name) => `${name}${required.includes(name) ? '' : '?'}`);
  return code(names.join(', '));
}

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

const errorTableRows = (): string =>
  table(
    ['code', 'status', 'title, next step'],
    Object.entries(errorTable).map(([name, { status, title, nextStep }]) => [
      code(name),
      `${status}`,
      `${title} ${nextStep}`,
    ]),
  );

/** The rows come from the comments of the options, so that editors and the README say the same. */
function optionTable(): string {
  const comments = {
    ...commentsIn('src/core/config-options.ts', 'ConfigurationOptions'),
    ...commentsIn('src/service/auth-service.ts', 'AuthServiceOptions'),
  };
  const names: Partial<Record<string, string>> = variables;
  return table(
    ['Option', 'Variable', ''],
    Object.entries(comments).map(([option, comment]) => {
      const variable = names[option];
      const meaning = variable ? comment.replace(`${variable}: `, '') : comment;
      return [
        code(option),
        variable ? code(variable) : '',
        `${meaning[0]?.toUpperCase()}${meaning.slice(1)}`,
      ];
    }),
  );
}
