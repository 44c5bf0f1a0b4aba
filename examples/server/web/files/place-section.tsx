import { ChevronRight, File } from 'lucide-static';
import { useId } from 'preact/hooks';
import { Icon } from '../icons/icon.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
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
  return (
    <section class="section" aria-labelledby={id}>
      <div class="section__head">
        <div>
          <h2 id={id}>
            <bdi>{name}</bdi>
          </h2>
          {organizationId && <p class="section__lead">All members can read these files.</p>}
        </div>
        <Button variant={organizationId ? 'secondary' : 'primary'} onClick={onNew}>
          Create file<span class="visually-hidden"> in {name}</span>
        </Button>
      </div>
      {files.length === 0 ? (
        <EmptyState title="No files yet">Select “Create file” to create the first one.</EmptyState>
      ) : (
        <ul class="list">
          {files.map((file) => (
            <FileRow key={file.id} file={file} onOpen={() => onOpen(file)} />
          ))}
        </ul>
      )}
    </section>
  );
}

const FileRow = ({ file, onOpen }: { file: FileSummary; onOpen: () => void }) => (
  <li class="row row--link">
    <span class="row__icon">
      <Icon of={File} />
    </span>
    <div class="row__text">
      <h3 class="row__title">
        <button type="button" class="row__link" onClick={onOpen}>
          <bdi>{file.name}</bdi>
        </button>
      </h3>
      <p class="row__meta row__facts">
        {file.organizationId && <span>By {file.ownerName}</span>}
        <span>
          Changed <Time at={file.updatedAt} relative />
        </span>
      </p>
    </div>
    <Icon of={ChevronRight} />
  </li>
);
