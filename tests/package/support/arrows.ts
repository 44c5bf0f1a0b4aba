import { cyclesOf, type Import, type ImportGraph, reachedFrom } from './import-graph.ts';

/** A rule of the architecture about imports. `check` returns one line for each breach. */
export interface Arrow {
  law: string;
  check(graph: ImportGraph): string[];
}

/** The folder of src that owns each table and view. Only the migrations and the owner's store can name the table. */
export const tableOwners: Record<string, string> = {
  users: 'users',
  erased_usernames: 'users',
  held_usernames: 'users',
  user_ids: 'users',
  user_sign_ins: 'users',
  passkeys: 'passkeys',
  passkey_holders: 'users',
  spent_challenges: 'passkeys',
  sessions: 'sessions',
  audit_events: 'audit',
  audit_entries: 'audit',
  audit_tiles: 'audit',
  audit_checkpoints: 'audit',
  audit_log: 'audit',
  audit_witnessed: 'audit',
  recovery_codes: 'recovery',
  recovery_links: 'recovery',
  impersonation_links: 'impersonation-links',
  superadmin_roster: 'roles',
  bootstrap: 'bootstrap',
  invitations: 'invitations',
  organizations: 'organizations',
  memberships: 'organizations',
  organization_invitations: 'organizations',
  imported_users: 'provisioning',
  migrations: 'db',
  settings: 'db',
  secrets: 'db',
  sign_in_hours: 'overview',
  active_user_counts: 'overview',
  last_active_hours: 'overview',
  counted_sign_ins: 'overview',
  user_figures: 'overview',
  webhooks: 'webhooks',
};
/** Functions in the schema `latchkey`. Their names are not names of tables. */
const functions = new Set([
  'clock',
  'refuse_change',
  'forget_audit_events',
  'count_hour',
  'count_sign_ins',
  'change_audit_minimum',
  'erase_user',
  'username_digest',
  'keyed_digest',
  'refuse_erased_username',
  'require_primary',
  'insert_user_id',
  'delete_user_id',
  'insert_user_sign_in',
  'delete_user_sign_in',
  'remove_disabled_reason',
  'name_grams',
  'refuse_entry_change',
  'salt_audit_events',
  'kept_digests',
  'tell_of_session',
  'tell_of_user',
]);
/** Names of OpenTelemetry attributes and metrics that begin with `latchkey.`. */
const telemetryNames = new Set(['operation', 'outcome', 'audit_backlog', 'audit_witness']);

/** The only files that create the proofs of capabilities. Operations take such a proof. */
const proofMakers = ['src/authorization/authorize.ts', 'src/service/operator-actions.ts'];

const roomOf = (path: string): string => /^src\/([^/]+)\//.exec(path)?.[1] ?? '';
const isIn =
  (...rooms: string[]) =>
  (path: string): boolean =>
    rooms.includes(roomOf(path));

// These match files in a folder of src, or in a direct subfolder of such a folder.
const isOperation = (path: string) => /^src\/(?:[^/]+\/){1,2}operations(\.ts$|\/)/.test(path);
const isRule = (path: string) => /^src\/(?:[^/]+\/){1,2}rules(\.ts$|\/)/.test(path);
const isStore = (path: string) => /^src\/(?:[^/]+\/){1,2}store(\.ts$|\/)/.test(path);
const isHttp = (path: string) => isIn('http', 'api')(path) || /^(@koa\/|koa(-|$))/.test(path);
/**
 * The folders that serve, build or test the features. These folders are above the others. The folders client,
 * elements and embedded do not belong to this order.
 */
const isAbove = isIn('http', 'api', 'service', 'testing', '');
const isBelow = (path: string) =>
  /^src\/[^/]+\//.test(path) && !isAbove(path) && !isIn('client', 'elements', 'embedded')(path);
const isSqlWork = (path: string) =>
  isIn('db')(path) || isStore(path) || isOperation(path) || /^(sql-template-tag|postgres|pg)$/.test(path);

const files = (graph: ImportGraph) => [...graph.keys()];
const imports = (graph: ImportGraph) => [...graph.values()].flatMap(({ imports }) => imports);
const sentence = ({ from, to }: Import) => `${from} imports ${to}`;

/** Returns a check: no file of the first kind imports one of the second kind, directly or indirectly. */
const unreachable =
  (start: (path: string) => boolean, target: (path: string) => boolean) =>
  (graph: ImportGraph): string[] =>
    files(graph)
      .filter(start)
      .flatMap((path) => [...reachedFrom(graph, path)])
      .filter(([reached]) => target(reached))
      .map(([, chain]) => chain.join(' -> '));

/** Returns a check: no import is of this kind. */
const none =
  (forbidden: (edge: Import) => boolean) =>
  (graph: ImportGraph): string[] =>
    imports(graph).filter(forbidden).map(sentence);

/** Returns a check: in src, files in a folder import only from this folder and from the other given folders. */
const onlyFrom = (room: string, ...rooms: string[]) =>
  none(({ from, to }) => isIn(room)(from) && to.startsWith('src/') && !isIn(room, ...rooms)(to));

/** All rules include type imports. */
export const arrows: readonly Arrow[] = [
  { law: 'core/ imports only core/', check: onlyFrom('core') },
  { law: 'db/ imports only core/ and db/', check: onlyFrom('db', 'core') },
  { law: 'http/ imports only core/ and http/, and no feature', check: onlyFrom('http', 'core') },
  {
    law: 'the layers under service/ and api/ do not import Koa, http/ or api/, directly or indirectly',
    check: unreachable(isBelow, isHttp),
  },
  {
    law: 'a rules file imports no SQL, no store and no operation, directly or indirectly',
    check: unreachable(isRule, isSqlWork),
  },
  {
    law: 'a store imports no rules and no operations',
    check: none(({ from, to }) => isStore(from) && (isRule(to) || isOperation(to))),
  },
  {
    law: 'only db imports the library that composes SQL',
    check: none(({ from, to }) => !isIn('db')(from) && to === 'sql-template-tag'),
  },
  {
    law: 'a table is named only in the migrations and in the store of its owner',
    check: (graph) =>
      [...graph.values()]
        .filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/db/migrations/'))
        .flatMap(({ path, texts }) =>
          texts
            .flatMap((text) => [...text.matchAll(/\blatchkey\.([a-z]\w*)/g)].map(([, name = '']) => name))
            .filter((name) => !functions.has(name) && !telemetryNames.has(name))
            .filter((name) => tableOwners[name] !== roomOf(path) || !(isStore(path) || isIn('db')(path)))
            .map((name) => `${path} names latchkey.${name}`),
        ),
  },
  {
    law: 'only `authorize` and `asOperator` create proofs of capabilities',
    check: none(({ from, to }) => to === 'src/roles/entitle.ts' && !proofMakers.includes(from)),
  },
  {
    law: 'folders of src do not import each other in a cycle',
    check: (graph) => {
      const edges = new Map<string, Set<string>>();
      for (const { from, to } of imports(graph)) {
        const [here, there] = [roomOf(from), roomOf(to)];
        if (here === '' || there === '' || here === there) continue;
        edges.set(here, (edges.get(here) ?? new Set()).add(there));
      }
      return cyclesOf(edges);
    },
  },
  {
    law: 'files do not import each other in a cycle',
    check: (graph) =>
      cyclesOf(
        new Map([...graph.values()].map(({ path, imports }) => [path, new Set(imports.map(({ to }) => to))])),
      ),
  },
  {
    law: 'the browser client imports nothing of the server and nothing of Node.js',
    check: none(
      ({ from, to }) =>
        isIn('client')(from) &&
        ((/^src\//.test(to) && !isIn('client')(to)) || /^(node:|@simplewebauthn\/server)/.test(to)),
    ),
  },
  {
    // The types of `latchkey/client` are imported by the name of the entry, so that the built types do not repeat them.
    law: 'the elements import only the entry of the browser client, and no package',
    check: none(
      ({ from, to, typeOnly }) =>
        isIn('elements')(from) &&
        !isIn('elements')(to) &&
        to !== 'src/client/index.ts' &&
        !(typeOnly && to === 'latchkey/client'),
    ),
  },
  {
    law: 'the server imports nothing from the browser client or the elements',
    check: none(
      ({ from, to }) =>
        /^src\//.test(from) &&
        ((!isIn('client', 'elements')(from) && isIn('client')(to)) ||
          (!isIn('elements')(from) && isIn('elements')(to))),
    ),
  },
  {
    law: 'the main entry imports neither testing/ nor embedded/, directly or indirectly',
    check: unreachable((path) => path === 'src/index.ts', isIn('testing', 'embedded')),
  },
  {
    law: 'the verifier of service tokens imports only jose, valibot and the roles, directly or indirectly',
    check: unreachable(
      (path) => path === 'src/service-token/index.ts',
      (path) => !isIn('service-token')(path) && !/^(jose|valibot|src\/core\/user\.ts)$/.test(path),
    ),
  },
  {
    law: 'src imports nothing from outside of src',
    check: none(
      ({ from, to, typeOnly }) =>
        /^src\//.test(from) &&
        (/^(cli|examples|bench|tests)\//.test(to) || /^latchkey(\/|$)/.test(to)) &&
        // See the law of the elements.
        !(isIn('elements')(from) && typeOnly && to === 'latchkey/client'),
    ),
  },
  {
    law: 'cli/, examples/ and bench/ import only the entries of the package',
    check: none(({ from, to }) => {
      const [folder = ''] = from.split('/');
      if (!['cli', 'examples', 'bench'].includes(folder)) return false;
      const leavesFolder =
        /^(src|cli|examples|bench|tests|dist|scripts)\//.test(to) && !to.startsWith(`${folder}/`);
      return (
        leavesFolder ||
        to.startsWith('..') ||
        (/^latchkey(\/|$)/.test(to) &&
          !/^latchkey(\/(client|elements(\/[a-z-]+)?|testing|embedded|service-token))?$/.test(to))
      );
    }),
  },
];

/** The internal modules that tests can import. No entry of the package exports the parts that these tests need. */
const insideOnPurpose: readonly [test: RegExp, source: RegExp][] = [
  // Pure decisions and small mechanisms. Their tests cover every case.
  [/^tests\/rules\//, /^src\/(?:[^/]+\/){1,2}rules\.ts$/],
  [
    /^tests\/rules\//,
    /^src\/(roles\/(grants|organization-roles)|core\/(capability-table|config-organizations))\.ts$/,
  ],
  // The requirements as the service reads them from the option.
  [
    /^tests\/rules\/authenticators/,
    /^src\/core\/(authenticator-policy|config-authenticators|config-fault|user)\.ts$/,
  ],
  // No endpoint reaches the condition for a user without the right to help, because a check before it refuses the user.
  [/^tests\/rules\/help\.test\.ts$/, /^src\/(db\/sql|organizations\/operations\/help)\.ts$/],
  [/^tests\/rules\/recovery/, /^src\/(recovery\/code|core\/sealing)\.ts$/],
  [/^tests\/(rules|db)\/look-alikes/, /^src\/(users\/(look-alikes|rules)|core\/username-rule)\.ts$/],
  // The formats of the audit log, with the published test vectors.
  [/^tests\/rules\/audit-log\//, /^src\/(audit\/log\/|core\/(derive-key|signing-keys)\.ts$)/],
  // The challenges, so that ceremonies can use the published ones.
  [/^tests\/vectors\//, /^src\/core\/sealing\.ts$/],
  // The check of certificates alone, because SimpleWebAuthn refuses some published examples for other reasons.
  [
    /^tests\/vectors\/webauthn-attestations/,
    /^src\/(attestation\/prove-model|passkeys\/verify-registration)\.ts$/,
  ],
  // The metadata is read once an hour or once a day.
  [
    /^tests\/features\/authenticator-metadata/,
    /^src\/(attestation\/metadata|core\/authenticator-metadata)\.ts$/,
  ],
  [/^tests\/rules\/(support\/)?session-(cache|uses)/, /^src\/sessions\/session-(cache|uses)\.ts$/],
  [/^tests\/core\//, /^src\/core\//],
  // The counters in memory, because a flood over HTTP would take minutes.
  [/^tests\/http\/rate-limits-memory/, /^src\/http\/(memory-store|rate-counter)\.ts$/],
  // Encryption with the secret. Tests forge tokens, like an attacker who knows the secret.
  [/^tests\/features\/(service-token-forgery|sign-up-rules)/, /^src\/core\/sealing\.ts$/],
  // The database interface, the migrations and housekeeping.
  [
    /^tests\/db\//,
    /^src\/(db\/|service\/housekeeping\.ts$|service\/auth-service\.ts$|core\/(runtime|database|refusal-bursts)\.ts$)/,
  ],
  // Housekeeping without waiting for its job.
  [/^tests\/time\/support\//, /^src\/service\/(housekeeping|auth-service)\.ts$/],
  // The statement whose plan the test reads.
  [/^tests\/db\/large-organization/, /^src\/organizations\/store\/member-search\.ts$/],
  // The rows of a frozen dump contain tokens and hashes as the service stores them.
  [
    /^tests\/db\/support\/dumped-rows/,
    /^src\/(core\/sealing|recovery\/code|sessions\/token|users\/look-alikes)\.ts$/,
  ],
  [
    /^tests\/features\/support\/hour-program/,
    /^src\/(service\/(housekeeping|auth-service)|sessions\/token)\.ts$/,
  ],
  // Positions without waiting for the job of the service, which starts after a second.
  [
    /^tests\/(support\/(sequencing|audit-traffic|verify-entries)|features\/audit-order-races)/,
    /^src\/(audit\/(log|store)|db)\/|^src\/core\/database\.ts$/,
  ],
  // The job of the witness without waiting for a minute, and a witness.
  [
    /^tests\/(features\/audit-witness|support\/tlog-witness)/,
    /^src\/(audit\/log\/|core\/signing-keys\.ts$|service\/(audit-witness|auth-service)\.ts$)/,
  ],
  // What an attacker knows: the published formats of the log.
  [/^tests\/features\/audit-tampering/, /^src\/audit\/(log|store)\//],
  [/^tests\/features\/audit-order/, /^src\/audit\/(log\/cursor|store\/(positions|sequencer-lease))\.ts$/],
  [/^tests\/campaigns\/audit-order\//, /^src\/(audit\/(log|store)|db)\//],
  [/^tests\/db\/support\/sent-statements/, /^src\/audit\/store\//],
  [/^tests\/features\/audit-backlog/, /^src\/service\/(audit-alarm|auth-service)\.ts$/],
  // The limit that tests lift.
  [/^tests\/support\/without-time-limits/, /^src\/db\/statement-timeout\.ts$/],
  [/^tests\/(features\/audit-day|faults\/refusal-bursts)/, /^src\/service\/(housekeeping|auth-service)\.ts$/],
  // The schema that allows no unknown fields. The package contains one that allows them.
  [
    /^tests\/features\/(support\/event-schema|audit-event-schema)/,
    /^src\/audit\/conventions\/event-schema\.ts$/,
  ],
  // Each refusal gets its own audit event, so that a schedule does not depend on the schedules before it.
  [/^tests\/interleavings\/support\/service/, /^src\/service\/auth-service\.ts$/],
  // No public call runs one job of housekeeping alone.
  [
    /^tests\/interleavings\/(operations\.test|support\/operation)/,
    /^src\/(core\/pauses|service\/(auth-service|housekeeping))\.ts$/,
  ],
  // The statement of `awaitStandby` is not a step of a schedule.
  [/^tests\/interleavings\/support\/scheduler/, /^src\/db\/confirm-answer\.ts$/],
  // The second instance receives notifications as a client of postgres.js does.
  [/^tests\/interleavings\/support\/two-instances/, /^src\/db\/postgres\.ts$/],
  // Statements that an operator types, through the service's database.
  [/^tests\/interleavings\/typed-statements/, /^src\/(db\/sql|service\/auth-service)\.ts$/],
  // The function that only the owner of the schema calls.
  [/^tests\/features\/audit-day/, /^src\/db\/database-role\.ts$/],
  [/^tests\/memory\//, /^src\/(db\/sql|core\/bounds)\.ts$/],
  [/^tests\/faults\//, /^src\/db\//],
  // The OpenAPI document, because tests check every response against it.
  [
    /^tests\/(support\/documented-answers|http\/openapi\.test|features\/organization-roles|package\/documents\.test)/,
    /^src\/api\/openapi\/(document|chapters)\.ts$/,
  ],
  // The declarations of the endpoints and the types of the operations.
  [/^tests\/(package\/operations|features\/refusals-recorded)/, /^src\/api\/openapi\/chapters\.ts$/],
  [/^tests\/features\/switched-off/, /^src\/api\/organizations?(-invitations)?\.ts$/],
  [/^tests\/package\/entitlement/, /^src\/(core|roles|authorization|[a-z]+\/operations)\//],
  // The time limit of statements. Tests remove the limit, because a statement can take longer on an overloaded machine.
  [/^tests\/support\/unlimited-statements/, /^src\/db\/statement-timeout\.ts$/],
  // No public function takes the addresses of a host, the bytes of a connection, or a random number.
  [
    /^tests\/rules\/webhook/,
    /^src\/(webhooks\/(checks|destination|lookup|message|send|signature)|core\/config-(fault|webhooks))\.ts$/,
  ],
  // Formats and decisions, for many values.
  [
    /^tests\/properties\//,
    /^src\/(accounts\/list-position|audit\/log\/(checkpoint|cursor|note|proof|tree)|core\/(csv|sealing|signing-keys|user-list|username-rule)|http\/json|roles\/(grants|rules)|users\/(look-alikes|rules)|webhooks\/destination)\.ts$/,
  ],
  // The functions that read untrusted bytes, without the service around them.
  [
    /^tests\/fuzz\//,
    /^src\/(passkeys|audit\/log|http\/(json|cookie-names)|core\/(errors|sealing|signing-keys)|webhooks\/destination)/,
  ],
  // The internals of the embedded PostgreSQL.
  [/^tests\/embedded\//, /^src\/embedded\//],
];

export const testArrow: Arrow = {
  law: 'tests import no file of src/ directly, except the files that `insideOnPurpose` lists',
  check: none(
    ({ from, to }) =>
      /^tests\//.test(from) &&
      /^src\//.test(to) &&
      !insideOnPurpose.some(([test, source]) => test.test(from) && source.test(to)),
  ),
};
