import { type AuthClient, createAuthClient, type StepUpAnswer, type StepUpReason } from '../client/index.ts';

const clients = new Map<string, AuthClient>();
/** The number of running actions that the user confirmed in a dialog. */
let confirmedCount = 0;

/**
 * Returns the client of the elements with this `base-url`. All elements of a page share it. If an action needs a step-up,
 * a `<latchkey-step-up>` asks the user.
 */
export function sharedClient(baseUrl: string): AuthClient {
  const known = clients.get(baseUrl);
  if (known) return known;
  const client = createAuthClient({ baseUrl, beforeStepUp: (reason) => ask(baseUrl, reason) });
  clients.set(baseUrl, client);
  return client;
}

/** Runs an action that the user has just confirmed in a dialog. A step-up then opens the passkey prompt immediately. */
export async function confirmed<T>(action: () => Promise<T>): Promise<T> {
  confirmedCount += 1;
  try {
    return await action();
  } finally {
    confirmedCount -= 1;
  }
}

/** Asks the user with a `<latchkey-step-up>` of the page. If the page has none that fits, adds one. */
function ask(baseUrl: string, reason: StepUpReason): Promise<StepUpAnswer> {
  if (confirmedCount > 0) return Promise.resolve(true);
  const elements = [...document.querySelectorAll('latchkey-step-up')];
  const own = elements.find((element) => element.baseUrl === baseUrl && !element.hasAttribute('inline'));
  if (own) return own.ask(reason);
  const added = document.createElement('latchkey-step-up');
  added.baseUrl = baseUrl;
  document.body.append(added);
  return added.ask(reason);
}
