import type { ServiceOverview } from 'latchkey/client';
import { t } from '../messages/t.tsx';

export type Period = ServiceOverview['period'];

const overviewPath = '/admin/overview';
const defaultPeriod: Period = '30d';

const periods: readonly Period[] = ['24h', '7d', '30d', '90d'];

/** Reads the period from the query of the URL. */
export const periodFrom = (given: string | undefined): Period =>
  periods.find((period) => period === given) ?? defaultPeriod;

/** The URL of the overview. Omits the default period. */
export const overviewUrl = (period: Period): string =>
  period === defaultPeriod ? overviewPath : `${overviewPath}?period=${period}`;

export const periodOptions = (): (readonly [Period, string])[] => [
  ['24h', t('overview.period24h')],
  ['7d', t('overview.period7d')],
  ['30d', t('overview.period30d')],
  ['90d', t('overview.period90d')],
];
