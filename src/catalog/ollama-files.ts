import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A manifest has a few lines. */
const mostManifestBytes = 2 ** 20;
const mostManifests = 5000;
const layer = /^application\/vnd\.ollama\.image\.(model|projector)$/;

/**
 * The files of models that Ollama pulled into `folder`, where they are called by their hashes, with the names that Ollama
 * gives them: `qwen3:0.6b`. What is no manifest is left out; none where there is no folder of them.
 */
export function ollamaFiles(folder: string): readonly { readonly path: string; readonly name: string }[] {
  const manifests = join(folder, 'manifests');
  return namesIn(manifests).flatMap((path) => {
    // The registry, the owner, the model and its tag.
    const [registry = '', owner, model, tag] = path.split(/[/\\]/);
    if (tag === undefined) return [];
    const place = [registry.replace('registry.ollama.ai', ''), owner?.replace(/^library$/, ''), model];
    const name = [place.filter(Boolean).join('/'), tag].join(':').replace(/:latest$/, '');
    return layersOf(join(manifests, path)).map(([kind, blob]) => ({
      path: join(folder, 'blobs', blob),
      name: kind === 'model' ? name : `mmproj-${name}`,
    }));
  });
}

function namesIn(manifests: string): readonly string[] {
  try {
    return readdirSync(manifests, { recursive: true, encoding: 'utf8' }).slice(0, mostManifests);
  } catch {
    return [];
  }
}

/** The kinds and the files of a manifest's layers that are weights. */
function layersOf(manifest: string): readonly (readonly [string, string])[] {
  try {
    if (statSync(manifest).size > mostManifestBytes) return [];
    const { layers } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      readonly layers: readonly { readonly mediaType: string; readonly digest: string }[];
    };
    return layers.flatMap(({ mediaType, digest }) => {
      const [, kind] = layer.exec(mediaType) ?? [];
      const [, hash] = /^sha256:([0-9a-f]{64})$/.exec(digest) ?? [];
      return kind === undefined || hash === undefined ? [] : [[kind, `sha256-${hash}`] as const];
    });
  } catch {
    return [];
  }
}
