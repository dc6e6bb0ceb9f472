/** What a question and its answer come to, as a line of direction or a learning. */
import { expect, test } from 'vitest';
import { settledBy } from '../../../src/memory/text/harvest.ts';

const SOURCES =
  'What data sources will the dashboard display? □ Database (PostgreSQL, MySQL, etc.) □ API endpoints □ Real-time feeds (WebSocket)';
const USERS =
  'Who are the users? - [ ] Developers (technical) - [ ] Business users [Waiting for your response before proceeding]';

test.each([
  [SOURCES, '☑ API endpoints', 'What data sources will the dashboard display? API endpoints'],
  [SOURCES, 'API endpoints', 'What data sources will the dashboard display? API endpoints'],
  [
    SOURCES,
    '□ Database (PostgreSQL, MySQL, etc.)\n☑ API endpoints\n☑ Real-time feeds (WebSocket)',
    'What data sources will the dashboard display? API endpoints, Real-time feeds (WebSocket)',
  ],
  [
    SOURCES,
    '☑ API endpoints\n\nand a file',
    'What data sources will the dashboard display? API endpoints, and a file',
  ],
  [
    SOURCES,
    '- [x] API endpoints\n- [ ] Database\n- [X] Real-time feeds (WebSocket)',
    'What data sources will the dashboard display? API endpoints, Real-time feeds (WebSocket)',
  ],
  [USERS, '- [x] Developers (technical)', 'Who are the users? Developers (technical)'],
  [USERS, '[X] Business users', 'Who are the users? Business users'],
  ['Which colour?', 'blue', 'Which colour? blue'],
  ['Which colour? [Waiting for your answer]', 'blue', 'Which colour? blue'],
  ['Name the deadline.', 'May', 'Name the deadline: May'],
  ['OAuth provider: Google, GitHub', 'Google', 'OAuth provider: Google'],
  ['OAuth provider: Google, GitHub or none?', 'github', 'OAuth provider: github'],
  ['OAuth provider: Google, GitHub', 'our own', 'OAuth provider: Google, GitHub: our own'],
  ['Use a[0] or a[1]?', 'a[0]', 'Use a[0] or a[1]? a[0]'],
  [SOURCES, '□ Database', 'What data sources will the dashboard display? □ Database'],
])('%s %j', (question, answer, said) => expect(settledBy(question, answer)).toBe(said));
