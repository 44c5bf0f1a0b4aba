import { AuthClientError, createAuthClient } from 'latchkey/client';

/** The origin of the API. Vite replaces the expression with the value of the variable, for example from `.env`. */
declare global {
  interface ImportMeta {
    readonly env: { readonly VITE_API_ORIGIN?: string };
  }
}

const api = import.meta.env.VITE_API_ORIGIN ?? 'http://localhost:3000';
const auth = createAuthClient({ baseUrl: `${api}/auth` });

const signedOut = element('signed-out', HTMLFormElement);
const signedIn = element('signed-in', HTMLElement);
const message = element('message', HTMLElement);

async function show(): Promise<void> {
  const session = await auth.session();
  signedOut.hidden = session !== null;
  signedIn.hidden = session === null;
  if (session === null) return;
  // The request needs the session cookie, so it includes credentials.
  const response = await fetch(`${api}/greeting`, { credentials: 'include' });
  const { greeting } = (await response.json()) as { greeting: string };
  element('greeting', HTMLElement).textContent = greeting;
}

/** Runs an action, then shows the state or the error. */
async function run(action: () => Promise<unknown>): Promise<void> {
  message.textContent = '';
  try {
    await action();
    await show();
  } catch (error) {
    if (!(error instanceof AuthClientError)) throw error;
    message.textContent = `${error.message} ${error.nextStep ?? ''}`;
  }
}

signedOut.addEventListener('submit', (event) => {
  event.preventDefault();
  const username = `${new FormData(signedOut).get('username')}`;
  const isSignUp = (event.submitter as HTMLButtonElement | null)?.value === 'sign-up';
  void run(() => (isSignUp ? auth.signUp({ username }) : auth.signIn({ username })));
});
element('sign-out', HTMLElement).addEventListener('click', () => void run(() => auth.signOut()));
void run(async () => {});

function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`index.html has no ${kind.name} with the id ${id}`);
  return found;
}
