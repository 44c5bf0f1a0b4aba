import { cyclesOf, type Import, type ImportGraph, reachedFrom } from './import-graph.ts';

/** A law of the architecture about who may import whom; `check` answers every breach, one line each. */
export interface Arrow {
  law: string;
  check(graph: ImportGraph): string[];
}

/** Which feature's folder a table belongs to: only its store and the migrations may name it. */
export const tableOwners: Record<string, string> = {
  users: 'users',
  passkeys: 'passkeys',
  spent_challenges: 'passkeys',
  sessions: 'sessions',
  audit_events: 'audit',
  recovery_codes: 'recovery',
  recovery_links: 'recovery',
  superadmin_roster: 'roles',
  bootstrap: 'bootstrap',
  invitations: 'invitations',
  organizations: 'organizations',
  memberships: 'organizations',
  migrations: 'db',
};
/** Names in our schema that are no tables. */
const functions = new Set([
  'clock',
  'refuse_change',
  'forget_audit_events',
  'tell_of_session',
  'tell_of_user',
]);

/** Folders of src/ that are no features. */
const foundations = new Set(['core', 'db', 'http', 'client', 'testing', 'embedded', 'service-token']);

const folderOf = (path: string): string => /^src\/([^/]+)\//.exec(path)?.[1] ?? '';
const featureOf = (path: string): string => (foundations.has(folderOf(path)) ? '' : folderOf(path));

const isRoutes = (path: string) => /^src\/.*\/routes\.ts$/.test(path);
const isOperation = (path: string) => /^src\/[^/]+\/operations(\.ts$|\/)/.test(path);
const isRule = (path: string) => /^src\/[^/]+\/rules(\.ts$|\/)/.test(path);
const isStore = (path: string) => /^src\/[^/]+\/store(\.ts$|\/)/.test(path);
const isHttp = (path: string) => /^src\/http\//.test(path) || /^(@koa\/|koa(-|$))/.test(path);
const isSqlWork = (path: string) =>
  /^src\/db\//.test(path) ||
  isStore(path) ||
  isOperation(path) ||
  /^(sql-template-tag|postgres|pg)$/.test(path);

const files = (graph: ImportGraph) => [...graph.keys()];
const imports = (graph: ImportGraph) => [...graph.values()].flatMap(({ imports }) => imports);
const told = ({ from, to }: Import) => `${from} imports ${to}`;
const isRuntime = ({ typeOnly }: Import) => !typeOnly;

/** Breaches of: no file of the first kind reaches one of the second, by whatever way. */
const unreachable =
  (start: (path: string) => boolean, target: (path: string) => boolean, follow?: (edge: Import) => boolean) =>
  (graph: ImportGraph): string[] =>
    files(graph)
      .filter(start)
      .flatMap((path) => [...reachedFrom(graph, path, follow)])
      .filter(([reached]) => target(reached))
      .map(([, chain]) => chain.join(' -> '));

/** Breaches of: no import is of this kind. */
const none =
  (forbidden: (edge: Import) => boolean) =>
  (graph: ImportGraph): string[] =>
    imports(graph).filter(forbidden).map(told);

export const arrows: readonly Arrow[] = [
  {
    law: 'only http/router.ts imports routes',
    check: none(({ from, to }) => isRoutes(to) && from !== 'src/http/router.ts'),
  },
  {
    law: 'operations, rules and stores reach nothing of Koa or http/',
    check: unreachable((path) => isOperation(path) || isRule(path) || isStore(path), isHttp),
  },
  {
    law: 'rules reach no SQL, no store and no operation, save for types',
    check: unreachable(isRule, isSqlWork, isRuntime),
  },
  {
    law: 'stores import no rules and no operations',
    check: none(({ from, to }) => isStore(from) && (isRule(to) || isOperation(to))),
  },
  {
    law: 'core imports nothing but core, save for types',
    check: none(
      (edge) => folderOf(edge.from) === 'core' && isRuntime(edge) && /^src\/(?!core\/)/.test(edge.to),
    ),
  },
  {
    law: 'db imports core and db alone',
    check: none(({ from, to }) => folderOf(from) === 'db' && /^src\/(?!core\/|db\/)/.test(to)),
  },
  {
    law: 'statements are put together by db alone, which keeps what their parts would write',
    check: none(({ from, to }) => folderOf(from) !== 'db' && to === 'sql-template-tag'),
  },
  {
    law: 'audit, which everything may use, uses core and db alone',
    check: none(({ from, to }) => folderOf(from) === 'audit' && /^src\/(?!audit\/|core\/|db\/)/.test(to)),
  },
  {
    law: 'http/ takes from a feature what its routes would take, never its store',
    check: none(({ from, to }) => folderOf(from) === 'http' && isStore(to)),
  },
  {
    law: 'a table is named by the store of its own feature and by the migrations alone',
    check: (graph) =>
      [...graph.values()]
        .filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/db/migrations/'))
        .flatMap(({ path, texts }) =>
          texts
            .flatMap((text) => [...text.matchAll(/\blatchkey\.([a-z]\w*)/g)].map(([, name = '']) => name))
            .filter((name) => !functions.has(name))
            .filter(
              (name) => tableOwners[name] !== folderOf(path) || !(isStore(path) || folderOf(path) === 'db'),
            )
            .map((name) => `${path} names latchkey.${name}`),
        ),
  },
  {
    law: 'features import each other in no circle',
    check: (graph) => {
      const edges = new Map<string, Set<string>>();
      for (const { from, to } of imports(graph)) {
        const [here, there] = [featureOf(from), featureOf(to)];
        if (here === '' || there === '' || here === there) continue;
        edges.set(here, (edges.get(here) ?? new Set()).add(there));
      }
      return cyclesOf(edges);
    },
  },
  {
    law: 'files import each other in no circle, not even for types',
    check: (graph) =>
      cyclesOf(
        new Map([...graph.values()].map(({ path, imports }) => [path, new Set(imports.map(({ to }) => to))])),
      ),
  },
  {
    law: 'the browser client imports nothing of the server and nothing of Node',
    check: none(
      ({ from, to }) =>
        folderOf(from) === 'client' &&
        ((/^src\//.test(to) && folderOf(to) !== 'client') || /^(node:|@simplewebauthn\/server)/.test(to)),
    ),
  },
  {
    law: 'the server imports nothing of the browser client',
    check: none(
      ({ from, to }) => /^src\//.test(from) && folderOf(from) !== 'client' && folderOf(to) === 'client',
    ),
  },
  {
    law: 'the main entry reaches neither testing/ nor embedded/',
    check: unreachable(
      (path) => path === 'src/index.ts',
      (path) => folderOf(path) === 'testing' || folderOf(path) === 'embedded',
    ),
  },
  {
    law: 'the verifier of service tokens reaches jose, valibot and itself alone, save for types',
    check: unreachable(
      (path) => path === 'src/service-token/index.ts',
      (path) => folderOf(path) !== 'service-token' && !/^(jose|valibot)$/.test(path),
      isRuntime,
    ),
  },
  {
    law: 'nothing in src imports from outside of it',
    check: none(
      ({ from, to }) =>
        /^src\//.test(from) && (/^(cli|examples|bench|tests)\//.test(to) || /^latchkey(\/|$)/.test(to)),
    ),
  },
  {
    law: 'cli/, examples/ and bench/ use the package as anybody would: by its entries',
    check: none(({ from, to }) => {
      const [folder = ''] = from.split('/');
      if (!['cli', 'examples', 'bench'].includes(folder)) return false;
      const leavesFolder =
        /^(src|cli|examples|bench|tests|dist|scripts)\//.test(to) && !to.startsWith(`${folder}/`);
      return (
        leavesFolder ||
        to.startsWith('..') ||
        (/^latchkey(\/|$)/.test(to) && !/^latchkey(\/(client|testing|embedded|service-token))?$/.test(to))
      );
    }),
  },
];

/** What tests may import beside the package's entries: what has no public face, or is told through no entry. */
const insideOnPurpose: readonly [test: RegExp, source: RegExp][] = [
  // Pure decisions and small mechanisms, exhausted case by case.
  [/^tests\/rules\//, /^src\/[^/]+\/rules\.ts$/],
  [/^tests\/rules\/recovery/, /^src\/(recovery\/code|core\/sealing)\.ts$/],
  [/^tests\/rules\/session-cache/, /^src\/sessions\/session-cache\.ts$/],
  [/^tests\/core\//, /^src\/core\//],
  // What the holder of a secret seals.
  [/^tests\/features\/(service-token-forgery|sign-up-rules)/, /^src\/core\/sealing\.ts$/],
  // The port, the migrations and the clean-up job.
  [/^tests\/db\//, /^src\/(db\/|housekeeping\.ts$|auth-service\.ts$|core\/runtime\.ts$)/],
  [/^tests\/features\/audit-day/, /^src\/(housekeeping|auth-service)\.ts$/],
  [/^tests\/memory\//, /^src\/db\/database\.ts$/],
  [/^tests\/faults\//, /^src\/db\/database\.ts$/],
  // What every answer is held to, before it is published.
  [
    /^tests\/(support\/documented-answers|http\/openapi\.test|package\/documents\.test)/,
    /^src\/http\/openapi\/document\.ts$/,
  ],
  // How the embedded PostgreSQL does its work.
  [/^tests\/embedded\//, /^src\/embedded\//],
];

export const testArrow: Arrow = {
  law: 'tests import the public entries, and the inside only where that is listed',
  check: none(
    ({ from, to }) =>
      /^tests\//.test(from) &&
      /^src\//.test(to) &&
      !insideOnPurpose.some(([test, source]) => test.test(from) && source.test(to)),
  ),
};
