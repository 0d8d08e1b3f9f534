import type { Routes } from '../add-routes.ts';
import { noQuery } from '../admin/schema.ts';
import type { AppDeps } from '../env.ts';
import { readBody, readQuery } from '../request/read-parameters.ts';
import { formBody } from '../upload/form-body.ts';
import { toVoiceList, toWireVoice, voiceUpload } from './operation.ts';

/** GET /v1/audio/voices: the first one speaks where a request names none. */
export const voiceRoutes = ({ voices }: Pick<AppDeps, 'voices'>): Routes => ({
  '/v1/audio/voices': {
    GET: async (c) => {
      readQuery(c, noQuery);
      return c.json(toVoiceList(await voices.list()));
    },
  },
});

/** Voices are somebody's, so the operator alone adds them. */
export function adminVoiceRoutes({ voices, settings }: Pick<AppDeps, 'voices' | 'settings'>): Routes {
  const { uploadsDir, audioBodyLimitBytes: maxFileBytes } = settings;
  return {
    '/voices': {
      GET: async (c) => {
        readQuery(c, noQuery);
        return c.json(toVoiceList(await voices.list()));
      },
      POST: [
        formBody({ uploadsDir, maxFileBytes }),
        async (c) => {
          const { name, file } = readBody(c, voiceUpload);
          return c.json(toWireVoice(await voices.add(name, file, c.req.raw.signal)), 201);
        },
      ],
    },
    '/voices/:name': {
      DELETE: async (c) => {
        const name = c.req.param('name') ?? '';
        await voices.remove(name);
        return c.json({ id: name, object: 'voice', deleted: true });
      },
    },
  };
}
