import { createAuthClient } from '/auth/client/index.js';

// If a call needs fresh authentication, the client asks for the passkey and repeats the call.
const auth = createAuthClient();
const { organizations } = auth;
const invitationToken = () => new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

/**
 * What forms with `data-action` do. An action gets the values of the form, and returns the path of the next page, or
 * null to stay on the page. After every other result, the page loads again.
 */
const actions = {
  'sign-up': ({ username }) => auth.signUp({ username }),
  'sign-in': () => auth.signIn(),
  async 'sign-out'() {
    await auth.signOut();
    return '/';
  },
  async 'create-organization'({ name }) {
    const { id } = await organizations.create({ name });
    return `/organizations/${id}`;
  },
  async invite({ organizationId, role }, form) {
    const { url } = await organizations.invitations.create(organizationId, { role });
    form.querySelector('output').value = `Send this link to one user. It expires in three days: ${url}`;
    return null;
  },
  async 'show-invitation'(_, form) {
    const { organization, role, createdBy } = await organizations.invitations.preview(invitationToken());
    const inviter = createdBy?.username ?? 'An operator';
    form.querySelector('output').value =
      `${inviter} invites you to ${organization.name}. Your role: ${role}.`;
    return null;
  },
  async join() {
    const { organization } = await organizations.invitations.acceptLink(invitationToken());
    return `/organizations/${organization.id}`;
  },
  async 'show-members'({ organizationId, cursor }, form) {
    const page = await organizations.members.list(organizationId, { cursor: cursor || null });
    document.querySelector('#members').append(...page.members.map(memberRow));
    form.elements.cursor.value = page.nextCursor ?? '';
    form.hidden = page.nextCursor === null;
    return null;
  },
  'change-role': ({ organizationId, userId, role }) =>
    organizations.members.changeRole(organizationId, userId, role),
  'remove-member': ({ organizationId, userId }) => organizations.members.remove(organizationId, userId),
};

document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  // A second click has no effect while the request of the first one is running.
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  form.querySelector('.problem')?.remove();
  try {
    const values = Object.fromEntries(new FormData(form));
    const { action } = form.dataset;
    const next = await (action ? actions[action](values, form) : send(form));
    if (typeof next === 'string') location.assign(next);
    else if (next !== null) location.reload();
  } catch (error) {
    showProblem(form, error);
  }
  form.ariaBusy = 'false';
});

/** Sends a form to a route of the app. If the route needs fresh authentication, asks for the passkey and repeats it. */
async function send(form, { isRepeated = false } = {}) {
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: new URLSearchParams(new FormData(form)),
  });
  // After the change, the route redirects to the next page.
  if (response.ok) return response.url;
  const problem = await response.json();
  if (isRepeated || !['reauthentication_required', 'passkey_required'].includes(problem.code)) throw problem;
  await auth.stepUp();
  return send(form, { isRepeated: true });
}

/** Errors of the client have a `message`, and problem details have a `title`. Both have the `nextStep`. */
function showProblem(form, { message, title = message, nextStep = '' }) {
  const problem = document.createElement('p');
  problem.className = 'problem';
  problem.role = 'alert';
  form.append(problem);
  problem.textContent = `${title} ${nextStep}`;
}

function memberRow({ user, role }) {
  const row = document.querySelector('#member').content.cloneNode(true);
  row.querySelector('[data-name]').textContent = user.username;
  for (const text of row.querySelectorAll('[data-role]')) text.textContent = role;
  for (const field of row.querySelectorAll('[name=userId]')) field.value = user.id;
  for (const button of row.querySelectorAll('button'))
    button.ariaLabel = `${button.textContent}: ${user.username}`;
  for (const select of row.querySelectorAll('select')) {
    select.ariaLabel = `Role of ${user.username}`;
    select.value = role;
    // The page does not offer all roles.
    if (select.value !== role) select.add(new Option(role, role, true, true));
  }
  return row;
}

// Forms that only load a part of the page.
for (const form of document.querySelectorAll('form[data-auto]')) form.requestSubmit();
