/**
 * What the scripted model does, told as stories. The objective of a contract names one,
 * `[story:question]`; the place in it is the count of answers since that brief was given. So nothing
 * is kept between requests: a session that is resumed, a retry, two runs at once all read the same.
 * The story looks at the brief for where the desk is and what the criteria are, as a model would.
 */
import { toolCall, writing, type Act } from './tools.ts';
import type { Reply, Said, Turn } from './turn.ts';

/** What a story knows of the brief that named it. */
export interface Scene {
  readonly root: string;
  readonly desk: string;
  readonly review: boolean;
  readonly criteria: readonly string[];
  /** Answers of a person stand in the brief. */
  readonly answered: boolean;
  /** How many briefs this session was given, this one among them. */
  readonly briefs: number;
  /** What stands after the story's name. */
  readonly rest: string;
}

type Step =
  | Act
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'fail'; readonly status: number; readonly message: string }
  | { readonly do: 'hang' };

type Story = (scene: Scene) => readonly Step[];

const MARK = /\[story:([a-z-]+) ?([^\]\n]*)\]/;

/** The file that every story makes, below the workspace. */
export const MADE = 'greeting.txt';

const STORIES: Readonly<Record<string, Story>> = {
  /** Makes the deliverable, hands in, ends. */
  complete: (scene) => [make(scene, 'Hello, world'), handIn(scene), say('Wrote the greeting.')],

  /** Asks first; with the answer it goes on and says how many briefs this session has seen. */
  question: (scene) =>
    scene.answered
      ? [
          make(scene, `Hello, Ada (brief ${scene.briefs} of this session)`),
          handIn(scene),
          say('Wrote the greeting for Ada.'),
        ]
      : [
          write(`${scene.desk}/questions.md`, '## Questions\n\n1. Who is the guest?\n'),
          say('I asked a question.'),
        ],

  /** Writes with its tool where it may not, then does what it should. */
  'write-outside': (scene) => [
    write(`${scene.root}/${scene.rest}`, 'not mine to write\n'),
    ...story('complete', scene),
  ],

  /** The same with a shell command, which no write hook sees. */
  'shell-outside': (scene) => [
    { do: 'shell', command: writing(`${scene.root}/${scene.rest}`, 'not mine to write\n') },
    ...story('complete', scene),
  ],

  /** The model refuses: `[story:error 401]`. */
  error: ({ rest }) => [{ do: 'fail', status: Number(rest), message: `scripted refusal ${rest}` }],

  /** The model never answers. */
  hang: () => [{ do: 'hang' }],

  /** A command of the agent runs for ever, with a child of its own. */
  sleep: () => [{ do: 'shell', command: 'sleep 987654 & sleep 987654' }],

  /** Ends at once, having done nothing. */
  idle: () => [say('There is nothing to do.')],
};

const REVIEW: Story = ({ desk }) => [
  write(
    `${desk}/review.md`,
    '# Review\n\n## Verdict\n\n- [x] APPROVED\n- [ ] NEEDS_WORK\n- [ ] REJECT\n\n## Findings\n\nNone.\n',
  ),
  say('Approved.'),
];

/** The reply to a request of the story that the last brief names. */
export function replyTo(turn: Turn): Reply {
  const at = turn.said.findLastIndex(namesStory);
  const brief = turn.said[at];
  // Titles, routers, summaries: whoever offers no tools wants no work done.
  if (brief === undefined || turn.tools.length === 0) return { kind: 'text', text: 'A greeting' };
  const [, name = '', rest = ''] = MARK.exec(brief.text) ?? [];
  const briefs = turn.said.filter(namesStory).length;
  const scene = { ...readBrief(brief.text), briefs, rest: rest.trim() };
  const done = turn.said.slice(at).filter((one) => one.by === 'assistant').length;
  const steps = scene.review ? REVIEW(scene) : story(name, scene);
  const step = steps[done] ?? say('That was all.');
  return replyOf(step, turn);
}

function namesStory({ by, text }: Said): boolean {
  return by === 'user' && MARK.test(text);
}

function replyOf(step: Step, turn: Turn): Reply {
  if (step.do === 'say') return { kind: 'text', text: step.text };
  if (step.do === 'fail') return { kind: 'error', status: step.status, message: step.message };
  if (step.do === 'hang') return { kind: 'hang' };
  const call = toolCall(step, turn.tools);
  if (call !== undefined) return { kind: 'call', call };
  return { kind: 'text', text: `There is no tool to ${step.do} with.` };
}

function readBrief(text: string): Omit<Scene, 'briefs' | 'rest'> {
  const [, asked = ''] = /\nSuccess criteria:\n\n([^]*?)\n## /.exec(text) ?? [];
  return {
    root: /workspace is `([^`]+)`/.exec(text)?.[1] ?? '',
    desk: /desk is `([^`]+)`/.exec(text)?.[1] ?? '',
    review: text.includes('You review the task'),
    criteria: [...asked.matchAll(/^- \[ \] (.+)$/gm)].map(([, criterion = '']) => criterion),
    answered: /^## ANSWERS$/m.test(text),
  };
}

function story(name: string, scene: Scene): readonly Step[] {
  const told = Object.hasOwn(STORIES, name) ? STORIES[name] : undefined;
  if (told === undefined) return [{ do: 'fail', status: 400, message: `no story "${name}"` }];
  return told(scene);
}

function say(text: string): Step {
  return { do: 'say', text };
}

function write(path: string, text: string): Act {
  return { do: 'write', path, text };
}

function make({ root }: Scene, text: string): Act {
  return write(`${root}/${MADE}`, `${text}\n`);
}

function handIn({ desk, criteria }: Scene): Act {
  const ticked = criteria.map((one) => `- [x] ${one} — see ${MADE}`).join('\n');
  return write(`${desk}/result.md`, `- Status: COMPLETE\n\n## Success Criteria\n\n${ticked}\n`);
}
