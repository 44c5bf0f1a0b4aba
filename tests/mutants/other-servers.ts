import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/service/require-access.ts',
    replace: "if (isCrossOrigin(request, runtime)) throw new AuthError('cross_origin_request');",
    by: '',
    breaks: 'requireAccess admits a mutation of another site',
    killedBy: ['tests/http/require-access.test.ts'],
  },
  {
    file: 'src/service/require-access.ts',
    replace: 'given?.toUpperCase() ?? unknownMethod',
    by: 'given?.toUpperCase() ?? null',
    breaks: 'requireAccess checks headers without a method less strictly than a mutation',
    killedBy: ['tests/http/require-access.test.ts'],
  },
  {
    file: 'src/service/access-requirement.ts',
    replace: 'const value: unknown = Reflect.get(requirement, name);',
    by: 'const value: unknown = Reflect.get(requirement, name); if (value === undefined) continue;',
    breaks: 'A role that is undefined by mistake means any session',
    killedBy: ['tests/http/require-access.test.ts'],
  },
  {
    file: 'src/authorization/access-arguments.ts',
    replace: 'if (unset) throw',
    by: 'if (false) throw',
    breaks:
      'A resource whose organization is undefined by mistake counts as a resource without an organization',
    killedBy: ['tests/http/require-access.test.ts'],
  },
  {
    file: 'src/api/fetch-handler.ts',
    replace: 'if (addressOf === undefined && countsEveryoneAsOne(runtime))',
    by: 'if (addressOf === null && countsEveryoneAsOne(runtime))',
    breaks: 'One client can use up the rate limits of all users of a Fetch API server',
    killedBy: ['tests/http/fetch-handler.test.ts'],
  },
  {
    file: 'src/http/fetch-exchange.ts',
    replace: "body.once('close', () => ctx.res.emit('close'));",
    by: '',
    breaks: 'An export whose client has left counts as running',
    killedBy: ['tests/http/fetch-handler.test.ts'],
  },
  {
    file: 'src/http/mounted-request.ts',
    replace: 'if (!request.readableDidRead) return;',
    by: '',
    breaks: 'A body parser for another type replaces the body of a request by an empty object',
    killedBy: ['tests/http/node-handler.test.ts'],
  },
  {
    file: 'src/sessions/session-watch.ts',
    replace: '    readSoon([session.id]);\n',
    by: '',
    breaks: 'A session that ends before its watch starts stays open for five more seconds',
    killedBy: ['tests/features/session-watch.test.ts'],
  },
  {
    file: 'src/sessions/session-watch.ts',
    replace: '    row.role !== user.role ||\n',
    by: '',
    breaks: 'A connection keeps the role that the user had when it was opened',
    killedBy: ['tests/features/session-watch.test.ts'],
  },
] satisfies Mutant[];
