import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import type { TwoServices } from '../failover/service.ts';
import { isFlat, type Sample, type Trend, trendOf } from './trend.ts';

/** What a campaign measures, and how much it may grow: a part of the mean, and an allowance. */
interface Kind {
  readonly unit: string;
  readonly part: number;
  readonly allowance: number;
}

const kinds = {
  heap: { unit: 'MB', part: 0.05, allowance: 2 },
  'resident memory': { unit: 'MB', part: 0.1, allowance: 15 },
  'open files': { unit: '', part: 0, allowance: 4 },
  'connections to PostgreSQL': { unit: '', part: 0, allowance: 4 },
  rows: { unit: 'rows', part: 0.15, allowance: 50 },
} satisfies Record<string, Kind>;

type KindName = keyof typeof kinds;

/** These tables grow with each mutation by design, until the retention time of the audit log has passed. */
const growing = /^(audit_|sign_in)/;

/**
 * The nonces of used challenges are stored for an hour, and housekeeping deletes them within ten minutes. So their number
 * is constant only after 70 minutes, which the first third of the time must cover.
 */
const slow = 'rows of spent_challenges';
const minutesForSlow = 3 * 70;

export interface Finding extends Trend {
  readonly measure: string;
  readonly unit: string;
  readonly samples: number;
  /** Null: the run was too short to tell. */
  readonly isFlat: boolean | null;
}

/** Collects samples of the processes and of the database. */
export class Measures {
  readonly #samples = new Map<string, { kind: KindName; samples: Sample[] }>();

  /** @param heapFile returns the file to which a process writes the size of its heap */
  sampleProcesses(services: TwoServices, at: number, heapFile: (name: string) => string): void {
    for (const { name, pid } of services) {
      const heap = Number(readFileSync(heapFile(name), 'utf8'));
      // The process may be writing the file.
      if (heap > 0) this.#add('heap', name, at, heap / 2 ** 20);
      const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      this.#add('resident memory', name, at, Number(kilobytes) / 1024);
      this.#add('open files', name, at, readdirSync(join('/proc', `${pid}`, 'fd')).length);
    }
  }

  async sampleDatabase(sql: Sql, at: number): Promise<void> {
    const [row] =
      await sql`select count(*)::integer as count from pg_stat_activity where usename = 'accounts'`;
    this.#add('connections to PostgreSQL', 'all processes', at, row?.count);
    const tables = await sql`select tablename as name from pg_tables where schemaname = 'latchkey'`;
    for (const { name } of tables) {
      if (growing.test(name)) continue;
      const [table] = await sql`select count(*)::integer as count from latchkey.${sql(name)}`;
      this.#add('rows', name, at, table?.count);
    }
  }

  #add(kind: KindName, of: string, at: number, value: number): void {
    const measure = `${kind} of ${of}`;
    const measured = this.#samples.get(measure) ?? { kind, samples: [] };
    measured.samples.push({ at, value });
    this.#samples.set(measure, measured);
  }

  /** Fits a line to the samples after the first third of the time. */
  findings(minutes: number): Finding[] {
    return [...this.#samples].flatMap(([measure, { kind, samples }]) => {
      const late = samples.filter(({ at }) => at >= minutes * 20);
      if (late.length < 3) return [];
      const { unit, part, allowance } = kinds[kind];
      const trend = trendOf(late);
      const isTooShort = measure === slow && minutes < minutesForSlow;
      const flat = isTooShort ? null : isFlat(trend, part, allowance);
      return [{ measure, unit, ...trend, samples: late.length, isFlat: flat }];
    });
  }
}
