import { describe } from 'vitest';
import { findRedis } from '../support/redis-server.ts';
import { behaveBehind } from './support/behind-proxy.ts';
import { findPrograms } from './support/programs.ts';
import { startNginx } from './support/proxy.ts';

const hasAll = findPrograms('nginx', 'openssl') && findRedis();

describe.skipIf(!hasAll)('behind nginx with deploy/nginx.conf', () =>
  behaveBehind(startNginx, { failsOnce: false }),
);
