import { useContext, useEffect, useState } from 'preact/hooks';
import { sendForJson } from '../api/request.ts';
import { usePolled } from '../state/polled.ts';
import { routeParts } from '../state/route.ts';
import { secrets } from '../state/session.ts';
import { Progress } from '../ui/progress.tsx';
import { SearchBox } from '../ui/forms/fields.tsx';
import { InnerTable } from '../ui/tables/table.tsx';
import { operationsIn, resolved, type ApiDocument, type Operation } from './document.ts';
import { FieldRow, Schemas, SchemaFields, Unfolding, Words } from './schema-fields.tsx';
import { kindOfKey, TryOut } from './try-out.tsx';
import { texts } from './texts.ts';
import './reference.css';

/** All routes by their groups, to be read and tried; with a key the examples name models that it may use. */
export function Reference() {
  const { user, admin } = secrets.value;
  const loaded = usePolled(
    () => sendForJson<ApiDocument>('openapi.json', { key: user ?? admin }),
    [user, admin],
  );
  const [sought, setSought] = useState('');
  useEffect(() => {
    document.title = `${texts.title} · hearth`;
  }, []);
  return (
    <div class="reference">
      <header>
        <a class="home" href="./">
          <img src="./icon.svg" alt="" width="24" height="24" /> hearth
        </a>
        <a href="docs/pages">{texts.handbook}</a>
        <a href="docs" aria-current="page">
          {texts.title}
        </a>
        <span class="spacer" />
        <SearchBox label={texts.filter} value={sought} onChange={setSought} />
      </header>
      <Progress of={loaded} />
      {loaded.value !== undefined && <Groups document={loaded.value} sought={sought} />}
    </div>
  );
}

function Groups({ document: api, sought }: { document: ApiDocument; sought: string }) {
  const words = sought.toLowerCase().split(/\s+/);
  const operations = operationsIn(api).filter(({ method, path, summary, description = '', tags }) => {
    const text = `${method} ${path} ${summary} ${description} ${tags.join(' ')}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const groups = api.tags
    .map((tag) => ({ ...tag, own: operations.filter(({ tags }) => tags.includes(tag.name)) }))
    .filter(({ own }) => own.length > 0);
  const [group = '', operation] = routeParts.value;
  // The group that was gone to last, or whose route was opened.
  const [at, setAt] = useState(group);
  const { user, admin } = secrets.value;
  const [lead = '', rules = ''] = api.info.description.split('\n\n');
  useEffect(() => {
    document.getElementById(operation ?? group)?.scrollIntoView();
    setAt(group);
  }, [group, operation]);
  return (
    <Schemas.Provider value={api.components.schemas}>
      <div class="body">
        <nav aria-label={texts.groups}>
          {groups.map(({ name, own }) => (
            <a key={name} href={`#/${name}`} aria-current={name === at ? 'true' : undefined}>
              {name} <span class="quiet">{own.length}</span>
            </a>
          ))}
        </nav>
        <main id="main">
          <h1>
            {texts.title} <small>{api.info.version}</small>
          </h1>
          <p>
            {lead} {texts.signedIn[user && admin ? 'both' : user ? 'user' : admin ? 'admin' : 'none']}
          </p>
          <Unfolding title={texts.rules}>
            {() => (
              <p>
                <Words text={rules} />
              </p>
            )}
          </Unfolding>
          {groups.length === 0 && <p class="quiet">{texts.none}</p>}
          {groups.map(({ name, description, own }) => (
            <section key={name} id={name}>
              <h2>{name}</h2>
              <p class="quiet">
                <Words text={description} />
              </p>
              <Rows of={own} isSought={name === group || sought.trim() !== ''} onOpen={() => setAt(name)} />
            </section>
          ))}
        </main>
      </div>
    </Schemas.Provider>
  );
}

interface RowsProps {
  readonly of: readonly Operation[];
  readonly isSought: boolean;
  readonly onOpen: () => void;
}

/** The routes of a group; folded where none of them takes the person's key, unless the group is what they look for. */
function Rows({ of: operations, isSought, onOpen }: RowsProps) {
  const { user, admin } = secrets.value;
  const isForOthers =
    user !== undefined && admin === undefined && operations.every((one) => kindOfKey(one) === 'adminKey');
  const rows = () => (
    <div class="card">
      {operations.map((one) => (
        <Row key={one.operationId} operation={one} onOpen={onOpen} />
      ))}
    </div>
  );
  if (!isForOthers) return rows();
  return (
    <Unfolding title={texts.forOperators(operations.length)} isOpen={isSought}>
      {rows}
    </Unfolding>
  );
}

/** A route in a line; unfolded, all of it. */
function Row({ operation, onOpen }: { operation: Operation; onOpen: () => void }) {
  const { operationId: id, method, path, summary, tags } = operation;
  return (
    <Unfolding
      id={id}
      class="route"
      isOpen={routeParts.value[1] === id}
      onOpen={() => {
        history.replaceState(null, '', `#/${tags[0]}/${id}`);
        onOpen();
      }}
      title={
        <>
          <b class={`method ${method.toLowerCase()}`}>{method}</b> <code>{path}</code> <span>{summary}</span>
        </>
      }
    >
      {() => <Whole operation={operation} />}
    </Unfolding>
  );
}

function Whole({ operation }: { operation: Operation }) {
  const schemas = useContext(Schemas);
  const { description, parameters, requestBody, responses } = operation;
  const [[mediaType, body] = []] = Object.entries(requestBody?.content ?? {});
  const isForm = mediaType === 'multipart/form-data';
  return (
    <div class="whole">
      {description !== undefined && (
        <p>
          <Words text={description} />
        </p>
      )}
      <p class="quiet">{texts.needs[kindOfKey(operation) ?? 'none']}</p>
      {parameters.length > 0 && <Parameters parameters={parameters} />}
      {body?.schema !== undefined && (
        <Unfolding title={texts.bodyFields}>{() => <SchemaFields schema={body.schema ?? {}} />}</Unfolding>
      )}
      <h3>{texts.try}</h3>
      <TryOut
        operation={operation}
        fields={isForm ? resolved(body?.schema ?? {}, schemas).properties : undefined}
      />
      <h3>{texts.answers}</h3>
      <Answers responses={responses} />
    </div>
  );
}

const Parameters = ({ parameters }: Pick<Operation, 'parameters'>) => (
  <>
    <h3>{texts.parameters}</h3>
    <dl class="schema">
      {parameters.map(({ required, ...parameter }) => (
        <FieldRow key={parameter.name} {...parameter} isRequired={required} />
      ))}
    </dl>
  </>
);

/** The statuses; unfolded, the bodies of those without error. */
const Answers = ({ responses }: Pick<Operation, 'responses'>) => (
  <InnerTable class="wraps answers">
    {Object.entries(responses).map(([status, answer]) => (
      <tr key={status}>
        <th scope="row">{status}</th>
        <td>
          <Words text={answer.description} />
          {Number(status) < 300 &&
            Object.entries(answer.content ?? {}).map(
              ([type, { schema }]) =>
                schema !== undefined && (
                  <Unfolding key={type} title={<code>{type}</code>}>
                    {() => <SchemaFields schema={schema} />}
                  </Unfolding>
                ),
            )}
        </td>
      </tr>
    ))}
  </InnerTable>
);
