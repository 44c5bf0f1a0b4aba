import type { ActivityMessages } from './types/activity.ts';
import type { CommonMessages } from './types/common.ts';
import type { EntranceMessages } from './types/entrance.ts';
import type { ErrorsMessages } from './types/errors.ts';
import type { EventsMessages } from './types/events.ts';
import type { FilesMessages } from './types/files.ts';
import type { HomeMessages } from './types/home.ts';
import type { InvitationMessages } from './types/invitation.ts';
import type { InvitationsMessages } from './types/invitations.ts';
import type { LayoutMessages } from './types/layout.ts';
import type { OrganizationsMessages } from './types/organizations.ts';
import type { OverviewMessages } from './types/overview.ts';
import type { PaletteMessages } from './types/palette.ts';
import type { PasskeysMessages } from './types/passkeys.ts';
import type { PersonMessages } from './types/person.ts';
import type { ProfileMessages } from './types/profile.ts';
import type { RecoveryMessages } from './types/recovery.ts';
import type { SecurityMessages } from './types/security.ts';
import type { UsersMessages } from './types/users.ts';
import type { WebhooksMessages } from './types/webhooks.ts';

/** The messages by key, each with the kinds of its values. `npm run messages` writes the types of the areas. */
export interface Messages
  extends ActivityMessages,
    CommonMessages,
    EntranceMessages,
    ErrorsMessages,
    EventsMessages,
    FilesMessages,
    HomeMessages,
    InvitationMessages,
    InvitationsMessages,
    LayoutMessages,
    OrganizationsMessages,
    OverviewMessages,
    PaletteMessages,
    PasskeysMessages,
    PersonMessages,
    ProfileMessages,
    RecoveryMessages,
    SecurityMessages,
    UsersMessages,
    WebhooksMessages {}
