/** Figures with their names, side by side. */
export const FigureRow = ({ figures }: { figures: readonly (readonly [name: string, value: string])[] }) => (
  <dl class="figures-row">
    {figures.map(([name, value]) => (
      <div key={name}>
        <dt class="quiet">{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
