import type { ServiceOverview } from 'latchkey/client';
import { t } from '../messages/t.tsx';
import { BarChart } from '../ui/bar-chart.tsx';
import { bucketFormat } from './bucket-names.ts';

/** Sign-ins above the axis, refusals below it, by hours (24 hours) or days. */
export function SignInChart({ overview: { period, signIns } }: { overview: ServiceOverview }) {
  const isByHour = period === '24h';
  const { label, name } = bucketFormat(isByHour);
  return (
    <BarChart
      label={t(isByHour ? 'overview.chartHours' : 'overview.chartDays')}
      series={[
        { name: t('overview.chartSignIns'), color: 1 },
        { name: t('overview.chartRefused'), color: 3, isBelow: true },
      ]}
      bars={signIns.buckets.map(({ start, signIns: accepted, refusals }) => ({
        label: label(start),
        name: name(start),
        values: [accepted, refusals],
      }))}
    />
  );
}
