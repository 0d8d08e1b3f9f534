/** Facts of this process, as Node.js reports them. */
interface ProcessReport {
  /** glibcVersionRuntime: undefined where the C library is another one. */
  readonly header: { readonly glibcVersionRuntime?: string };
  /** Files of all libraries that are loaded. */
  readonly sharedObjects: readonly string[];
}

/** The report of this moment. */
export function processReport(): ProcessReport {
  const { report } = process;
  // Otherwise the report would look up the host names of all connections.
  Reflect.set(report, 'excludeNetwork', true);
  return report.getReport() as unknown as ProcessReport;
}
