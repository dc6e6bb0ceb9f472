/** What happens next with one task, as a value. */
import type { action } from '../lines/shared-lines.ts';
import type { ShapeOf } from '../lines/line-types.ts';

export type Action = Exclude<ShapeOf<typeof action>, { kind: 'archive' | 'merge' }>;

export type Wait = Extract<Action, { kind: 'wait' }>;
