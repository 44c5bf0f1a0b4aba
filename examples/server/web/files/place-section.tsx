import { File, Plus } from 'lucide-static';
import { useId } from 'preact/hooks';
import { Icon } from '../icons/icon.tsx';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { hidden } from '../ui/hidden.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import type { FileSummary } from './api.ts';
import type { Place } from './use-files.ts';

interface PlaceSectionProps {
  place: Place;
  onNew: () => void;
  onOpen: (file: FileSummary) => void;
}

export function PlaceSection({ place, onNew, onOpen }: PlaceSectionProps) {
  const id = useId();
  const { organizationId, name, files } = place;
  const isShared = organizationId !== null;
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section__head">
        <div>
          <h2 id={id}>
            <bdi>{name}</bdi>
          </h2>
          {isShared && <p class="section__lead">{t('files.shared')}</p>}
        </div>
        <Button variant={isShared ? 'secondary' : 'primary'} icon={Plus} onClick={onNew}>
          <T id="files.createIn" values={{ name, hidden }} />
        </Button>
      </div>
      {files.length === 0 ? (
        <Empty isShared={isShared} />
      ) : (
        <Table
          label={name}
          columns={[
            { name: t('files.columnName') },
            ...(isShared ? [{ name: t('files.columnOwner') }] : []),
            { name: t('files.columnChanged') },
          ]}
        >
          {files.map((file) => (
            <FileRow key={file.id} file={file} onOpen={() => onOpen(file)} />
          ))}
        </Table>
      )}
    </section>
  );
}

/** Only the personal files have the large empty state, because a user can belong to many organizations. */
const Empty = ({ isShared }: { isShared: boolean }) =>
  isShared ? (
    <p class="list files-empty">{t('files.emptyShared')}</p>
  ) : (
    <EmptyState title={t('files.empty')}>{t('files.emptyBody')}</EmptyState>
  );

const FileRow = ({ file, onOpen }: { file: FileSummary; onOpen: () => void }) => (
  <tr class="row--link">
    <th scope="row">
      <div class="person">
        <span class="avatar avatar--organization file-mark">
          <Icon of={File} />
        </span>
        <button type="button" class="row__link person__name" onClick={onOpen}>
          <bdi>{file.name}</bdi>
        </button>
      </div>
    </th>
    {file.organizationId && (
      <td>
        <bdi>{file.ownerName}</bdi>
      </td>
    )}
    <td>
      <Time at={file.updatedAt} relative />
    </td>
  </tr>
);
