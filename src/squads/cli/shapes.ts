/** What squads add to the shapes that the package ships (src/cli/schema/schemas.ts). */
import type { LineData } from '../../cli/schema/all-lines.ts';
import type { MoreShapes } from '../../cli/schema/schemas.ts';
import { SQUAD_LINES } from '../core/squad-lines.ts';
import { squadSchema } from '../core/squad-schema.ts';

declare module '../../cli/schema/all-lines.ts' {
  interface LineShapes {
    readonly squads: typeof SQUAD_LINES;
  }
}

export type SquadRow = LineData<'squad'>;
export type SquadStory = LineData<'squad_story'>;

export const shapes: MoreShapes = {
  lines: SQUAD_LINES,
  schemas: { squad: { shape: squadSchema(), says: 'SQUAD.yaml of a squad' } },
};
