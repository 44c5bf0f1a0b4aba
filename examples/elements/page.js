import { createAuthClient } from '/auth/client/index.js';

const auth = createAuthClient();
const [signedOut, signedIn, name] = ['signed-out', 'signed-in', 'name'].map((id) =>
  document.getElementById(id),
);

async function show() {
  const session = await auth.session();
  signedOut.hidden = session !== null;
  signedIn.hidden = session === null;
  if (session === null) return;
  name.textContent = session.user.displayName ?? session.user.username;
  // An element reads its data when it enters the page.
  document.getElementById('passkeys').append(document.createElement('latchkey-passkeys'));
}

// The events bubble, so one listener on the document receives the events of all elements.
for (const event of ['latchkey-signed-in', 'latchkey-signed-up'])
  document.addEventListener(event, () => location.reload());
document.getElementById('sign-out').addEventListener('click', async () => {
  await auth.signOut();
  location.reload();
});
await show();
