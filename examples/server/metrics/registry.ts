import type { AuthService } from 'latchkey';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What Prometheus reads: the process's own metrics, those of the service, and how long requests took. */
export interface Metrics {
  registry: Registry;
  /** Counts a request that has been answered. */
  observe(request: { method: string; status: number; seconds: number }): void;
}

export function createMetrics(auth: AuthService): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by method and status.',
    labelNames: ['method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });

  new Counter({
    name: 'latchkey_operations_total',
    help: 'Answers by operation, status and, of refusals, code. The outcome of a ceremony is that of its finish.',
    labelNames: ['operation', 'status', 'code'],
    registers,
    collect() {
      const { operations } = auth.statistics();
      this.reset();
      for (const { operation, status, code, count } of operations)
        this.inc({ operation, status, code: code ?? '' }, count);
    },
  });

  new Counter({
    name: 'latchkey_session_checks_total',
    help: 'Session checks that may be answered from memory, by what has answered them.',
    labelNames: ['source'],
    registers,
    collect() {
      const { fromCache, fromRow } = auth.statistics().sessionChecks;
      this.reset();
      this.inc({ source: 'memory' }, fromCache);
      this.inc({ source: 'row' }, fromRow);
    },
  });
  new Gauge({
    name: 'latchkey_sessions_remembered',
    help: 'Sessions in memory.',
    registers,
    collect() {
      this.set(auth.statistics().sessionChecks.cached);
    },
  });
  new Gauge({
    name: 'latchkey_sessions_listening',
    help: '1 while the database tells of ended sessions; 0: every check reads its row.',
    registers,
    collect() {
      this.set(auth.statistics().sessionChecks.listening ? 1 : 0);
    },
  });

  new Gauge({
    name: 'latchkey_passwords',
    help: 'Passwords in the queue of bcrypt: running or waiting.',
    labelNames: ['state'],
    registers,
    collect() {
      const { running, waiting } = auth.statistics().passwords;
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });

  new Counter({
    name: 'latchkey_database_statements_total',
    help: 'Statements that the database has answered.',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { done, failed } = auth.statistics().database;
      this.reset();
      this.inc({ outcome: 'done' }, done);
      this.inc({ outcome: 'failed' }, failed);
    },
  });
  new Gauge({
    name: 'latchkey_database_statements_under_way',
    help: 'Statements on a connection of the pool, or waiting for one.',
    registers,
    collect() {
      this.set(auth.statistics().database.pending);
    },
  });

  return {
    registry,
    observe: ({ method, status, seconds }) => requests.observe({ method, status }, seconds),
  };
}
