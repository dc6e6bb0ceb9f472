/** plan.md as people and planning agents write it: a table of formats, each with what it must mean. */
import { describe, expect, it } from 'vitest';
import type { PlanDocument } from '../../src/core/plan-document.ts';
import { parsePlan } from '../../src/text/plan.ts';

function planOf(text: string): PlanDocument {
  const read = parsePlan(text, 'plan.md');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

describe('the plan of a campaign', () => {
  const text = `# Plan: Holiday Marketing Campaign
Squad: marketing
Contract Type: campaign

## Tasks

- [ ] **Research competitors** (executor: @analyst, verify: report-exists)
- [ ] **Create brand guidelines** (executor: @brand-chief, verify: checklist)
- [ ] **Write copy for 3 channels** (executor: @copywriter, verify: @brand-reviewer)
- [ ] **Design visual assets** (executor: @designer, verify: @brand-reviewer)
- [ ] **Create distribution plan** (executor: @traffic-master, verify: checklist)
`;

  it('is read as it stands', () => {
    const plan = planOf(text);
    expect(plan).toMatchObject({
      title: 'Holiday Marketing Campaign',
      squad: 'marketing',
      contract_type: 'campaign',
      objective: '',
      waves: [],
      warnings: [],
    });
    expect(
      plan.items.map(({ key, title, executors, verify }) => [key, title, executors, verify]),
    ).toEqual([
      ['research-competitors', 'Research competitors', ['analyst'], ['report-exists']],
      ['create-brand-guidelines', 'Create brand guidelines', ['brand-chief'], ['checklist']],
      [
        'write-copy-for-3-channels',
        'Write copy for 3 channels',
        ['copywriter'],
        ['@brand-reviewer'],
      ],
      ['design-visual-assets', 'Design visual assets', ['designer'], ['@brand-reviewer']],
      ['create-distribution-plan', 'Create distribution plan', ['traffic-master'], ['checklist']],
    ]);
  });
});
