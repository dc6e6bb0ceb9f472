/**
 * The articles of the constitution. A squad may change the strength of one, except of those about
 * permissions and quality gates, which are hard everywhere.
 */
import { STRENGTHS, type Strength } from '../../task/core/model/permissions.ts';
import { problem, type Problem, type ProblemInput } from '../../task/core/model/problem.ts';

export interface Article {
  readonly number: string;
  readonly title: string;
  readonly strength: Strength;
  /** For agents that work under it. */
  readonly says: string;
  readonly holds: 'always' | 'development' | 'story_driven';
}

export const ARTICLES: readonly Article[] = [
  {
    number: 'I',
    title: 'CLI First',
    strength: 'warn',
    says: 'what is built works from the command line before it gets any other face',
    holds: 'development',
  },
  {
    number: 'II',
    title: 'Agent Permissions',
    strength: 'hard',
    says: 'no agent exceeds the permissions of its role; only devops pushes, merges, rebases, opens or merges pull requests',
    holds: 'always',
  },
  {
    number: 'III',
    title: 'Story-Driven',
    strength: 'soft',
    says: 'work follows its story, and the story is kept up to date',
    holds: 'story_driven',
  },
  {
    number: 'IV',
    title: 'No Invention',
    strength: 'warn',
    says: 'nothing is invented: everything comes from a requirement, a source or an answer',
    holds: 'always',
  },
  {
    number: 'V',
    title: 'Quality First',
    strength: 'hard',
    says: 'nothing is done before its quality gate approves it, and a gate never reviews its own work',
    holds: 'always',
  },
  {
    number: 'VI',
    title: 'Absolute Imports',
    strength: 'warn',
    says: 'imports are absolute where the project uses absolute imports',
    holds: 'development',
  },
];

export const ARTICLE_NUMBERS: readonly string[] = ARTICLES.map(({ number }) => number);

/** `off`: it does not hold in this squad. */
export const ARTICLE_WORDS = [...STRENGTHS, 'off'] as const;
type ArticleWord = (typeof ARTICLE_WORDS)[number];

export interface HeldArticle extends Omit<Article, 'holds'> {
  /** A squad cannot change it. */
  readonly is_fixed: boolean;
  /** True if it holds for stories alone. */
  readonly of_stories: boolean;
}

interface Work {
  readonly plan_type: 'development' | 'task';
  readonly story_driven: boolean;
}

/** The articles for this work, with their strength. */
export function articlesIn(
  work: Work,
  own: Readonly<Partial<Record<string, ArticleWord>>> = {},
): readonly HeldArticle[] {
  return ARTICLES.flatMap(({ holds, ...article }) => {
    const { number, strength } = article;
    const is_fixed = strength === 'hard';
    const word = !is_fixed && Object.hasOwn(own, number) ? own[number] : undefined;
    if (word === 'off' || (word === undefined && !isHeld(holds, work))) return [];
    const of_stories = holds === 'story_driven' || (holds === 'development' && word === undefined);
    return [{ ...article, is_fixed, of_stories, strength: word ?? strength }];
  });
}

function isHeld(holds: Article['holds'], { plan_type, story_driven }: Work): boolean {
  if (holds === 'always') return true;
  return plan_type === 'development' && (holds === 'development' || story_driven);
}

const REMINDERS = {
  story_not_kept: ['the story is not up to date', 'Tick its tasks and write Dev Notes'],
  relative_import: ['imports leave their folder', 'Import by the names that the project defines'],
  not_checked: ['only a reader can judge it', 'Look at the work itself'],
} as const;

/** An error only where a squad made an article hard that can be checked. */
export function reminder(
  code: keyof typeof REMINDERS,
  articles: readonly Pick<Article, 'number' | 'title' | 'strength'>[],
  at: Pick<ProblemInput, 'file' | 'line'> & { readonly found: string },
): Problem {
  const [message, fix] = REMINDERS[code];
  const isHard = code !== 'not_checked' && articles.some(({ strength }) => strength === 'hard');
  const names = articles.map((one) => `article ${one.number}, ${one.title} (${one.strength})`);
  const severity = isHard ? 'error' : 'warning';
  return problem({ code, severity, message: `${names.join('; ')}: ${message}`, fix, ...at });
}
