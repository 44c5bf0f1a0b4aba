import type { ComponentType } from 'preact';
import { useCallback, useRef } from 'preact/hooks';
import { loadConsole } from '../load-console.ts';
import { loadScript } from '../load-script.ts';
import { useResource } from '../use-resource.ts';
import { PageFailed } from './page-failed.tsx';
import { PageLoading } from './page-loading.tsx';
import { RequireAccount } from './require-account.tsx';

/**
 * A page for signed-in users. Its script is loaded when a signed-in user first opens the page, so that visitors do not
 * load it.
 */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;

  function Loading(props: Props) {
    const isRetry = useRef(false);
    const read = useCallback(async () => {
      const [page] = await loadScript(() => Promise.all([load(), loadConsole()]), isRetry.current);
      loaded = page;
      return page;
    }, []);
    const { resource, reload } = useResource(read);
    const retry = () => {
      isRetry.current = true;
      return reload();
    };
    if (resource.status === 'failed') return <PageFailed error={resource.error} retry={retry} />;
    if (resource.status === 'loading') return <PageLoading rows={4} label="Loading the page" />;
    const Page = resource.value;
    return <Page {...props} />;
  }

  return function LazyPage(props: Props) {
    const Page = loaded ?? Loading;
    return <RequireAccount>{() => <Page {...props} />}</RequireAccount>;
  };
}
