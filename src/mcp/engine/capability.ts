/** An MCP server: tasks in the hands of an agent that works for a person. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { MCP } from '../cli/verbs.ts';

export const mcp: Capability = { name: 'mcp', verbs: [MCP] };
