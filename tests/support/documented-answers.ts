import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Context, Next } from 'koa';
import { openApiDocument } from '../../src/api/openapi/document.ts';

const document = openApiDocument({ prefix: '/auth', cookieName: 'latchkey' });

/** The OpenAPI document with strict schemas, which reject undocumented properties. */
const strictDocument = JSON.parse(JSON.stringify(document), (_, value) =>
  value?.type === 'object' && value.properties ? { additionalProperties: false, ...value } : value,
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(strictDocument, 'document');

interface Documented {
  pattern: RegExp;
  path: string;
  methods: Record<string, { responses: Record<string, object> }>;
}

const documented = Object.entries(document.paths).map(
  ([path, methods]): Documented => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    path,
    methods: methods as unknown as Documented['methods'],
  }),
);

/**
 * Checks every response under `/auth` against the OpenAPI document: status, content type, headers and all properties of
 * the body. A response that does not match becomes a 599 that names the difference, so the test fails.
 */
export async function heldToTheDocument(ctx: Context, next: Next): Promise<void> {
  await next();
  const violation = violationIn(ctx);
  if (violation === null) return;
  ctx.status = 599;
  ctx.body = { violation: `${ctx.method} ${ctx.path}: ${violation}` };
}

function violationIn(ctx: Context): string | null {
  const method = ctx.method === 'HEAD' ? 'get' : ctx.method.toLowerCase();
  // Literal paths take precedence over paths with parameters.
  const found = documented
    .filter(({ pattern, methods }) => pattern.test(ctx.path) && methods[method])
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
  const operation = found?.methods[method];
  if (!found || !operation) return null;

  if (!operation.responses[ctx.status]) return `status ${ctx.status} is not documented`;
  for (const name of ['X-Request-Id', 'Cache-Control'])
    if (!ctx.response.get(name)) return `header ${name} is missing`;
  if (ctx.method === 'HEAD') return null;

  const { pointer, content } = contentOf(found.path, method, ctx.status);
  if (!content) return ctx.body == null ? null : 'the body is not documented';
  const type = ctx.response.get('Content-Type').split(';')[0] ?? '';
  if (!content[type]) return `content type ${type} is not documented`;
  return mismatch(`${pointer}/content/${escaped(type)}/schema`, ctx.body);
}

interface Response {
  $ref?: string;
  content?: Record<string, object>;
}

/** Returns the documented content of a response and resolves `$ref`. */
function contentOf(path: string, method: string, status: number) {
  const responses = document.paths[path]?.[method]?.responses as Record<string, Response>;
  const response = responses[status];
  const name = response?.$ref?.split('/').at(-1);
  if (name === undefined)
    return { pointer: `/paths/${escaped(path)}/${method}/responses/${status}`, content: response?.content };
  const shared = document.components.responses?.[name] as Response;
  return { pointer: `/components/responses/${name}`, content: shared.content };
}

const validators = new Map<string, ValidateFunction>();

function mismatch(pointer: string, body: unknown): string | null {
  // A stream is not checked, because reading it here would consume it.
  const isStream = typeof body === 'object' && body !== null && 'pipe' in body;
  if (isStream) return null;
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
  validators.set(pointer, validate);
  const value = JSON.parse(typeof body === 'string' ? body : JSON.stringify(body));
  return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: 'body' });
}

/** Escapes a key for a JSON pointer in a URI fragment (RFC 6901, section 6). */
const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
