import type { IncomingMessage } from 'node:http';
import type { Auth, DocumentCapability } from './documents.ts';
import { type Html, html, page } from './html.ts';

/** The signed-in user of a page. */
export interface Visitor {
  username: string;
  organizations: readonly Organization[];
  /** Decides which forms a page shows. The guards decide again when the user sends a form. */
  can(capability: DocumentCapability | MemberCapability, resource: Resource): boolean;
}
export type Organization = { id: string; name: string; role: string };
type MemberCapability = `organization:members:${'invite' | 'promote' | 'remove'}`;
type Resource = { organizationId: string; ownerId?: string | null };

export async function visitorOf(auth: Auth, request: IncomingMessage): Promise<Visitor | null> {
  const read = await auth.sessionOf(request, { include: ['organizations'] });
  if (!read) return null;
  const { user, organizations } = read;
  const memberships = organizations.map(({ id, role }) => ({ organizationId: id, role }));
  return {
    username: user.username,
    organizations,
    can: (...what) => auth.can({ ...user, memberships }, ...what),
  };
}

/** The roles that the pages offer. Superadmins can also add members with the built-in role `user`. */
export const roleNames = { viewer: 'Viewer', editor: 'Editor', admin: 'Organization admin' };
export const roleName = (role: string): string => ({ ...roleNames, user: 'No documents' })[role] ?? role;

/** The page of a signed-in user. `current` is the organization that the page belongs to. */
export function memberPage(visitor: Visitor, title: string, content: Html, current?: Organization): string {
  const links = visitor.organizations.map(({ id, name }) => {
    const isCurrent = id === current?.id ? 'true' : 'false';
    return html`<li><a href="/organizations/${id}" aria-current="${isCurrent}">${name}</a></li>`;
  });
  // Forms with `data-action` run a function of browser.js. All other forms send a request to app.ts.
  const header = html`
    ${current && html`<details class="switcher"><summary>${current.name}</summary><ul>${links}</ul></details>`}
    <span class="row">${visitor.username}
      <form data-action="sign-out"><button class="quiet">Sign out</button></form></span>`;
  return page({ title, header }, content);
}

export function signInPage(title = 'Sign in'): string {
  const content = html`
    <noscript><p class="problem">Passkeys need JavaScript. Turn on JavaScript for this page.</p></noscript>
    <p>Write documents with your team. You sign in with a passkey, so you need no password.</p>
    <section>
      <h2>Sign in</h2>
      <form data-action="sign-in"><button>Sign in with a passkey</button></form>
    </section>
    <section>
      <h2>New account</h2>
      <form data-action="sign-up">
        <label>Username <input name="username" autocomplete="username" autocapitalize="none" required></label>
        <button>Create account</button>
      </form>
    </section>`;
  return page({ title }, content);
}

export function homePage(visitor: Visitor): string {
  const rows = visitor.organizations.map(({ id, name, role }) =>
    listItem(`/organizations/${id}`, name, roleName(role)),
  );
  const content = html`
    ${list(rows, 'You do not belong to an organization. Create one, or ask an organization admin for a link.')}
    <section>
      <h2>New organization</h2>
      <form data-action="create-organization">
        <label>Name <input name="name" maxlength="64" required></label>
        <button>Create organization</button>
      </form>
    </section>`;
  return memberPage(visitor, 'Your organizations', content);
}

/** browser.js shows the invitation, because its token is in the fragment of the URL, which browsers do not send. */
export function joinPage(visitor: Visitor | null): string {
  if (!visitor) return signInPage('Sign in to join');
  const content = html`
    <form data-action="show-invitation" data-auto><output></output></form>
    <form data-action="join"><button>Accept invitation</button></form>`;
  return memberPage(visitor, 'Invitation', content);
}

export const listItem = (path: string, name: string, note: string): Html =>
  html`<li class="row"><a href="${path}">${name}</a> <span class="note">${note}</span></li>`;

export const list = (items: readonly Html[], empty: string): Html =>
  items.length === 0 ? html`<p>${empty}</p>` : html`<ul>${items}</ul>`;
