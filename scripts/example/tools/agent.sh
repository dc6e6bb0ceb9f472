# A scripted agent: what builder and scout of the example did. It reads the task's id, as a real
# agent reads its brief.
set -eu
sleep 1.1
mkdir -p src test docs texts
out=$CONTRACTS_OUT

login_result() {
  cat > "$out/result.md" <<EOF
# Task Result: $CONTRACTS_TASK

- Status: COMPLETE
- Duration: $1

## Success Criteria

- [x] A right password gives a session — first test
- [x] A wrong password gives nothing, and does not say why — second test
- [x] \`node --test test/login.test.mjs\` passes — $2

## Deliverables

- src/login.mjs
- test/login.test.mjs

## Validation

- \`node --test test/login.test.mjs\`: $2

## Notes

$3

## Learnings

- [decision] Sessions end after fifteen minutes (Ada)
EOF
}

login_code() {
  cat > src/login.mjs <<EOF
import { createHash, timingSafeEqual } from 'node:crypto';

const SESSION_MS = 15 * 60_000;
const hash = (text) => createHash('sha256').update(text).digest();

export function login(users, email, password, now = Date.now()) {
  const user = users.get(email);
  const known = user?.password_hash ?? hash('nobody');
  const right = $1;
  return user !== undefined && right ? { email, expires_ms: now + SESSION_MS } : undefined;
}
EOF
  cat > test/login.test.mjs <<'EOF'
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { login } from '../src/login.mjs';

const password_hash = createHash('sha256').update('right').digest();
const users = new Map([['ada@example.org', { password_hash }]]);

test('a right password gives a session of fifteen minutes', () => {
  assert.deepEqual(login(users, 'ada@example.org', 'right', 0), {
    email: 'ada@example.org',
    expires_ms: 900_000,
  });
});

test('a wrong password, and a stranger, give nothing', () => {
  assert.equal(login(users, 'ada@example.org', 'wrong', 0), undefined);
  assert.equal(login(users, 'eve@example.org', 'right', 0), undefined);
});
EOF
}

case $CONTRACTS_TASK.$CONTRACTS_ATTEMPT in
login-endpoint-k3f9.0001)
  echo "Reading docs/api.md"
  cat > "$out/questions.md" <<EOF
# Questions: $CONTRACTS_TASK

## Questions

1. How long does a session last?

## What I Understood

A function that takes the users, an e-mail and a password, and gives a session or nothing. No route
and no cookie yet.

## What Is Unclear

docs/api.md names \`expires_ms\`, but not when that is.
EOF
  ;;
login-endpoint-k3f9.0002)
  echo "Writing src/login.mjs"
  cat > "$out/status.md" <<EOF
# Task Status: $CONTRACTS_TASK

- Status: IN_PROGRESS
- Current Step: running the tests

## Completed

- [x] src/login.mjs
- [x] test/login.test.mjs

## Remaining

- [ ] one more look at what an attacker could measure
EOF
  login_code 'known.equals(hash(password))'
  login_result 4m '2 of 2 passed' 'The users are passed in, so that no database is needed for the tests.'
  ;;
login-endpoint-k3f9.*)
  echo "Reading the findings"
  login_code 'timingSafeEqual(known, hash(password))'
  login_result 4m '2 of 2 passed' 'The comparison now takes the same time for every password.'
  ;;
invoice-export-w2mx.*)
  cat > "$out/questions.md" <<EOF
# Questions: $CONTRACTS_TASK

## Questions

1. Which format does the accountant want: CSV, or the XML of the tax office?
2. Does an invoice that was cancelled belong into the file?

## What I Understood

One file for each month, made on the first day of the next one.

## What Is Unclear

Both answers change the code from the first line on, so I have not begun.
EOF
  ;;
sms-reminders-h4va.*)
  printf '# Reminders by SMS\n\n1,000 a month: about 75 EUR.\n\nThe law asks for consent before the first one.\n' > docs/sms.md
  cat > "$out/result.md" <<EOF
# Task Result: $CONTRACTS_TASK

- Status: ✅ COMPLETE

## Success Criteria

- [x] docs/sms.md names the price for 1,000 reminders a month — second line
- [x] docs/sms.md says what the law asks for — last line

## Notes

Nine of ten customers have no phone number on file.
EOF
  ;;
upload-test-c5tz.*)
  echo "Ran test/upload.test.mjs 200 times: no failure"
  cat > "$out/result.md" <<EOF
# Task Result: $CONTRACTS_TASK

- Status: FAILED

## Attempted Approaches

1. 200 runs $(test "$CONTRACTS_ATTEMPT" = 0001 && echo 'on an idle machine' || echo 'under load, two at a time'): not one failure.

## Required Resolution

The log of a run that failed, or a machine on which it does.
EOF
  ;;
press-text-p7qd.*)
  if [ "$CONTRACTS_ATTEMPT" = 0001 ]; then
    printf 'On 14 December something new begins in Mill Lane 3.\n\nCome and see: there will be tea, and a shop full of paper.\n' > texts/opening.md
  else
    printf 'A shop for paper, pens and ink opens on 14 December in Mill Lane 3.\n\nAda and Noor have collected paper for ten years; now you can touch it before you buy it. On the\nfirst day there will be tea, and a sheet of hand-made paper for everybody who writes a letter.\n' > texts/opening.md
  fi
  cat > "$out/result.md" <<EOF
# Task Result: $CONTRACTS_TASK

- Status: COMPLETE

## Success Criteria

- [x] At most 120 words — $(wc -w < texts/opening.md | tr -d ' ')
- [x] It names the day and the address — first sentence
- [x] It reads like us — compared with the texts of the last two years

## Deliverables

- texts/opening.md

## Assumptions

- The address may be printed (confidence 0.9)
EOF
  ;;
esac
