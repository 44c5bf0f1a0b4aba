import { describe } from 'vitest';
import { findRedis } from '../support/redis-server.ts';
import { behaveBehind } from './support/behind-proxy.ts';
import { findPrograms } from './support/programs.ts';
import { startCaddy } from './support/proxy.ts';

const hasAll = findPrograms('caddy', 'openssl') && findRedis();

describe.skipIf(!hasAll)('behind Caddy with deploy/Caddyfile', () =>
  behaveBehind(startCaddy, { failsOnce: true }),
);
