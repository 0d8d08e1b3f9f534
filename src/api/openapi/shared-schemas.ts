// Schemas that the descriptions of several routes share.
import { z } from 'zod';
import { budgetPeriods } from '../../accounts/budgets/calendar.ts';
import { budgetMeasureNames } from '../../accounts/budgets/budget.ts';

export const count = z.int().min(0);
export const time = count.describe('Unix seconds.');

export const budget = z.strictObject({
  measure: z.enum(budgetMeasureNames),
  period: z.enum(budgetPeriods).describe("After which it begins anew, in the server's time zone."),
  limit: z.number().min(0),
  used: z.number(),
  left: z.number().describe('Below 0 where more was used.'),
  resets_at: time.nullable().describe('Unix seconds; null: never.'),
  of_plan: z.boolean().describe("It comes with the account's plan."),
});

export const listOf = <Item extends z.ZodType>(item: Item) => ({
  object: z.literal('list'),
  data: z.array(item),
});
