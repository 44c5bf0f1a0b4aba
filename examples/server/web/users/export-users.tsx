import { Download } from 'lucide-static';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { useAction } from '../use-action.ts';
import { csvOf, mostInCsv } from './users-csv.ts';
import type { UsersQuery } from './users-query.ts';

/** Downloads all users of the list, on all pages. */
export function useUsersExport(query: UsersQuery) {
  return useAction(async () => {
    const { csv, isCut } = await csvOf(query);
    const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'users.csv';
    link.click();
    // The browser reads the file after the click.
    setTimeout(() => URL.revokeObjectURL(url), 1_000);
    toast(isCut ? t('users.exportedFirst', { count: mostInCsv }) : t('users.exported'));
  });
}

export const ExportButton = ({ run, busy }: Pick<ReturnType<typeof useUsersExport>, 'run' | 'busy'>) => (
  <Button icon={Download} busy={busy} onClick={() => void run()}>
    <span class="button__text">{t('users.export')}</span>
  </Button>
);
