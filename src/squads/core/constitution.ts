/**
 * The articles of the constitution as data: what each asks, how strictly, and in which work it holds.
 * A squad may make one stricter or weaker; who may do what and that work is approved before it is
 * done are hard everywhere, whatever a squad says. Pure data.
 */
import { STRENGTHS, type Strength } from '../../task/core/model/permissions.ts';

export interface Article {
  readonly number: string;
  readonly title: string;
  readonly strength: Strength;
  /** One sentence for who works under it. */
  readonly says: string;
  /** `always`, or only in work of that kind. */
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
    title: 'Agent Authority',
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

/** What a squad can say of an article; `off`: it does not hold there. */
export const ARTICLE_WORDS = [...STRENGTHS, 'off'] as const;
type ArticleWord = (typeof ARTICLE_WORDS)[number];

export interface HeldArticle extends Omit<Article, 'holds'> {
  /** It is hard everywhere. */
  readonly is_fixed: boolean;
}

interface Work {
  readonly plan_type: 'development' | 'task';
  readonly story_driven: boolean;
}

/** Those that hold in this work, with the strength that they have there. */
export function articlesIn(
  work: Work,
  said: Readonly<Partial<Record<string, ArticleWord>>> = {},
): readonly HeldArticle[] {
  return ARTICLES.flatMap(({ holds, ...article }) => {
    const { number, strength } = article;
    const is_fixed = strength === 'hard';
    const word = !is_fixed && Object.hasOwn(said, number) ? said[number] : undefined;
    if (word === 'off' || (word === undefined && !isHeld(holds, work))) return [];
    return [{ ...article, is_fixed, strength: word ?? strength }];
  });
}

function isHeld(holds: Article['holds'], { plan_type, story_driven }: Work): boolean {
  if (holds === 'always') return true;
  return plan_type === 'development' && (holds === 'development' || story_driven);
}
