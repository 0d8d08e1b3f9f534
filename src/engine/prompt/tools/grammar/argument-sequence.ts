import type { RuleSet } from './grammar-texts.ts';

/** One argument: the name of its rule, and whether it has to be there. */
export interface SequenceMember {
  readonly rule: string;
  readonly required: boolean;
}

/** With this many arguments none can come twice; with more, which take a rule for each set of them, optional ones can. */
const mostOnce = 4;
/** The most required arguments that may come in any order. */
const mostInAnyOrder = 6;

/** Grammar text for arguments in any order, all required ones among them. What comes twice counts once when it is read. */
export function sequenceOf(
  list: readonly SequenceMember[],
  separator: string,
  rules: RuleSet,
  prefix: string,
): string {
  const isCounted = list.length <= mostOnce;
  const counted = list.filter(({ required }) => isCounted || required);
  const others = list.filter(({ required }) => !isCounted && !required);
  const inOrder = counted.length > mostInAnyOrder;
  const any =
    others.length > 0 ? rules.define(`${prefix}other`, others.map(({ rule }) => rule).join(' | ')) : '';
  const next = rules.define('next-argument', separator);
  const written = new Set<string>();
  /** The name of the rule for what may follow while `left` are still to come; '' for nothing. */
  const more = (left: readonly SequenceMember[]): string => {
    if (left.length === 0 && any === '') return '';
    const name = `${prefix}more-${left.reduce((set, member) => set + 2 ** counted.indexOf(member), 0)}`;
    if (written.has(name)) return name;
    written.add(name);
    const repeated = any === '' ? '' : `(${next} ${any}){0,${others.length}}`;
    const options = first(left).map((one) => `${next} ${one}`);
    const rest = options.length === 0 ? '' : `(${options.join(' | ')})${left.some(isRequired) ? '' : '?'}`;
    rules.define(name, `${repeated} ${rest}`.trim());
    return name;
  };
  const first = (left: readonly SequenceMember[]) =>
    left
      .slice(0, inOrder ? 1 : left.length)
      .map((member) => `${member.rule} ${more(left.filter((other) => other !== member))}`.trim());
  const begins = [...first(counted), ...(any === '' ? [] : [`${any} ${more(counted)}`])];
  return begins.length === 0 ? '""' : `(${begins.join(' | ')})${list.some(isRequired) ? '' : '?'}`;
}

const isRequired = ({ required }: SequenceMember) => required;
