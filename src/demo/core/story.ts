/** The demo as data: what is said, the commands in their order, and what is worth a look at the end. Pure. */

export interface Scene {
  readonly say?: string;
  /** A file of the demo that is shown, or the part of it between two lines that begin so. */
  readonly show?: readonly [file: string, from?: string, to?: string];
  /** Words after `contracts`. */
  readonly command: readonly string[];
  /** The exit code is 1 where a person is needed, else 0. */
  readonly waits?: true;
}

const IDS = ['tally', 'chart', 'september', 'bird-of-the-month', 'page', 'newsletter'];
const QUESTIONS = 'active_tasks/questions/bird-of-the-month/questions.md';

const DRAFTS = IDS.map((id): Scene => {
  const command = ['new', '--from', `wishes/${id}.md`, '--id', id];
  return { command };
});

export const STORY: readonly Scene[] = [
  {
    say: 'Four people at a lighthouse counted birds in October. They want a page, a chart and a newsletter. First the folders for tasks:',
    command: ['init'],
  },
  {
    say: 'The settings name two small programs that play the agents. You see what they start, and allow it:',
    command: ['trust'],
  },
  ...DRAFTS.map((one, i) => ({
    ...one,
    ...(i === 0 && { say: 'Six wishes become six contracts, folders in active_tasks/draft:' }),
  })),
  { say: 'A person reads the drafts and confirms them.', command: ['confirm', ...IDS] },
  {
    say: 'Now everything moves that can move without a person.',
    command: ['run'],
    waits: true,
  },
  {
    say: 'An agent asked a question. It is in a file, and so is your answer:',
    show: [QUESTIONS, '## Questions', '## What'],
    command: ['answer', 'bird-of-the-month', 'The rarest: everybody has seen a redwing.'],
  },
  { command: ['run'], waits: true },
  {
    say: 'The newsletter is printed on paper, so a person must approve it. This is what it says:',
    show: ['site/newsletter.txt'],
    command: ['approve', 'newsletter', 'Good. Print forty.'],
  },
  { command: ['run'], waits: true },
  { say: 'This is where each task is now:', command: ['list', '--all'] },
];

/** Paths in the folder of the demo, and what is there. */
export const SIGHTS: readonly (readonly [path: string, about: string])[] = [
  ['site/index.html', 'what was made; open it in a browser'],
  ['active_tasks/done/tally/attempts/', 'two tries; the check failed the first'],
  ['active_tasks/done/page/attempts/0002/review.md', 'what the reviewer found'],
  ['active_tasks/done/page/attempts/0003/desk/brief.md', 'what the agent then read about it'],
  ['active_tasks/blocked/september/blocked.md', 'why one stopped, with a place for your words'],
];

/** The task that still needs a person. */
export const LEFT = 'september';
