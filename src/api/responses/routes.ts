import type { AppDeps } from '../env.ts';
import type { Middleware, Routes } from '../add-routes.ts';
import { compactConversation } from './compact/route.ts';
import { listServers } from './mcp/servers-route.ts';
import { whenWritable } from '../middleware/draining.ts';
import { countInputTokens, createResponse } from './route.ts';
import { ResponseKeeper } from './stored/response-keeper.ts';
import { cancelResponse, deleteResponse, getResponse, listInputItems } from './stored/stored-routes.ts';

/** The routes of responses. `json` reads the body of a request. */
export function responseRoutes(deps: AppDeps, json: Middleware): Routes {
  const keeper = new ResponseKeeper(deps);
  return {
    '/v1/responses': { POST: [json, createResponse(deps, keeper)] },
    '/v1/responses/compact': { POST: [json, compactConversation(deps, keeper)] },
    '/v1/responses/input_tokens': { POST: [json, countInputTokens(deps, keeper)] },
    '/v1/mcp_servers': { GET: listServers(deps) },
    '/v1/responses/:id': {
      GET: getResponse(deps),
      DELETE: [whenWritable(deps.health), deleteResponse(deps)],
    },
    '/v1/responses/:id/cancel': { POST: cancelResponse(deps) },
    '/v1/responses/:id/input_items': { GET: listInputItems(deps) },
  };
}
