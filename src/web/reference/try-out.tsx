import { useEffect, useRef, useState } from 'preact/hooks';
import { formatBytes } from '../../words/format-bytes.ts';
import { messageOf, useWork } from '../state/polled.ts';
import { secrets, signIn } from '../state/session.ts';
import { Button, CopyButton } from '../ui/controls.tsx';
import { Field, FileInput, Form, Input, TextField } from '../ui/forms/fields.tsx';
import { saveFile } from '../ui/save-file.ts';
import { toWait } from '../words/formats.ts';
import type { Operation, Parameter, Schema } from './document.ts';
import { Unfolding } from './schema-fields.tsx';
import { texts } from './texts.ts';

type Kind = 'apiKey' | 'adminKey';

/** The kind of key that an operation needs; undefined: none. */
export const kindOfKey = ({ security }: Operation): Kind | undefined =>
  security.some((one) => Object.keys(one).length === 0)
    ? undefined
    : security.some((one) => 'adminKey' in one)
      ? 'adminKey'
      : 'apiKey';

const secretOf = (kind: Kind | undefined): string | undefined => {
  const { user, admin } = secrets.value;
  return kind === 'adminKey' ? admin : kind === 'apiKey' ? user : (user ?? admin);
};

/** Asks for the key that is lacking; `useIt` signs in with it. Throws where the server refuses it, or where it is of the other kind. */
function useKeyField(kind: Kind | undefined) {
  const [secret, setSecret] = useState('');
  const { problem, isBusy, act } = useWork();
  const isLacking = kind !== undefined && secretOf(kind) === undefined;
  const useIt = async () => {
    // A server may need none.
    if (!isLacking || secret.trim() === '') return;
    await signIn(secret.trim(), false);
    if (secretOf(kind) === undefined) throw new Error(texts.otherKey[kind]);
  };
  const field = isLacking && (
    <TextField
      label={texts.key[kind]}
      problem={problem}
      type="password"
      autocomplete="off"
      value={secret}
      onChange={setSecret}
    />
  );
  return { field, useIt, isBusy, act };
}

interface Shown {
  readonly told: string;
  readonly isFailed: boolean;
  readonly text?: string;
  readonly file?: Blob;
}

/** One request at a time, with its answer so far. */
function useSending() {
  const [shown, setShown] = useState<Shown>();
  const [isSending, setSending] = useState(false);
  const sending = useRef<AbortController>(undefined);
  const send = async (address: URL, request: RequestInit, key: string | undefined) => {
    const leaving = (sending.current = new AbortController());
    setSending(true);
    setShown(undefined);
    const headers = new Headers(key === undefined ? {} : { authorization: `Bearer ${key}` });
    if (typeof request.body === 'string') headers.set('content-type', 'application/json');
    try {
      for await (const next of answersOf(address, { ...request, headers, signal: leaving.signal }))
        setShown(next);
    } catch (error) {
      if (!leaving.signal.aborted) setShown({ told: messageOf(error), isFailed: true });
    }
    setSending(false);
  };
  return { shown, isSending, send, stop: () => sending.current?.abort() };
}

interface Props {
  readonly operation: Operation;
  /** Of the body of a form, by their names; undefined: the body is JSON, or there is none. */
  readonly fields: Readonly<Record<string, Schema>> | undefined;
}

const exampleOf = ({ requestBody }: Operation): string =>
  JSON.stringify(requestBody?.content['application/json']?.example ?? {}, undefined, 2);

/** Sends a request as it is written here, and shows the answer as it comes. */
export function TryOut({ operation, fields }: Props) {
  const { method, path, parameters, requestBody } = operation;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [files, setFiles] = useState<Readonly<Record<string, File>>>({});
  // Examples name other models once a key is there: a written body stays.
  const [written, setWritten] = useState<string>();
  const body = written ?? exampleOf(operation);
  const kind = kindOfKey(operation);
  const key = useKeyField(kind);
  const set = (name: string, value: string) => setValues({ ...values, [name]: value });
  const isJson = requestBody !== undefined && fields === undefined;
  const address = addressOf(path, parameters, values);
  const { shown, isSending, send, stop } = useSending();
  const request = () => ({
    method,
    body: isJson ? body : fields === undefined ? null : formOf(fields, values, files),
  });
  const sendWithKey = async () => {
    const asked = request();
    await key.useIt();
    void send(address, asked, secretOf(kind));
  };
  return (
    <>
      <Form onSend={() => void key.act(sendWithKey())}>
        {key.field}
        {parameters.map(({ name, required }) => (
          <TextField
            key={name}
            label={name}
            required={required}
            value={values[name] ?? ''}
            onChange={(value) => set(name, value)}
          />
        ))}
        {Object.entries(fields ?? {}).map(([name, field]) => (
          <Field key={name} label={name}>
            {field.format === 'binary' ? (
              <FileInput onFiles={([file]) => file && setFiles({ ...files, [name]: file })} />
            ) : (
              <Input value={values[name] ?? exampleText(field)} onChange={(value) => set(name, value)} />
            )}
          </Field>
        ))}
        {isJson && <BodyField value={body} onChange={setWritten} />}
        <div class="actions">
          <Button type="submit" class="primary" disabled={isSending || key.isBusy} text={texts.send} />
          {isSending && <Button text={texts.stop} onClick={stop} />}
        </div>
      </Form>
      <Unfolding class="curl" title={texts.curl}>
        {() => <Curl text={curlOf(operation, address, isJson ? body : undefined)} />}
      </Unfolding>
      {shown !== undefined && <ShownAnswer {...shown} />}
    </>
  );
}

const BodyField = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => (
  <Field label={texts.body}>
    <textarea
      class="code"
      rows={Math.min(20, value.split('\n').length + 1)}
      spellcheck={false}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  </Field>
);

const Curl = ({ text }: { text: string }) => (
  <>
    <pre tabindex={0}>{text}</pre>
    <CopyButton label={texts.copyCurl} text={text} />
  </>
);

function ShownAnswer({ told, isFailed, text = '', file }: Shown) {
  const end = useRef<HTMLDivElement>(null);
  // The button that sends is at the lower edge of many windows.
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [told]);
  return (
    <div class="answer" ref={end}>
      <output class={isFailed ? 'failed' : 'quiet'}>{told}</output>
      {text !== '' && (
        <>
          <pre tabindex={0}>{text}</pre>
          <CopyButton label={texts.copyAnswer} text={text} />
        </>
      )}
      {file !== undefined && (
        <Button
          icon="save"
          text={texts.save(formatBytes(file.size), file.type)}
          onClick={() => saveFile(`answer.${file.type.split(/[/;]/)[1] ?? 'bin'}`, file)}
        />
      )}
    </div>
  );
}

/** The text of a form's field that nobody has written in. */
const exampleText = ({ examples }: Schema): string => String(examples?.[0] ?? '');

function addressOf(
  path: string,
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
): URL {
  const given = parameters.filter(({ name }) => (values[name] ?? '') !== '');
  const filled = given
    .filter((one) => one.in === 'path')
    .reduce((all, { name }) => all.replace(`{${name}}`, encodeURIComponent(values[name] ?? '')), path);
  const url = new URL(filled.slice(1), document.baseURI);
  for (const one of given) if (one.in === 'query') url.searchParams.set(one.name, values[one.name] ?? '');
  return url;
}

function formOf(
  fields: NonNullable<Props['fields']>,
  values: Readonly<Record<string, string>>,
  files: Readonly<Record<string, File>>,
): FormData {
  const form = new FormData();
  for (const [name, field] of Object.entries(fields)) {
    const value = files[name] ?? values[name] ?? exampleText(field);
    if (value !== '') form.set(name, value);
  }
  return form;
}

/** The answer to a request as it grows, text as text and anything else as a file. */
async function* answersOf(address: URL, request: RequestInit): AsyncGenerator<Shown> {
  const beganMs = performance.now();
  const response = await fetch(address, request);
  const told = texts.took(
    `${response.status} ${response.statusText}`.trim(),
    toWait(performance.now() - beganMs),
  );
  const shown = { told, isFailed: !response.ok };
  const type = response.headers.get('content-type') ?? '';
  if (type !== '' && !/json|text|javascript|xml/.test(type)) {
    yield { ...shown, file: await response.blob() };
    return;
  }
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
    yield { ...shown, text: (text += part) };
  yield { ...shown, text: type.startsWith('application/json') ? indented(text) : text };
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}

function curlOf(operation: Operation, address: URL, body: string | undefined): string {
  const kind = kindOfKey(operation);
  const { method } = operation;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${address.href}'`,
    kind !== undefined &&
      `-H "Authorization: Bearer $${kind === 'adminKey' ? 'HEARTH_ADMIN_KEY' : 'OPENAI_API_KEY'}"`,
    body !== undefined &&
      `-H 'Content-Type: application/json' -d '${body.replaceAll("'", String.raw`'\''`)}'`,
  ]
    .filter(Boolean)
    .join(' \\\n  ');
}
