import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { objectsIn, typeOf, type ApiDocument, type Schema } from './document.ts';
import { texts } from './texts.ts';

export const Schemas = createContext<ApiDocument['components']['schemas']>({});

/** A sentence of the document, which has code between backticks. */
export const Words = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>
);

interface UnfoldingProps {
  readonly title: ComponentChildren;
  readonly id?: string;
  readonly class?: string;
  readonly isOpen?: boolean;
  readonly onOpen?: () => void;
  readonly children: () => ComponentChildren;
}

/** Content that is made only once it is unfolded: schemas have no end where they refer to themselves. */
export function Unfolding({ title, isOpen = false, onOpen, children, ...rest }: UnfoldingProps) {
  const [isShown, setShown] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setShown(true);
  }, [isOpen]);
  return (
    <details
      {...rest}
      open={isShown}
      onToggle={({ currentTarget }) => {
        setShown(currentTarget.open);
        if (currentTarget.open) onOpen?.();
      }}
    >
      <summary>{title}</summary>
      {isShown && children()}
    </details>
  );
}

/** The fields of the objects that a value of `schema` may be; without a field, its type. */
export function SchemaFields({ schema }: { schema: Schema }) {
  const schemas = useContext(Schemas);
  const objects = objectsIn(schema, schemas);
  if (objects.length === 0) return <p class="quiet">{typeOf(schema, schemas)}</p>;
  return (
    <>
      {objects.map((one, index) =>
        objects.length === 1 ? (
          <Fields key={index} of={one} />
        ) : (
          <Unfolding key={index} title={texts.variant(nameOf(one, index))}>
            {() => <Fields of={one} />}
          </Unfolding>
        ),
      )}
    </>
  );
}

/** The name of a schema by a field that tells it from the others, such as its type. */
function nameOf({ properties = {} }: Schema, index: number): string {
  const [, told] = Object.entries(properties).find(([, field]) => typeof field.const === 'string') ?? [];
  return typeof told?.const === 'string' ? told.const : String(index + 1);
}

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  /** In place of that of the schema. */
  readonly description?: string | undefined;
  readonly isRequired: boolean;
  readonly children?: ComponentChildren;
}

/** The name, the type and the words of a field or parameter. */
export function FieldRow({
  name,
  schema,
  description = schema.description,
  isRequired,
  children,
}: FieldProps) {
  const schemas = useContext(Schemas);
  return (
    <div>
      <dt>
        <code>{name}</code> <span class="quiet">{typeOf(schema, schemas)}</span>{' '}
        {isRequired && <span class="state">{texts.required}</span>}
      </dt>
      <dd>
        {description !== undefined && <Words text={description} />}
        {children}
      </dd>
    </div>
  );
}

function Fields({ of: { properties = {}, required = [] } }: { of: Schema }) {
  const schemas = useContext(Schemas);
  return (
    <dl class="schema">
      {Object.entries(properties).map(([name, field]) => (
        <FieldRow key={name} name={name} schema={field} isRequired={required.includes(name)}>
          {objectsIn(field, schemas).length > 0 && (
            <Unfolding title={texts.fields}>{() => <SchemaFields schema={field} />}</Unfolding>
          )}
        </FieldRow>
      ))}
    </dl>
  );
}
