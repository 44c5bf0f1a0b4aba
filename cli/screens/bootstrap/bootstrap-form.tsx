import { Box } from 'ink';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Field } from '../../components/field.tsx';
import { editLine, type Line, lineOf } from '../../components/line-editor.ts';
import { Text } from '../../components/text.tsx';
import { useKeys } from '../../hooks/keyboard.tsx';
import { passwordProblem } from './password-strength.ts';
import { StrengthMeter } from './strength-meter.tsx';
import { type CheckUsername, type UsernameVerdict, useUsernameCheck, verdictOn } from './username-check.ts';

export interface Answers {
  username: string;
  password?: string;
}

type FieldName = 'username' | 'password' | 'repeated';

/** Asks who becomes superadmin, and where there is to be one for a password, twice. */
export function BootstrapForm({
  check,
  passkey,
  username: given,
  theirOwn,
  refusal,
  onAnswer,
  onCancel,
}: {
  check: CheckUsername;
  passkey: boolean;
  /** Not asked for again where it will do. */
  username?: string | undefined;
  /** The name of a superadmin who never came in: they may keep it. */
  theirOwn?: string | undefined;
  /** Why the answers before would not do. */
  refusal?: string | undefined;
  onAnswer: (answers: Answers) => void;
  onCancel: () => void;
}): ReactNode {
  const fields: FieldName[] = passkey ? ['username'] : ['username', 'password', 'repeated'];
  const [lines, setLines] = useState({
    username: lineOf(given ?? ''),
    password: lineOf(''),
    repeated: lineOf(''),
  });
  const [active, setActive] = useState<FieldName>(given && !passkey ? 'password' : 'username');
  const [fault, setFault] = useState<string | null>(refusal ?? null);
  const [isChecking, setChecking] = useState(false);
  const isLeft = useRef(false);
  useEffect(
    () => () => {
      isLeft.current = true;
    },
    [],
  );
  const username = lines.username.text.trim();
  const verdict = useUsernameCheck(check, username, theirOwn);

  const step = (by: number) => {
    const next = fields[fields.indexOf(active) + by];
    if (next) setActive(next);
    return next !== undefined;
  };
  const faultOf = (name: FieldName, known: UsernameVerdict | null): string | null => {
    if (name === 'username') return usernameFault(username, known);
    if (name === 'password') return passwordProblem(lines.password.text, username.toLowerCase());
    return lines.password.text === lines.repeated.text ? null : 'The two passwords differ.';
  };
  const isFaulty = (names: FieldName[], known: UsernameVerdict | null) => {
    const name = names.find((name) => faultOf(name, known) !== null);
    if (name) {
      setActive(name);
      setFault(faultOf(name, known));
    }
    return name !== undefined;
  };
  // Only the last answer waits for the service: whoever types on must not find themselves in another field.
  const goOn = async () => {
    if (isFaulty(fields.slice(0, fields.indexOf(active) + 1), verdict) || step(1)) return;
    setChecking(true);
    const found = await check(username).catch(() => null);
    if (isLeft.current) return;
    setChecking(false);
    if (isFaulty(fields, found && verdictOn(found, username, theirOwn))) return;
    onAnswer(passkey ? { username } : { username, password: lines.password.text });
  };

  useKeys(
    (press) => {
      if (press.name === 'escape') return onCancel();
      if (isChecking) return;
      if (press.name === 'enter') return void goOn();
      if (press.name === 'tab' || press.name === 'down') return void step(1);
      if (press.name === 'shift+tab' || press.name === 'up') return void step(-1);
      setFault(null);
      setLines((last) => ({ ...last, [active]: editLine(last[active], press) ?? last[active] }));
    },
    { modal: true, typing: true },
  );
  return (
    <Box flexDirection="column">
      <Field label="Username" line={lines.username} isActive={active === 'username'}>
        {username !== '' && verdict && <Verdict verdict={verdict} />}
      </Field>
      {!passkey && <Passwords password={lines.password} repeated={lines.repeated} active={active} />}
      <Text color="red">{fault ? `✗ ${fault}` : ' '}</Text>
    </Box>
  );
}

/** Where the service has not answered, the name may do: in the end it is the service that decides. */
function usernameFault(username: string, verdict: UsernameVerdict | null): string | null {
  if (username === '') return 'A username is needed.';
  return verdict === null || verdict.isFine ? null : `This username will not do: ${verdict.words}.`;
}

const Verdict = ({ verdict: { isFine, words } }: { verdict: UsernameVerdict }) => (
  <Text color={isFine ? 'green' : 'red'}>{isFine ? `✓ ${words}` : `✗ ${words}`}</Text>
);

const Passwords = ({ password, repeated, active }: { password: Line; repeated: Line; active: FieldName }) => (
  <>
    <Field label="Password" line={password} isActive={active === 'password'} mask="•" width={28}>
      {password.text !== '' && <StrengthMeter password={password.text} />}
    </Field>
    <Field label="Once more" line={repeated} isActive={active === 'repeated'} mask="•" width={28}>
      {repeated.text !== '' && password.text === repeated.text && <Text color="green">✓ the same</Text>}
    </Field>
  </>
);
