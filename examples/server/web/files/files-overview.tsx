import { t } from '../messages/t.tsx';
import { firstOrganizations } from '../organizations/first-organizations.ts';
import { useResource } from '../use-resource.ts';
import { filesApi } from './api.ts';

async function load() {
  const [counts, organizations] = await Promise.all([filesApi.overview(), firstOrganizations()]);
  return counts.flatMap(({ organizationId, files }) => {
    const organization = organizations.find(({ id }) => id === organizationId);
    return organization ? [{ organization, files }] : [];
  });
}

/** Shows the number of files in each organization for which the user has `file:count`. */
export function FilesOverview() {
  const { resource } = useResource(load);
  if (resource.status !== 'ready' || resource.value.length === 0) return null;
  return (
    <section class="section" aria-labelledby="files-overview">
      <h2 id="files-overview">{t('files.overview')}</h2>
      <dl class="facts">
        {resource.value.map(({ organization, files }) => (
          <div class="facts__row" key={organization.id}>
            <dt>
              <a href={`/organizations/${organization.id}`}>
                <bdi>{organization.name}</bdi>
              </a>
            </dt>
            <dd>{t('files.count', { count: files })}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
