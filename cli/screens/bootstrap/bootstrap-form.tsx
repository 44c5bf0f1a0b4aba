import { Box } from 'ink';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useDialogKeys } from '../../components/dialog-keys.ts';
import { Field } from '../../components/field.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { editLine, type Line, lineOf } from '../../components/line-editor.ts';
import { Text } from '../../components/text.tsx';
import { useKeys } from '../../hooks/keyboard.tsx';
import { passwordProblem } from './password-strength.ts';
import { StrengthMeter } from './strength-meter.tsx';
import {
  type CheckUsername,
  type UsernameVerdict,
  usernameVerdict,
  useUsernameCheck,
} from './username-check.ts';

export interface Answers {
  username: string;
  password?: string;
}

const hints: KeyHint[] = [
  { keys: 'enter tab', does: 'next' },
  { keys: '↑', does: 'previous' },
  { keys: 'esc', does: 'cancel' },
];

type FieldName = 'username' | 'password' | 'repeated';

/** Asks for the username. For a superadmin without a passkey, also asks for the password, twice. */
export function BootstrapForm({
  check,
  passwordMinLength,
  passkey,
  username: given,
  reusable,
  rejection,
  onAnswer,
  onCancel,
}: {
  check: CheckUsername;
  passwordMinLength: number;
  passkey: boolean;
  /** The initial username. */
  username?: string | undefined;
  /** The username of an unfinished bootstrap. The operator can enter this username again. */
  reusable?: string | undefined;
  /** Why the previous answers were rejected. */
  rejection?: string | undefined;
  onAnswer: (answers: Answers) => void;
  onCancel: () => void;
}): ReactNode {
  useDialogKeys(hints);
  const fields: FieldName[] = passkey ? ['username'] : ['username', 'password', 'repeated'];
  const [lines, setLines] = useState({
    username: lineOf(given ?? ''),
    password: lineOf(''),
    repeated: lineOf(''),
  });
  const [active, setActive] = useState<FieldName>(given && !passkey ? 'password' : 'username');
  const [problem, setProblem] = useState<string | null>(rejection ?? null);
  const [isChecking, setChecking] = useState(false);
  const isUnmounted = useRef(false);
  useEffect(
    () => () => {
      isUnmounted.current = true;
    },
    [],
  );
  const username = lines.username.text.trim();
  const verdict = useUsernameCheck(check, username, reusable);

  const step = (by: number) => {
    const next = fields[fields.indexOf(active) + by];
    if (next) setActive(next);
    return next !== undefined;
  };
  const problemOf = (name: FieldName, known: UsernameVerdict | null): string | null => {
    if (name === 'username') return usernameProblem(username, known);
    if (name === 'password')
      return passwordProblem(lines.password.text, username.toLowerCase(), passwordMinLength);
    return lines.password.text === lines.repeated.text ? null : 'The passwords differ.';
  };
  const hasProblem = (names: FieldName[], known: UsernameVerdict | null) => {
    const name = names.find((name) => problemOf(name, known) !== null);
    if (name) {
      setActive(name);
      setProblem(problemOf(name, known));
    }
    return name !== undefined;
  };
  // Waits for the service only in the last field. Otherwise, the focus could move while the operator types.
  const submit = async () => {
    if (hasProblem(fields.slice(0, fields.indexOf(active) + 1), verdict) || step(1)) return;
    setChecking(true);
    const found = await check(username).catch(() => null);
    if (isUnmounted.current) return;
    setChecking(false);
    if (hasProblem(fields, found && usernameVerdict(found, username, reusable))) return;
    onAnswer(passkey ? { username } : { username, password: lines.password.text });
  };

  useKeys(
    (press) => {
      if (press.name === 'escape') return onCancel();
      if (isChecking) return;
      if (press.name === 'enter') return void submit();
      if (press.name === 'tab' || press.name === 'down') return void step(1);
      if (press.name === 'shift+tab' || press.name === 'up') return void step(-1);
      setProblem(null);
      setLines((last) => ({ ...last, [active]: editLine(last[active], press) ?? last[active] }));
    },
    { modal: true, typing: true },
  );
  return (
    <Box flexDirection="column">
      <Field label="Username" line={lines.username} isActive={active === 'username'}>
        {username !== '' && verdict && <Verdict verdict={verdict} />}
      </Field>
      {!passkey && (
        <Passwords
          password={lines.password}
          repeated={lines.repeated}
          active={active}
          minLength={passwordMinLength}
        />
      )}
      <Text color="red">{problem ? `✗ ${problem}` : ' '}</Text>
    </Box>
  );
}

/** Accepts a username that was not checked yet. The service checks every username before it creates the user. */
function usernameProblem(username: string, verdict: UsernameVerdict | null): string | null {
  if (username === '') return 'Enter a username.';
  return verdict === null || verdict.isAcceptable ? null : `Choose another username: ${verdict.text}.`;
}

const Verdict = ({ verdict: { isAcceptable, text } }: { verdict: UsernameVerdict }) => (
  <Text color={isAcceptable ? 'green' : 'red'}>{isAcceptable ? `✓ ${text}` : `✗ ${text}`}</Text>
);

const Passwords = ({
  password,
  repeated,
  active,
  minLength,
}: {
  password: Line;
  repeated: Line;
  active: FieldName;
  minLength: number;
}) => (
  <>
    <Field label="Password" line={password} isActive={active === 'password'} mask="•" width={28}>
      {password.text !== '' && <StrengthMeter password={password.text} minLength={minLength} />}
    </Field>
    <Field label="Repeat" line={repeated} isActive={active === 'repeated'} mask="•" width={28}>
      {repeated.text !== '' && password.text === repeated.text && <Text color="green">✓ matches</Text>}
    </Field>
  </>
);
