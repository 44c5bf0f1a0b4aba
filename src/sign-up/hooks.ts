import { bounds } from '../core/bounds.ts';
import type {
  SignUpAddition,
  SignUpHooks,
  SignUpOptions,
  SignUpRefusal,
  SqlFragment,
  UsernameRequest,
} from '../core/sign-up.ts';
import { Sql } from '../db/sql.ts';

const reasonPattern = /^\P{Cc}+$/u;

/** Checks the functions of the option `signUp`. @throws TypeError for a value that is not a function */
export function signUpHooks({ before, after }: SignUpOptions = {}): SignUpHooks {
  requireFunction('signUp.before', before);
  requireFunction('signUp.after', after);
  let knownText: string | undefined;
  return {
    hasStatement: after !== undefined,
    async ask(request) {
      return before === undefined ? { fields: {} } : answerOf(request, await before(request));
    },
    statementFor(created) {
      if (after === undefined) return null;
      const fragment = fragmentOf(after(created));
      const text = fragment.strings.join('$');
      knownText ??= text;
      // PostgreSQL prepares each text, and the service keeps each text in memory. A text that contains values could
      // also allow SQL injection.
      if (text !== knownText)
        throw new TypeError(
          `signUp.after: expected the same SQL text in each call. Put values into \${…}, and conditions into "where".`,
        );
      return fragment;
    },
  };
}

function requireFunction(option: string, given: unknown): void {
  if (given !== undefined && typeof given !== 'function')
    throw new TypeError(`${option}: expected a function, not ${typeOf(given)}`);
}

function answerOf({ kind }: UsernameRequest, answer: unknown): SignUpRefusal | SignUpAddition {
  if (answer === undefined) return { fields: {} };
  const [name, ...others] = isObject(answer) ? Object.keys(answer) : [];
  const { refuse, fields } = (isObject(answer) ? answer : {}) as { refuse?: unknown; fields?: unknown };
  if (others.length === 0 && name === 'refuse' && isReason(refuse)) return { refuse };
  if (others.length === 0 && name === 'fields' && kind === 'sign_up' && isObject(fields))
    return { fields: fields as SignUpAddition['fields'] };
  const addition = kind === 'sign_up' ? ', or { fields: { … } } to add own fields' : '';
  throw new TypeError(
    `signUp.before: expected undefined to allow the request, or { refuse: 'a reason of 1 to ${bounds.refusalCharacters} characters' }${addition}, not ${shown(answer)}`,
  );
}

const isReason = (given: unknown): given is string =>
  typeof given === 'string' && reasonPattern.test(given) && [...given].length <= bounds.refusalCharacters;

const isObject = (given: unknown): given is object =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

function fragmentOf(given: unknown): SqlFragment {
  if (given instanceof Promise) {
    // Without a handler, a rejection would end the process.
    given.catch(() => {});
    throw new TypeError('signUp.after: expected a statement, not a promise. Load data in signUp.before.');
  }
  if (!isFragment(given))
    throw new TypeError(
      `signUp.after: expected a statement from the tag \`sql\`, such as sql\`insert into profiles (user_id) values (\${user.id})\`, not ${shown(given)}`,
    );
  // Puts the texts of nested fragments into `strings`.
  const { strings, values } = new Sql(given.strings, given.values);
  const missing = values.indexOf(undefined);
  if (missing >= 0) throw new TypeError(`signUp.after: value ${missing + 1} is undefined. Use null instead.`);
  const [verb = ''] = /^[a-z]+/i.exec(withoutLeadingComments(strings[0] ?? '')) ?? [];
  // PostgreSQL runs a `select` in a CTE only if another part of the statement reads its rows.
  if (!/^(insert|update|delete)$/i.test(verb))
    throw new TypeError(
      `signUp.after: expected an insert, update or delete, not ${verb === '' ? 'an empty statement' : verb.toLowerCase()}. PostgreSQL would not run it.`,
    );
  const last = strings.length - 1;
  return { strings: strings.map((text, at) => (at === last ? text.replace(/[\s;]+$/, '') : text)), values };
}

const isFragment = (given: unknown): given is SqlFragment => {
  const { strings, values } = (given ?? {}) as Partial<SqlFragment>;
  return (
    Array.isArray(strings) &&
    Array.isArray(values) &&
    strings.length === values.length + 1 &&
    strings.every((text) => typeof text === 'string')
  );
};

const withoutLeadingComments = (text: string): string =>
  text.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, '');

const typeOf = (given: unknown): string => (given === null ? 'null' : typeof given);

/** Describes a value without its text, because the text can be personal data. */
const shown = (given: unknown): string =>
  typeof given === 'boolean' ? `${given}` : typeof given === 'string' ? 'a string' : typeOf(given);
