/**
 * The capabilities, in the order in which they join; the ledger is last, after all that write what it shows.
 * The only file that names them all.
 */
import { assumptions } from './assumptions/engine/capability.ts';
import { checkpoints } from './checkpoints/engine/capability.ts';
import { commits } from './commits/engine/capability.ts';
import { delegation } from './delegation/engine/capability.ts';
import { demo } from './demo/engine/capability.ts';
import { exchange } from './exchange/engine/capability.ts';
import { machines } from './machines/engine/capability.ts';
import { mcp } from './mcp/engine/capability.ts';
import { memory } from './memory/engine/capability.ts';
import { ledger } from './ledger/engine/capability.ts';
import { page } from './page/engine/capability.ts';
import { plans } from './plans/engine/follow/capability.ts';
import { router } from './router/engine/capability.ts';
import { sessions } from './sessions/engine/capability.ts';
import { squads } from './squads/engine/capability.ts';
import { stats } from './stats/engine/capability.ts';
import { teams } from './teams/engine/capability.ts';
import { workflows } from './workflows/engine/capability.ts';
import type { Capability, Shapes } from './workspace/tasks/capability.ts';

export const CAPABILITIES = [
  squads,
  checkpoints,
  plans,
  delegation,
  commits,
  workflows,
  teams,
  router,
  mcp,
  machines,
  exchange,
  memory,
  assumptions,
  sessions,
  stats,
  page,
  demo,
  ledger,
] as const satisfies readonly Capability<Shapes>[];
