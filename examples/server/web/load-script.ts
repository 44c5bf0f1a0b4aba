import { AuthClientError } from 'latchkey/client';
import { t } from './messages/text.ts';

const key = 'reloaded-at';
/** A second failure within this time is not the result of an update. */
const onceMs = 60_000;

/**
 * Imports a script of the pages. If the server was updated, the script has another name, so this reloads the document,
 * but not twice in a minute.
 *
 * @param isRetry whether the user tries again after a failure. Then a failure reloads the document, because browsers
 * do not repeat an import that failed.
 * @throws AuthClientError `network_error` if the server is unreachable or does not have the script
 */
export async function loadScript<T>(load: () => Promise<T>, isRetry: boolean): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if ((await isServerReachable()) && (isRetry || isFirstReload())) {
      location.reload();
      return new Promise(() => {});
    }
    throw new AuthClientError('network_error', t('errors.unreachable'), { cause });
  }
}

async function isServerReachable(): Promise<boolean> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store' });
    // The request ends only when its body has been read.
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}

function isFirstReload(): boolean {
  try {
    const before = Number(sessionStorage.getItem(key));
    sessionStorage.setItem(key, `${Date.now()}`);
    return Date.now() - before > onceMs;
  } catch {
    // Without storage, the page could reload endlessly.
    return false;
  }
}
