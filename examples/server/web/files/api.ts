import { AuthClientError } from 'latchkey/client';
import { t } from '../messages/text.ts';

/** The same type as in the server's files/file.ts. */
export interface FileSummary {
  id: string;
  name: string;
  ownerId: string;
  ownerName: string;
  organizationId: string | null;
  updatedAt: string;
}

export interface OpenFile {
  file: FileSummary & { content: string };
  mayManage: boolean;
}

export interface FileText {
  name: string;
  content: string;
}

/** The client of this app's own API for files. The API accepts the session cookie of Latchkey. */
export const filesApi = {
  list: async () => (await send<{ files: FileSummary[] }>('GET', '')).files,
  overview: async () =>
    (await send<{ organizations: { organizationId: string; files: number }[] }>('GET', '/overview'))
      .organizations,
  open: (id: string) => send<OpenFile>('GET', `/${encodeURIComponent(id)}`),
  create: (text: FileText, organizationId: string | null) =>
    send<OpenFile>('POST', '', { ...text, organizationId }),
  update: (id: string, text: FileText) => send<OpenFile>('PUT', `/${encodeURIComponent(id)}`, text),
  remove: (id: string) => send<null>('DELETE', `/${encodeURIComponent(id)}`),
};

/** Throws the same errors as the client of Latchkey, so that the pages explain all errors in the same way. */
async function send<T>(method: string, path: string, body?: object): Promise<T> {
  const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
  const init: RequestInit = body ? { method, headers, body: JSON.stringify(body) } : { method };
  let response: Response;
  try {
    response = await fetch(`/api/files${path}`, init);
  } catch (cause) {
    throw new AuthClientError('network_error', t('errors.unreachable'), { cause });
  }
  if (response.status === 204) return null as T;
  const content = await response.json().catch(() => null);
  if (response.ok && content) return content;
  const { status, headers: answered } = response;
  if (typeof content?.code !== 'string') throw new AuthClientError('invalid_response', '', { status });
  const retryAfterSeconds = Number(answered.get('retry-after')) || undefined;
  throw new AuthClientError(content.code, content.title, { status, retryAfterSeconds });
}
