import type { Account } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { has } from '../capabilities.ts';
import { LoadFailed } from '../components/load-failed.tsx';
import { PageHead } from '../components/page-head.tsx';
import { focusPageHeading } from '../components/page-heading.tsx';
import { RequireAccount } from '../components/require-account.tsx';
import type { FileSummary } from '../files/api.ts';
import { FileDialog } from '../files/file-dialog.tsx';
import { FilesOverview } from '../files/files-overview.tsx';
import { NewFileDialog } from '../files/new-file-dialog.tsx';
import { PlaceSection } from '../files/place-section.tsx';
import { type Place, useFiles } from '../files/use-files.ts';
import { t } from '../messages/t.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.tsx';

export const FilesPage = () => <RequireAccount>{(user) => <Files user={user} />}</RequireAccount>;

function Files({ user }: { user: Account }) {
  const { resource, reload, places, keep, drop } = useFiles();
  const [writingIn, setWritingIn] = useState<Place | null>(null);
  const [open, setOpen] = useState<{ id: string; placeName: string } | null>(null);
  const [changes, setChanges] = useState(0);

  const settle = (words: string) => {
    setWritingIn(null);
    setOpen(null);
    setChanges(changes + 1);
    toast(words);
  };
  const onSaved = (file: FileSummary) => {
    keep(file);
    settle(t('files.saved', { name: file.name }));
  };
  const onDeleted = (file: FileSummary) => {
    drop(file);
    settle(t('files.deleted', { name: file.name }));
    focusPageHeading();
  };

  return (
    <>
      <PageHead title={t('files.title')} lead={t('files.lead')} />
      {resource.status === 'loading' && <Skeleton rows={3} label={t('files.loading')} />}
      {resource.status === 'failed' && <LoadFailed error={resource.error} retry={reload} />}
      {places.map((place) => (
        <PlaceSection
          key={place.organizationId}
          place={place}
          onNew={() => setWritingIn(place)}
          onOpen={({ id }) => setOpen({ id, placeName: place.name })}
        />
      ))}
      {has(user.role, 'file:count') && <FilesOverview key={changes} />}
      {writingIn && <NewFileDialog place={writingIn} onClose={() => setWritingIn(null)} onSaved={onSaved} />}
      {open && (
        <FileDialog
          {...open}
          key={open.id}
          onClose={() => setOpen(null)}
          onSaved={onSaved}
          onDeleted={onDeleted}
        />
      )}
    </>
  );
}
