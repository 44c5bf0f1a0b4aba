import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readConfiguration } from 'latchkey';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { patroniSettings } from '../campaigns/failover/patroni-settings.ts';
import { secret } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';

const guide = readGuide('docs/operations/high-availability.md');
const member = parse(guide.block('scope: accounts'));
const campaign = parse(
  patroniSettings({
    name: 'pg1',
    etcdProtocol: 'etcd',
    isSynchronous: true,
    binaries: '/',
    folder: '/',
    port: 1,
    apiPort: 2,
    etcdPort: 3,
    publicPorts: { postgres: 4, api: 5, etcd: 6 },
  }),
);

test('Patroni has the settings with which the campaign measures each failover', () => {
  expect(member.bootstrap.dcs).toEqual(campaign.bootstrap.dcs);
  expect(member.bootstrap.initdb).toEqual(campaign.bootstrap.initdb);
  const { ttl, loop_wait, retry_timeout } = member.bootstrap.dcs;
  expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl);
});

test('etcd and Patroni have the same three servers', () => {
  const etcd = parseEnv(guide.block('ETCD_NAME'));
  const peers = `${etcd.ETCD_INITIAL_CLUSTER}`.matchAll(/=http:\/\/([\d.]+):2380/g);
  const servers = [...peers].map(([, address]) => `${address}:2379`);
  expect(servers).toHaveLength(3);
  expect(member.etcd.hosts.split(',')).toEqual(servers);
  expect(`${etcd.ETCD_LISTEN_CLIENT_URLS}`.split(',')).toContain(etcd.ETCD_ADVERTISE_CLIENT_URLS);
});

test('the URLs of PostgreSQL and Redis are valid settings', () => {
  const urls = parseEnv(guide.block('MIGRATION_DATABASE_URL'));
  const redis = guide.block('redis+cluster').matchAll(/^REDIS_URL=(.+)$/gm);
  const found = [...redis].map(([, REDIS_URL]) => {
    const DATABASE_URL = urls.DATABASE_URL?.replace('…', 'x');
    const MIGRATION_DATABASE_URL = urls.MIGRATION_DATABASE_URL?.replace('…', 'x');
    const env = { DATABASE_URL, MIGRATION_DATABASE_URL, REDIS_URL, JWT_SECRET: secret };
    return readConfiguration({ env }).redisUrl?.split('://')[0];
  });
  expect(found).toEqual(['redis+sentinel', 'redis+cluster']);
});

// Read, not run: on a machine with etcd and PostgreSQL, these commands delete data.
test('the commands name the version, the cluster and the script of the settings', () => {
  const [install = '', drop] = linesOf('pg_dropcluster');
  const version = /postgresql-(\d+)/.exec(install)?.[1];
  expect(drop).toBe(`pg_dropcluster --stop ${version} main`);
  expect(member.postgresql.bin_dir).toBe(`/usr/lib/postgresql/${version}/bin`);
  expect(linesOf('systemctl stop etcd')).toEqual([
    'systemctl stop etcd',
    'rm -r /var/lib/etcd/default',
    'systemctl start etcd',
  ]);
  const patronictl = 'patronictl -c /etc/patroni/config.yml';
  expect(linesOf('enable --now patroni')).toContain(`${patronictl} list`);
  expect(linesOf('switchover accounts')).toEqual([`${patronictl} switchover ${member.scope}`]);
  const [, run = ''] = linesOf('npm run campaign -- failover');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(scripts).toHaveProperty(`${run.split(' ')[2]}`);
});

const linesOf = (text: string): string[] => guide.block(text).trim().split('\n');
