import type { Messages } from './en.ts';
import type { ErrorTexts } from './error-texts.ts';

const errors: ErrorTexts = {
  webauthn_unsupported: {
    title: 'Dieser Browser unterstützt keine Passkeys',
    body: 'Verwende eine aktuelle Version von Chrome, Edge, Firefox oder Safari. Browser, die in andere Apps eingebaut sind, unterstützen oft keine Passkeys.',
  },
  insecure_context: {
    title: 'Passkeys funktionieren unter dieser Adresse nicht',
    body: 'Öffne diese Website unter ihrer https://-Adresse und versuche es noch einmal.',
  },
  ceremony_canceled: {
    title: 'Es wurde nichts geändert',
    body: 'Die Passkey-Abfrage wurde geschlossen oder ist abgelaufen. Versuche es noch einmal, wenn du so weit bist.',
  },
  ceremony_failed: {
    title: 'Das Gerät oder der Sicherheitsschlüssel hat einen Fehler gemeldet',
    body: 'Versuche es noch einmal oder verwende einen anderen Passkey.',
  },
  network_error: {
    title: 'Der Server ist nicht erreichbar',
    body: 'Prüfe die Internetverbindung und versuche es noch einmal.',
  },
  internal_error: {
    title: 'Auf dem Server ist ein Fehler aufgetreten',
    body: 'Warte einen Moment und versuche es dann noch einmal.',
  },
  authentication_failed: {
    title: 'Das hat nicht geklappt',
    body: 'Versuche es noch einmal oder verwende einen anderen Passkey.',
  },
  unknown_credential: {
    title: 'Dieser Passkey funktioniert hier nicht mehr',
    body: 'Der Passkey wurde entfernt, oder sein Konto wurde gelöscht. Verwende einen anderen Passkey oder melde dich auf andere Weise an. Wenn dein Gerät diesen Passkey noch anbietet, lösche ihn dort.',
  },
  account_disabled: {
    title: 'Dein Konto ist deaktiviert',
    body: 'Um dich wieder anzumelden, bitte einen Admin dieser Website, dein Konto zu aktivieren.',
  },
  not_authenticated: { title: 'Deine Sitzung ist beendet', body: 'Melde dich noch einmal an.' },
  invitation_not_found: {
    title: 'Einladung nicht gefunden',
    body: 'Öffne den Link der Einladung noch einmal oder bitte um eine neue.',
  },
  invitation_unusable: {
    title: 'Diese Einladung funktioniert nicht mehr',
    body: 'Bitte um eine neue Einladung.',
  },
  invitation_for_another_user: {
    title: 'Diese Einladung ist für einen anderen Benutzer',
    body: 'Bitte um eine Einladung für deinen Benutzernamen.',
  },
  authenticator_not_allowed: {
    title: 'Diese Art von Passkey ist hier nicht erlaubt',
    body: 'Nimm ein anderes Gerät oder einen anderen Sicherheitsschlüssel. Falls das Gerät den Passkey gespeichert hat, lösche ihn dort.',
  },
  // The reasons of `authenticator_not_allowed`.
  model_compromised: {
    title: 'Diese Art von Passkey ist hier nicht erlaubt',
    body: 'Dieses Modell hat ein bekanntes Sicherheitsproblem. Nimm ein anderes. Falls das Gerät den Passkey gespeichert hat, lösche ihn dort.',
  },
  not_attested: {
    title: 'Diese Art von Passkey ist hier nicht erlaubt',
    body: 'Das Gerät hat sein Modell nicht nachgewiesen. Nimm einen Sicherheitsschlüssel und erlaube dem Browser, das Modell zu sehen. Falls das Gerät den Passkey gespeichert hat, lösche ihn dort.',
  },
  not_certified: {
    title: 'Diese Art von Passkey ist hier nicht erlaubt',
    body: 'Das Gerät braucht eine höhere FIDO-Zertifizierung. Nimm ein anderes. Falls das Gerät den Passkey gespeichert hat, lösche ihn dort.',
  },
  not_device_bound: {
    title: 'Diese Art von Passkey ist hier nicht erlaubt',
    body: 'Der Passkey muss auf einem einzigen Gerät bleiben. Nimm einen Sicherheitsschlüssel. Falls das Gerät den Passkey gespeichert hat, lösche ihn dort.',
  },
  sign_up_refused: {
    title: 'Die Registrierung wurde abgelehnt',
    body: 'Wende dich an einen Admin dieser Website.',
  },
  invalid_request: {
    title: 'Eine Angabe ist ungültig',
    body: 'Prüfe deine Eingaben und versuche es noch einmal.',
  },
};

/** The German texts of the elements. */
export const de: Messages = {
  optional: '(optional)',
  waiting: 'Warten auf deinen Passkey …',
  passkeyHelp: 'Welche Browser und Geräte unterstützen Passkeys?',
  tooManyAttempts: 'Zu viele Versuche',
  unavailable: 'Der Dienst ist vorübergehend nicht verfügbar',
  waitAMoment: 'Warte einen Moment und versuche es dann noch einmal.',
  tryAgainIn: 'Versuche es in {time} noch einmal.',
  errors,
  signIn: {
    username: 'Benutzername',
    usernameHint: 'Lass das Feld leer, um aus deinen Passkeys zu wählen.',
    submit: 'Mit Passkey anmelden',
    orWithoutUsername: 'Oder lass das Feld leer und wähle jetzt deinen Passkey.',
    errors: {
      authentication_failed: {
        title: 'Die Anmeldung hat nicht geklappt',
        body: 'Versuche es noch einmal oder verwende einen anderen Passkey. Wenn du einen Benutzernamen eingegeben hast, prüfe die Schreibweise.',
      },
      ceremony_canceled: {
        title: 'Du bist noch nicht angemeldet',
        body: 'Die Passkey-Abfrage wurde geschlossen oder ist abgelaufen, oder dieses Gerät hat keinen Passkey für diese Website. Versuche es noch einmal oder verwende einen Passkey auf deinem Handy oder einem Sicherheitsschlüssel.',
      },
    },
  },
  signUp: {
    username: 'Benutzername',
    displayName: 'Anzeigename',
    submit: 'Konto mit Passkey erstellen',
    rule: '3 bis 32 Buchstaben, Ziffern, Punkte, Binde- oder Unterstriche.',
    missing: 'Wähle einen Benutzernamen.',
    atLeast: 'Mindestens 3 Zeichen.',
    tooShort: 'Verwende mindestens 3 Zeichen.',
    checking: 'Wird geprüft …',
    unknown:
      'Es ließ sich nicht prüfen, ob der Benutzername frei ist. Du kannst das Konto trotzdem erstellen.',
    available: 'Verfügbar',
    availableAs: 'Verfügbar als {username}',
    taken: '{username} ist vergeben.',
    lookAlike:
      '{username} sieht dem Benutzernamen eines anderen Kontos zu ähnlich. Wähle einen anderen Benutzernamen.',
    reserved: '{username} ist reserviert. Wähle einen anderen Benutzernamen.',
    tooLong: 'Verwende höchstens 32 Zeichen.',
    email: 'Wähle einen Namen, keine E-Mail-Adresse.',
    spaces: 'Entferne die Leerzeichen.',
    edges: 'Der Benutzername muss mit einem Buchstaben oder einer Ziffer beginnen und enden.',
    characters: 'Verwende Buchstaben von a bis z, Ziffern und dazwischen . _ oder -.',
    errors: {
      ceremony_canceled: {
        title: 'Es wurde kein Konto erstellt',
        body: 'Die Passkey-Abfrage wurde geschlossen oder ist abgelaufen. Versuche es noch einmal, wenn du so weit bist.',
      },
      registration_failed: {
        title: 'Das Konto wurde nicht erstellt',
        body: 'Der Dienst konnte den Passkey nicht prüfen. Versuche es noch einmal. Wenn dein Gerät den Passkey gespeichert hat, lösche ihn dort.',
      },
      username_taken: {
        title: 'Dieser Benutzername ist vergeben',
        body: 'Wähle einen anderen Benutzernamen und versuche es noch einmal.',
      },
      username_unacceptable: {
        title: 'Dieser Benutzername kann nicht verwendet werden',
        body: 'Wähle einen anderen Benutzernamen und versuche es noch einmal.',
      },
      sign_up_closed: {
        title: 'Die Registrierung ist geschlossen',
        body: 'Du kannst hier kein Konto erstellen.',
      },
      invitation_required: {
        title: 'Du brauchst eine Einladung',
        body: 'Um ein Konto zu erstellen, öffne den Link deiner Einladung.',
      },
      passkey_exists: {
        title: 'Dieses Gerät hat schon einen Passkey für dieses Konto',
        body: 'Verwende ein anderes Gerät, einen anderen Passwortmanager oder einen Sicherheitsschlüssel.',
      },
    },
  },
  stepUp: {
    title: 'Bestätige, dass du es bist',
    lead: 'Du hast dich vor einer Weile angemeldet. Bestätige, dass du es immer noch bist. Das schützt dein Konto, wenn du ein Gerät entsperrt liegen lässt.',
    needsPasskey:
      'Du hast dich mit deinem Passwort angemeldet. Diese Aktion braucht deinen Passkey, weil ein Passwort gestohlen werden kann.',
    addPasskeyFirst: 'Füge zuerst einen Passkey hinzu',
    addPasskeyLead: 'Diese Aktion braucht einen Passkey, und dein Konto hat noch keinen.',
    password: 'Passwort',
    usePasskey: 'Passkey verwenden',
    confirm: 'Bestätigen',
    cancel: 'Abbrechen',
    passkeyErrors: {
      ceremony_canceled: {
        title: 'Noch nicht bestätigt',
        body: 'Die Passkey-Abfrage wurde geschlossen oder ist abgelaufen. Versuche es noch einmal, wenn du so weit bist.',
      },
    },
    passwordErrors: {
      authentication_failed: {
        title: 'Falsches Passwort',
        body: 'Prüfe dein Passwort und versuche es noch einmal.',
      },
    },
  },
  passkeys: {
    list: 'Passkeys',
    loading: 'Deine Passkeys werden geladen …',
    retry: 'Erneut versuchen',
    none: 'Noch keine Passkeys. Füge einen Passkey hinzu, um dich ohne Passwort anzumelden.',
    add: 'Passkey hinzufügen',
    isNew: 'Neu',
    isCurrent: 'Dieses Gerät',
    isSynced: 'Synchronisiert',
    isSecurityKey: 'Sicherheitsschlüssel',
    isAttested: 'Nachgewiesen',
    synced: 'Auf deinen Geräten synchronisiert',
    notSynced: 'Bisher nur auf einem Gerät, noch nicht synchronisiert',
    onDevice: 'Nur auf dem Gerät, das ihn erstellt hat',
    onSecurityKey: 'Nur auf diesem Sicherheitsschlüssel ({ways})',
    smartCard: 'Chipkarte',
    lastUsed: 'Zuletzt verwendet: {time}',
    lastUsedWith: 'Zuletzt verwendet: {time}, {browser}',
    justNow: 'gerade eben',
    browserOnSystem: '{browser} unter {system}',
    notUsed: 'Noch nicht verwendet',
    added: 'Hinzugefügt am {time}',
    menu: 'Aktionen für {name}',
    rename: 'Umbenennen',
    remove: 'Entfernen …',
    removeConsequence: 'Sperrt die Anmeldung mit diesem Passkey',
    name: 'Name des Passkeys {name}',
    nameNew: 'Gib diesem Passkey einen Namen',
    save: 'Speichern',
    cancel: 'Abbrechen',
    removeTitle: 'Diesen Passkey entfernen?',
    removeBlocks: 'Du kannst dich nicht mehr mit {name} anmelden.',
    removeEnds: 'Alle deine anderen Sitzungen enden.',
    removeStays: 'Dein Gerät bietet den Passkey vielleicht weiter an, bis du ihn auch dort löschst.',
    removeConfirm: 'Passkey entfernen',
    addErrors: {
      passkey_exists: {
        title: 'Dieses Gerät hat schon einen Passkey für dein Konto',
        body: 'Der Passkey steht unten in der Liste. Um einen weiteren hinzuzufügen, verwende ein anderes Gerät, einen anderen Passwortmanager oder einen Sicherheitsschlüssel.',
      },
      ceremony_canceled: {
        title: 'Es wurde kein Passkey hinzugefügt',
        body: 'Die Passkey-Abfrage wurde geschlossen oder ist abgelaufen. Versuche es noch einmal, wenn du so weit bist.',
      },
      registration_failed: {
        title: 'Der Passkey wurde nicht hinzugefügt',
        body: 'Der Dienst konnte den Passkey nicht prüfen. Versuche es noch einmal. Wenn dein Gerät den Passkey gespeichert hat, lösche ihn dort.',
      },
      too_many_passkeys: {
        title: 'Du hast die Höchstzahl an Passkeys erreicht',
        body: 'Entferne einen Passkey, den du nicht verwendest.',
      },
    },
    removeErrors: {
      ceremony_canceled: {
        title: 'Der Passkey wurde nicht entfernt',
        body: 'Du hast nicht bestätigt, dass du es bist. Versuche es noch einmal, wenn du so weit bist.',
      },
      last_credential: {
        title: 'Du kannst deinen einzigen Passkey nicht entfernen',
        body: 'Ohne ihn könntest du dich nicht mehr anmelden. Füge zuerst einen weiteren Passkey hinzu, auf einem anderen Gerät oder einem Sicherheitsschlüssel.',
      },
    },
  },
};
