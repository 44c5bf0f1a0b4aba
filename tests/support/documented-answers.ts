import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Context, Middleware } from 'koa';
import type { AuthService } from 'latchkey';
import { type OpenApiDocument, openApiDocument, usualFeatures } from '../../src/api/openapi/document.ts';

const auditLog = { isPublic: false, witnessFor: ['any'] };
const features = { ...usualFeatures, impersonation: true, auditLog };
const settings = {
  withBearer: { prefix: '/auth', cookieName: 'latchkey', features, bearerTokens: true },
  withoutBearer: { prefix: '/auth', cookieName: 'latchkey', features },
};
type Which = keyof typeof settings;

// Each process compiles these schemas, which is faster without inlining and optimizing.
const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
formats.default(ajv);
const documents = new Map<Which, OpenApiDocument>();

/** Creates the document on first use, because most processes need only one of the two. */
function documentOf(which: Which): OpenApiDocument {
  const known = documents.get(which);
  if (known) return known;
  const document = openApiDocument(settings[which]);
  documents.set(which, document);
  /** The OpenAPI document with strict schemas, which reject undocumented properties. */
  const strictDocument = JSON.parse(JSON.stringify(document), (_, value) =>
    value?.type === 'object' && value.properties ? { additionalProperties: false, ...value } : value,
  );
  ajv.addSchema(strictDocument, which);
  return document;
}

interface Documented {
  pattern: RegExp;
  path: string;
  methods: Record<string, { responses: Record<string, object> }>;
}

/** Literal paths come first, because they take precedence over paths with parameters. */
const documentedIn = (document: OpenApiDocument): Documented[] =>
  Object.entries(document.paths)
    .map(
      ([path, methods]): Documented => ({
        pattern: new RegExp(
          `^${path
            .replaceAll('.', '\\.')
            .replace('{index}', '.+')
            .replaceAll(/\{\w+\}/g, '[^/]+')}$`,
        ),
        path,
        methods: methods as unknown as Documented['methods'],
      }),
    )
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

/** The documented paths, by the features of the service. */
const documentedFor = new Map<string, Documented[]>();

/**
 * Returns the check for a service with or without bearer tokens. A path that the service does not have is not checked.
 */
export const heldTo = (
  bearerTokens: boolean | undefined,
  { config }: Pick<AuthService, 'config'>,
): Middleware => {
  const which = bearerTokens ? 'withBearer' : 'withoutBearer';
  const { organizations, adminInvitations, signUpMode, impersonation, webhooks } = config;
  const switches = [organizations === null, adminInvitations, signUpMode, impersonation, webhooks === null];
  const key = JSON.stringify(switches);
  const known =
    documentedFor.get(key) ??
    documentedIn(
      openApiDocument({ prefix: '/auth', cookieName: 'latchkey', features: { ...config, auditLog } }),
    );
  documentedFor.set(key, known);
  return held(which, known);
};

/**
 * Checks every response under `/auth` against the OpenAPI document: status, content type, headers and all properties of
 * the body. A response that does not match becomes a 599 that names the difference, so the test fails.
 */
const held =
  (which: Which, documented: Documented[]): Middleware =>
  async (ctx, next) => {
    await next();
    const violation = violationIn(ctx, which, documented);
    if (violation === null) return;
    ctx.status = 599;
    ctx.body = { violation: `${ctx.method} ${ctx.path}: ${violation}` };
  };

function violationIn(ctx: Context, which: Which, documented: Documented[]): string | null {
  const method = ctx.method === 'HEAD' ? 'get' : ctx.method.toLowerCase();
  const found = documented.find(({ pattern, methods }) => methods[method] && pattern.test(ctx.path));
  if (!found) return null;
  const document = documentOf(which);
  const operation = document.paths[found.path]?.[method] as unknown as Documented['methods'][string];

  if (!operation.responses[ctx.status]) return `status ${ctx.status} is not documented`;
  for (const name of ['X-Request-Id', 'Cache-Control'])
    if (!ctx.response.get(name)) return `header ${name} is missing`;
  if (ctx.method === 'HEAD') return null;

  const { pointer, content } = contentOf(document, found.path, method, ctx.status);
  if (!content) return ctx.body == null ? null : 'the body is not documented';
  const type = ctx.response.get('Content-Type').split(';')[0] ?? '';
  if (!content[type]) return `content type ${type} is not documented`;
  if (type === 'text/plain' || type === 'text/x.tlog.size')
    return typeof ctx.body === 'string' ? null : 'the body is not a text';
  if (type === 'application/octet-stream') return Buffer.isBuffer(ctx.body) ? null : 'the body has no bytes';
  return mismatch(`${which}#${pointer}/content/${escaped(type)}/schema`, ctx.body);
}

interface Response {
  $ref?: string;
  content?: Record<string, object>;
}

/** Returns the documented content of a response and resolves `$ref`. */
function contentOf(document: OpenApiDocument, path: string, method: string, status: number) {
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
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: pointer });
  validators.set(pointer, validate);
  const value = JSON.parse(typeof body === 'string' ? body : JSON.stringify(body));
  return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: 'body' });
}

/** Escapes a key for a JSON pointer in a URI fragment (RFC 6901, section 6). */
const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
