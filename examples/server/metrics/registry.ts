import type { AuthService } from 'latchkey';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics for Prometheus: about the process, the service and the durations of requests. */
export interface Metrics {
  registry: Registry;
  /** Records a finished request. */
  observe(request: { method: string; status: number; seconds: number }): void;
}

export function createMetrics(auth: AuthService): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Request durations by method and status.',
    labelNames: ['method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });

  new Counter({
    name: 'latchkey_operations_total',
    help: 'Responses by operation, status and error code. A ceremony ends with finishSignUp, finishLogin, finishStepUp or addPasskey.',
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
    help: 'Session checks that can use the cache, by source of the result: cache or database.',
    labelNames: ['source'],
    registers,
    collect() {
      const { fromCache, fromDatabase } = auth.statistics().sessionChecks;
      this.reset();
      this.inc({ source: 'cache' }, fromCache);
      this.inc({ source: 'database' }, fromDatabase);
    },
  });
  new Gauge({
    name: 'latchkey_sessions_cached',
    help: 'Sessions in the cache of this process.',
    registers,
    collect() {
      this.set(auth.statistics().sessionChecks.cached);
    },
  });
  new Gauge({
    name: 'latchkey_sessions_listening',
    help: '1 while the database notifies this process of ended sessions. 0 while every session check reads the database.',
    registers,
    collect() {
      this.set(auth.statistics().sessionChecks.listening ? 1 : 0);
    },
  });

  new Gauge({
    name: 'latchkey_passwords',
    help: 'Passwords that bcrypt is hashing (running), and passwords that wait for bcrypt (waiting).',
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
    help: 'Number of completed database statements, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { succeeded, failed } = auth.statistics().database;
      this.reset();
      this.inc({ outcome: 'succeeded' }, succeeded);
      this.inc({ outcome: 'failed' }, failed);
    },
  });
  new Gauge({
    name: 'latchkey_database_statements_under_way',
    help: 'Statements that run on a connection of the pool or wait for one.',
    registers,
    collect() {
      this.set(auth.statistics().database.pending);
    },
  });

  new Gauge({
    name: 'latchkey_rate_limits_shared',
    help: '1 while the processes count requests together in Redis. 0 while each process counts alone.',
    registers,
    collect() {
      this.set(auth.statistics().rateLimits.shared ? 1 : 0);
    },
  });

  new Counter({
    name: 'latchkey_webhook_attempts_total',
    help: 'Attempts of this process to send an event to a webhook, by outcome: delivered or failed.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      const { delivered, failed } = auth.statistics().webhooks;
      this.inc({ outcome: 'delivered' }, delivered);
      this.inc({ outcome: 'failed' }, failed);
    },
  });

  new Gauge({
    name: 'latchkey_audit_log_waiting_seconds',
    help: 'For how long the oldest audit event has waited for its position in the log. Read once a minute.',
    registers,
    collect() {
      this.set(auth.statistics().auditLog.waitingSeconds ?? 0);
    },
  });
  new Gauge({
    name: 'latchkey_audit_witness_seconds',
    help: 'Time since the witness last cosigned the audit log. 0 without a witness. Read once a minute.',
    registers,
    collect() {
      this.set(auth.statistics().auditLog.witnessSeconds ?? 0);
    },
  });

  return {
    registry,
    observe: ({ method, status, seconds }) => requests.observe({ method, status }, seconds),
  };
}
