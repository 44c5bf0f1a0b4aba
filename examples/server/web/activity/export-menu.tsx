import type { AuditFilters } from 'latchkey/client';
import { Braces, Download, Table2 } from 'lucide-static';
import { auth } from '../auth.ts';
import { t } from '../messages/t.tsx';
import { Menu } from '../ui/menu.tsx';
import { useAction } from '../use-action.ts';
import { type Choice, filtersOf } from './choice.ts';
import { peopleOf } from './people.ts';

type Format = 'csv' | 'ndjson';

/** Downloads the events that match the filters. */
export function useExport(choice: Choice) {
  return useAction(async (format: Format) => {
    const people = await peopleOf(choice);
    // Without this check, the file would contain the events of all users. The page says that the user is unknown.
    if ('unknown' in people) return;
    const filters: AuditFilters = filtersOf(choice, people.ids);
    // The response has the header `Content-Disposition: attachment`, so the page stays open.
    location.assign(await auth.audit.prepareExport({ ...filters, format }));
  });
}

interface ExportMenuProps {
  download: ReturnType<typeof useExport>;
  isUnknown: boolean;
}

export function ExportMenu({ download, isUnknown }: ExportMenuProps) {
  return (
    <Menu
      label={t('activity.exportFormats')}
      text={t('activity.export')}
      icon={Download}
      busy={download.busy}
      disabledReason={isUnknown ? t('activity.nothingToExport') : undefined}
      items={[
        {
          icon: Table2,
          label: t('activity.exportCsv'),
          consequence: t('activity.exportCsvHint'),
          run: () => void download.run('csv'),
        },
        {
          icon: Braces,
          label: t('activity.exportNdjson'),
          consequence: t('activity.exportNdjsonHint'),
          run: () => void download.run('ndjson'),
        },
      ]}
    />
  );
}
