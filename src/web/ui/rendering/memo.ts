import { Component, createElement, type FunctionComponent } from 'preact';

type IsSame<Props> = (old: Props, next: Props) => boolean;

/** Whether two objects have the same under each name. */
const isEqual = <Props extends object>(old: Props, next: Props): boolean =>
  (Object.keys(next) as (keyof Props)[]).every((name) => old[name] === next[name]);

/** `View`, made anew only when its properties are others. */
export const memo = <Props extends object>(View: FunctionComponent<Props>, isSame: IsSame<Props> = isEqual) =>
  class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return !isSame(this.props, next);
    }
    override render() {
      return createElement(View, this.props);
    }
  };
