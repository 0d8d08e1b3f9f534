import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';

/** Formats that ajv-formats does not have; what is generated for them is a part of one that it has. */
const otherFormats: Readonly<Record<string, string>> = {
  iri: 'uri',
  'iri-reference': 'uri-reference',
  'idn-email': 'email',
  'idn-hostname': 'hostname',
};
const numberFormats = ['int8', 'uint8', 'int16', 'uint16', 'uint32', 'uint64', 'int', 'uint', 'decimal'];

/** A validator for `schema`, by ajv with formats. 2019-09 reads the older drafts' arrays of items as well. */
export function jsonValidator(schema: unknown): (value: unknown) => boolean {
  const text = JSON.stringify(schema);
  const isNew = text.includes('"prefixItems"') || text.includes('2020-12');
  const options = {
    strict: false,
    validateSchema: false,
    logger: false,
    unicodeRegExp: !needsPlainRegExp(text),
  } as const;
  const ajv = isNew ? new Ajv2020(options) : new Ajv2019(options);
  formats.default.default(ajv);
  for (const [name, known] of Object.entries(otherFormats)) {
    ajv.addFormat(name, formats.default.default.get(known as 'uri'));
  }
  for (const name of numberFormats) ajv.addFormat(name, { type: 'number', validate: () => true });
  ajv.addFormat('textarea', true);
  // ajv would want the meta-schema of the draft that is named.
  const plain: unknown = JSON.parse(text, function (this: unknown, key: string, value: unknown) {
    return key === '$schema' && typeof value === 'string' ? undefined : value;
  });
  return ajv.compile(plain as object);
}

/** Whether a pattern has an escape such as `\+` in a class, which is an error with the flag u. */
const needsPlainRegExp = (text: string): boolean => /\[[^\]]*\\\\[+=_@:%,;&]/.test(text);
