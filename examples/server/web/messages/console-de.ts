import activity from './de/activity.json' with { type: 'json' };
import events from './de/events.json' with { type: 'json' };
import files from './de/files.json' with { type: 'json' };
import home from './de/home.json' with { type: 'json' };
import invitations from './de/invitations.json' with { type: 'json' };
import organizations from './de/organizations.json' with { type: 'json' };
import overview from './de/overview.json' with { type: 'json' };
import palette from './de/palette.json' with { type: 'json' };
import passkeys from './de/passkeys.json' with { type: 'json' };
import person from './de/person.json' with { type: 'json' };
import profile from './de/profile.json' with { type: 'json' };
import security from './de/security.json' with { type: 'json' };
import users from './de/users.json' with { type: 'json' };
import webhooks from './de/webhooks.json' with { type: 'json' };

/** The messages that only signed-in users need, in German. */
export default {
  activity,
  events,
  files,
  home,
  invitations,
  organizations,
  overview,
  palette,
  passkeys,
  person,
  profile,
  security,
  users,
  webhooks,
};
