/** Patterns of the string formats that can be generated. Each matches all texts of the format or some, never others. */

const seg = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
const label = '[a-z0-9]+(?:-[a-z0-9]+)*';
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const host = `${label}(?:\\.${label})*`;
const tail = `(?:\\?(?:${seg}|[/?])*)?(?:#(?:${seg}|[/?])*)?`;
const uri = `[a-z][a-z0-9+.-]*:(?://${host}(?::[0-9]{1,5})?(?:/${seg}*)*|${seg}+(?:/${seg}*)*)${tail}`;
const webUrl = `https?://(?:${label}\\.)+[a-z]{2,}(?::[0-9]{2,5})?(?:(?:/${seg}*)+${tail})?`;
const reference = `(?:${uri}|/(?:${seg}+(?:/${seg}*)*)?${tail}|[A-Za-z0-9._~-]+(?:/${seg}*)*${tail})`;

const shortDays = '(?:0[1-9]|1[0-9]|2[0-8])';
const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[048]|[2468][048]|[13579][26])00)';
const date =
  `(?:[0-9]{4}-(?:(?:0[1-9]|1[0-2])-${shortDays}|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)` +
  `|${leapYear}-02-29)`;
const hour = '(?:[01][0-9]|2[0-3])';
const clock = `${hour}:[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?`;
const zone = `(?:Z|[+-]${hour}:[0-5][0-9])`;
const time = `${clock}${zone}`;

const number = '[0-9]{1,9}';
// No unit is left out between two others, as RFC 3339 has it.
const seconds = `(?:${number}S)`;
const minutes = `(?:${number}M${seconds}?)`;
const clockDuration = `T(?:${number}H${minutes}?|${minutes}|${seconds})`;
const days = `(?:${number}D)`;
const months = `(?:${number}M${days}?)`;
const dateDuration = `(?:${number}Y${months}?|${months}|${days})`;
const hex = '[0-9a-fA-F]';
const group = '[0-9a-f]{1,4}';
const groups = (count: number) => `(?::${group}){${count}}`;
const ipv6 = [
  `(?:${group}:){7}${group}`,
  ...[1, 2, 3, 4, 5, 6].map(
    (head) => `${group}${head > 1 ? groups(head - 1) : ''}:(?:(?::${group}){1,${7 - head}}|:)`,
  ),
  `::(?:${group}(?::${group}){0,5})?`,
  `::ffff:${octet}(?:\\.${octet}){3}`,
].join('|');

const uuid = (digit: number) => `^${hex}{8}-${hex}{4}-${digit}${hex}{3}-[89ab]${hex}{3}-${hex}{12}$`;
const natural = '(?:0|[1-9][0-9]{0,8})';
const version = `${natural}\\.${natural}\\.${natural}`;

const formatPatterns: ReadonlyMap<string, string> = new Map([
  ['date', `^${date}$`],
  ['time', `^${time}$`],
  ['date-time', `^${date}T${time}$`],
  ['iso-time', `^${clock}${zone}?$`],
  ['iso-date-time', `^${date}T${clock}${zone}?$`],
  ['duration', `^P(?:${dateDuration}(?:${clockDuration})?|${clockDuration}|${number}W)$`],
  ['email', `^[A-Za-z0-9_+-]+(?:\\.[A-Za-z0-9_+-]+)*@(?:${label}\\.)+[a-z]{2,}$`],
  ['hostname', `^(?=.{1,60}$)${label}(?:\\.${label})*$`],
  ['ipv4', `^${octet}(?:\\.${octet}){3}$`],
  ['ipv6', `^(?:${ipv6})$`],
  ['uuid', `^${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}$`],
  ['uri', `^${uri}$`],
  ['url', `^${webUrl}$`],
  ['uri-reference', `^${reference}$`],
  ['uri-template', `^(?:${uri.replaceAll("'", '')}|(?:/(?:[A-Za-z0-9._~-]|\\{[A-Za-z0-9_]+\\})*)+)$`],
  ['json-pointer', '^(?:/(?:[^~/]|~[01])*)*$'],
  ['json-pointer-uri-fragment', "^#(?:/(?:[A-Za-z0-9_.!$&'()*+,;:=@-]|~[01])*)*$"],
  ['relative-json-pointer', '^(?:0|[1-9][0-9]{0,8})(?:#|(?:/(?:[^~/]|~[01])*)*)$'],
  ['byte', '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'],
  // Plain characters, classes and repetitions, which are always a valid regular expression.
  ['regex', '^\\^?(?:(?:[A-Za-z0-9 _/:@#-]|\\.|\\\\[dws.])[*+?]?)*\\$?$'],
  ...[1, 3, 4, 5, 6, 7].map((digit) => [`uuid${digit}`, uuid(digit)] as const),
  ['base64url', '^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?$'],
  ['jwt', '^eyJ[A-Za-z0-9_-]{8,200}\\.eyJ[A-Za-z0-9_-]{8,400}\\.[A-Za-z0-9_-]{20,400}$'],
  ['cidrv4', `^${octet}(?:\\.${octet}){3}/(?:[12]?[0-9]|3[0-2])$`],
  ['phone', '^\\+[1-9][0-9]{6,14}$'],
  ['color', `^#${hex}{6}$`],
  ['semver', `^${version}(?:-${label}(?:\\.[a-z][a-z0-9-]*)*)?$`],
  ['ulid', '^[0-7][0-9A-HJKMNP-TV-Z]{25}$'],
  ['cuid', '^c[a-z0-9]{24}$'],
  ['cuid2', '^[a-z][a-z0-9]{23}$'],
  ['nanoid', '^[A-Za-z0-9_-]{21}$'],
  ['objectid', '^[0-9a-f]{24}$'],
  ['year', '^[0-9]{4}$'],
  ['year-month', '^[0-9]{4}-(?:0[1-9]|1[0-2])$'],
]);

const anyDate = '[0-9]{4}-[0-9]{2}-[0-9]{2}';

/** Patterns that every text of a format matches, for all validators: a text that does not is not of the format. */
export const formatSupersets: ReadonlyMap<string, string> = new Map([
  ['date', `^${anyDate}$`],
  ['time', '^[0-9]{2}:[0-9]{2}'],
  ['date-time', `^${anyDate}[tT\\s]`],
  ['duration', '^[+-]?[pP]'],
  ['email', '@'],
  ['hostname', '^[\\w.-]*$'],
  ['idn-email', '@'],
  ['ipv4', '^[0-9.]+$'],
  ['ipv6', ':'],
  ['uuid', '-'],
  ['uri', ':'],
  ['url', ':'],
  ['iri', ':'],
  ['json-pointer', '^(?:$|/)'],
]);

/** Other names of formats, with the name that is used here. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['iri', 'uri'],
  ['iri-reference', 'uri-reference'],
  ['idn-email', 'email'],
  ['idn-hostname', 'hostname'],
  ['e164', 'phone'],
  ['ip-address', 'ipv4'],
  ['host-name', 'hostname'],
  ['datetime', 'date-time'],
  ['date-time-rfc3339', 'date-time'],
  ['rfc3339', 'date-time'],
  ['guid', 'uuid'],
  ['uri-fragment', 'json-pointer-uri-fragment'],
  ['http-url', 'url'],
  ['base64', 'byte'],
  ['phone-number', 'phone'],
  ['tel', 'phone'],
  ['bson-objectid', 'objectid'],
  ['object-id', 'objectid'],
  ['color-hex', 'color'],
  ['ipvanyaddress', 'ipv4'],
  ['ip', 'ipv4'],
]);

/** The pattern of the string format `format`; undefined for other formats, which restrict no strings. */
export const patternOfFormat = (format: string): string | undefined =>
  formatPatterns.get(otherNames.get(format) ?? format);

/** Formats of OpenAPI and of form editors that any string or number satisfies. */
const freeFormats: ReadonlySet<string> = new Set(
  (
    'float double decimal binary password textarea text string multiline multi-line markdown html code path file-path directory-path ' +
    'commonmark plain-text richtext'
  ).split(' '),
);

/** Formats of whole numbers in OpenAPI, with their bounds. */
export const wholeNumberFormats: ReadonlyMap<string, { readonly min: number; readonly max: number }> =
  new Map([
    ['int8', { min: -128, max: 127 }],
    ['uint8', { min: 0, max: 255 }],
    ['int16', { min: -32_768, max: 32_767 }],
    ['uint16', { min: 0, max: 65_535 }],
    ['int32', { min: -(2 ** 31), max: 2 ** 31 - 1 }],
    ['uint32', { min: 0, max: 2 ** 32 - 1 }],
    ['int64', { min: -Infinity, max: Infinity }],
    ['uint64', { min: 0, max: Infinity }],
    ['int', { min: -Infinity, max: Infinity }],
    ['uint', { min: 0, max: Infinity }],
  ]);

/** Whether it is known what `format` allows. */
export const isKnownFormat = (format: string): boolean =>
  patternOfFormat(format) !== undefined || freeFormats.has(format) || wholeNumberFormats.has(format);
