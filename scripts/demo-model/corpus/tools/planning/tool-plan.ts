import type { Choices } from '../../text/choices.ts';
import { type Value, writeValue } from '../../text/values.ts';
import { planComposedTool, planNonsenseTool } from './composed-tools.ts';
import { planFamiliarTool, planFamilyTool } from './known-tools.ts';
import { isHeldOut, type ToolPlan } from './planned-tool.ts';
import { drawComposition } from './tool-trades.ts';

/** A random tool: composed from a verb and a noun, of a family, one that people often try, or a nonsense one. */
export function planTool(choices: Choices): ToolPlan {
  const plan = choices.weighted([
    [(one: Choices) => planComposedTool(one, drawComposition(one)), 52],
    [planFamilyTool, 26],
    [planFamiliarTool, 15],
    [planNonsenseTool, 7],
  ])(choices);
  return isHeldOut(plan) ? planTool(choices) : plan;
}

/** A tool that people try first, or of a family. */
export function planUsualTool(choices: Choices): ToolPlan {
  const plan = (choices.chance(0.6) ? planFamiliarTool : planFamilyTool)(choices);
  return isHeldOut(plan) ? planUsualTool(choices) : plan;
}

/** Values for the parameters, in their order, no two the same; of the optional ones only some, or those named. */
export function drawArguments(
  choices: Choices,
  plan: ToolPlan,
  named?: readonly string[],
): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const { key, role, slot, required, values: options } of plan.parameters) {
    const isLeft =
      named === undefined
        ? !required && choices.chance(plan.wording.kind === 'familiar' ? 0.7 : 0.4)
        : !named.includes(role ?? key);
    if (isLeft) continue;
    const draw = (): Value =>
      options === undefined ? writeValue(choices, slot.kind) : choices.pick(options);
    const value = draw();
    values[key] = Object.values(values).includes(value) ? draw() : value;
  }
  return values;
}
