/** The values that differ between runs of the campaign. */
export interface ClusterSettings {
  etcdPort: number;
  /** The version of etcd's protocol: `etcd3` is version 3, `etcd` is version 2. */
  etcdProtocol: 'etcd3' | 'etcd';
  isSynchronous: boolean;
  binaries: string;
}

/** The values that differ between the members. */
interface MemberSettings extends ClusterSettings {
  name: string;
  port: number;
  apiPort: number;
  /** The ports of the relays, which all members use. */
  publicPorts: { postgres: number; api: number; etcd: number };
  folder: string;
}

/** The passwords are not secret: the servers accept only connections from this machine, and exist for minutes. */
export const passwords = { postgres: 'superuser', replicator: 'replicator', rewinder: 'rewinder' } as const;

/** The settings of Patroni for one member, in YAML. The guide (docs/operations/high-availability.md) explains them. */
export const patroniSettings = (member: MemberSettings): string => `
scope: accounts
name: ${member.name}

restapi:
  listen: 127.0.0.1:${member.apiPort}
  connect_address: 127.0.0.1:${member.publicPorts.api}

${member.etcdProtocol}:
  hosts: 127.0.0.1:${member.publicPorts.etcd}
  use_proxies: true

bootstrap:
  dcs:
    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    maximum_lag_on_failover: 1048576
    synchronous_mode: ${member.isSynchronous}
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 100
        wal_sender_timeout: 5s
        wal_receiver_timeout: 5s
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums
  pg_hba:
    - host all all 127.0.0.1/32 scram-sha-256
    - host replication replicator 127.0.0.1/32 scram-sha-256

postgresql:
  listen: 127.0.0.1:${member.port}
  connect_address: 127.0.0.1:${member.publicPorts.postgres}
  bin_dir: ${member.binaries}
  data_dir: ${member.folder}/data
  pgpass: ${member.folder}/pgpass
  authentication:
    superuser: { username: postgres, password: ${passwords.postgres} }
    replication: { username: replicator, password: ${passwords.replicator} }
    rewind: { username: rewinder, password: ${passwords.rewinder} }
  parameters:
    unix_socket_directories: ''
`;
