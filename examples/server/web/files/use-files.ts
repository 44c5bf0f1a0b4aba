import type { Organization } from 'latchkey/client';
import { t } from '../messages/t.tsx';
import { firstOrganizations } from '../organizations/first-organizations.ts';
import { useResource } from '../use-resource.ts';
import { type FileSummary, filesApi } from './api.ts';

/** A group of files: the user's personal files, or the files of one organization. */
export interface Place {
  /** Null: the personal files. */
  organizationId: string | null;
  name: string;
  files: FileSummary[];
}

async function load(): Promise<{ files: FileSummary[]; organizations: Organization[] }> {
  const [files, organizations] = await Promise.all([filesApi.list(), firstOrganizations()]);
  return { files, organizations: organizations.filter(({ myRole }) => myRole !== null) };
}

/** The files that the user can read, grouped by place. */
export function useFiles() {
  const { resource, reload, update } = useResource(load);
  const places: Place[] =
    resource.status === 'ready' ? placesOf(resource.value.files, resource.value.organizations) : [];
  const setFiles = (change: (files: FileSummary[]) => FileSummary[]) =>
    update(({ files, organizations }) => ({ files: change(files), organizations }));

  return {
    resource,
    reload,
    places,
    keep: (kept: FileSummary) =>
      setFiles((files) => [...files.filter(({ id }) => id !== kept.id), kept].sort(byName)),
    drop: (dropped: FileSummary) => setFiles((files) => files.filter(({ id }) => id !== dropped.id)),
  };
}

const byName = (one: FileSummary, other: FileSummary) => one.name.localeCompare(other.name);

const placesOf = (files: FileSummary[], organizations: Organization[]): Place[] => [
  {
    organizationId: null,
    name: t('files.personal'),
    files: files.filter((file) => file.organizationId === null),
  },
  ...organizations.map(({ id, name }) => ({
    organizationId: id,
    name,
    files: files.filter((file) => file.organizationId === id),
  })),
];
