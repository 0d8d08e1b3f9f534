type Write = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** The part of a structured logger that the catalog and the downloads use. */
export interface CatalogLog {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
}
