import { type Document, type ListedDocument, pageSize } from './documents.ts';
import { type Html, html } from './html.ts';
import { list, listItem, memberPage, type Organization, roleName, roleNames, type Visitor } from './pages.ts';

export function organizationPage(
  visitor: Visitor,
  organization: Organization,
  documents: ListedDocument[],
): string {
  const { id, name, role } = organization;
  const rows = documents.map((document) =>
    listItem(`/documents/${document.id}`, document.title, stateOf(document)),
  );
  const last = documents.length === pageSize && documents.at(-1);
  const create = html`
    <section>
      <h2>New document</h2>
      <form method="post" action="/organizations/${id}/documents">
        ${fields({ title: '', text: '' })}<button>Create document</button>
      </form>
    </section>`;
  const content = html`
    <p>Your role: ${roleName(role)}. <a href="/organizations/${id}/members">Members</a></p>
    ${list(rows, 'This organization has no documents that you can read yet.')}
    ${last && html`<p><a href="/organizations/${id}?before=${last.position}">Older documents</a></p>`}
    ${visitor.can('document:write', { organizationId: id }) && create}`;
  return memberPage(visitor, name, content, organization);
}

export function documentPage(visitor: Visitor, organization: Organization, document: Document): string {
  const { id, title, text, publishedAt } = document;
  const version = html`<input type="hidden" name="version" value="${document.version}">`;
  const publish = html`
    <form method="post" action="/documents/${id}/publish">${version}<button>Publish</button></form>`;
  const edit = html`
    <section>
      <h2>Edit</h2>
      <form method="post" action="/documents/${id}">
        ${version}${fields(document)}<button>Save as draft</button>
      </form>
    </section>`;
  const remove = html`
    <form method="post" action="/documents/${id}/delete"><button class="danger">Delete document</button></form>`;
  const content = html`
    <p class="note">${stateOf(document)}</p>
    <div class="text">${text}</div>
    ${!publishedAt && visitor.can('document:publish', document) && publish}
    ${visitor.can('document:write', document) && edit}
    ${visitor.can('document:delete', document) && remove}
    <p><a href="/organizations/${organization.id}">Documents of ${organization.name}</a></p>`;
  return memberPage(visitor, title, content, organization);
}

/** browser.js lists the members. It copies the template for each member. */
export function membersPage(visitor: Visitor, organization: Organization): string {
  const { id, name } = organization;
  const may = (verb: 'invite' | 'promote' | 'remove') =>
    visitor.can(`organization:members:${verb}`, { organizationId: id });
  const options = Object.entries(roleNames).map(
    ([role, label]) => html`<option value="${role}">${label}</option>`,
  );
  const role = html`<label>Role <select name="role">${options}</select></label>`;
  const organizationId = html`<input type="hidden" name="organizationId" value="${id}">`;
  const ids = html`${organizationId}<input type="hidden" name="userId">`;
  const remove = html`<form class="row" data-action="remove-member">${ids}<button class="quiet">Remove</button></form>`;
  const content = html`
    <p><a href="/organizations/${id}">Documents of ${name}</a></p>
    <ul id="members"></ul>
    <template id="member">
      <li class="row"><span data-name></span> ${
        may('promote')
          ? html`<form class="row" data-action="change-role">${ids}${role}<button>Change role</button></form>`
          : html`<span class="note" data-role></span>`
      } ${may('remove') && remove}</li>
    </template>
    <form data-action="show-members" data-auto>
      ${organizationId}<input type="hidden" name="cursor"><button class="quiet">Show more members</button>
    </form>
    ${
      may('invite') &&
      html`<section><h2>Invitation</h2><form data-action="invite">${organizationId}${role}
      <button>Create invitation link</button><output></output></form></section>`
    }`;
  return memberPage(visitor, 'Members', content, organization);
}

const stateOf = ({ publishedAt, createdAt }: Document): string =>
  publishedAt ? `Published on ${day(publishedAt)}` : `Draft of ${day(createdAt)}`;

const day = (date: Date): string => date.toISOString().slice(0, 10);

/** HTML drops the first line break in a `textarea`, so the template adds one. */
const fields = ({ title, text }: Pick<Document, 'title' | 'text'>): Html => html`
  <label>Title <input name="title" maxlength="120" value="${title}" required></label>
  <label>Text <textarea name="text" rows="8" maxlength="20000">\n${text}</textarea></label>`;
