import { createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createWireId } from '../../generation/wire/wire-id.ts';
import { invalid } from '../../request/validate.ts';
import type { Item, ItemOf } from '../items/items.ts';

type Request = ItemOf<'mcp_approval_request'>;
type AskedCall = Pick<Request, 'server_label' | 'name' | 'arguments'>;

export interface ApprovedCall {
  readonly request: Request;
  /** Where the request to the API allows it. */
  readonly path: readonly PropertyKey[];
}

const rememberedApprovals = 10_000;
const signatureChars = 32;

/**
 * Asks for calls and takes the answers. The id of a question is signed together with the account and the call, so a
 * client can neither make up a call nor change one. An allowed call is made once.
 */
export class Approvals {
  readonly #signingKey: Uint8Array;
  readonly #used = new LRUCache<string, true>({ max: rememberedApprovals });

  constructor(signingKey: Uint8Array) {
    this.#signingKey = signingKey;
  }

  /** The id under which the account is asked for `call`. */
  ask(accountId: string, call: AskedCall): string {
    const id = createWireId('mcpr');
    return `${id}_${this.#sign(id, accountId, call)}`;
  }

  /** The calls that `input` allows and that were not made before. Throws invalid_value for an answer to no question. */
  read(accountId: string, history: readonly Item[], input: readonly Item[]): readonly ApprovedCall[] {
    const all = [...history, ...input];
    const answered = new Set(
      history.flatMap((item) => (item.type === 'mcp_approval_response' ? item.approval_request_id : [])),
    );
    return input.flatMap((item, index): ApprovedCall[] => {
      if (item.type !== 'mcp_approval_response') return [];
      const { approval_request_id: id, approve } = item;
      const path = ['input', index, 'approval_request_id'];
      const request = all.find((one): one is Request => one.type === 'mcp_approval_request' && one.id === id);
      if (request === undefined || !this.#isOwn(accountId, request))
        throw invalid(
          path,
          'must be the id of a call that this account was asked for, with the item that asked',
        );
      if (answered.has(id)) throw invalid(path, 'has been answered before');
      answered.add(id);
      if (all.some((one) => one.type === 'mcp_call' && one.approval_request_id === id)) return [];
      if (this.#used.get(id) === true)
        throw invalid(path, "has been answered before, and the call was made: send its item 'mcp_call' too");
      return approve ? [{ request, path }] : [];
    });
  }

  /** Must be called before the call is made. */
  use({ request }: ApprovedCall): void {
    this.#used.set(request.id, true);
  }

  #isOwn(accountId: string, request: Request): boolean {
    const at = request.id.lastIndexOf('_');
    const expected = Buffer.from(this.#sign(request.id.slice(0, at), accountId, request));
    const given = Buffer.from(request.id.slice(at + 1));
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #sign(id: string, accountId: string, { server_label: label, name, arguments: args }: AskedCall): string {
    const signed = JSON.stringify(['mcp approval', id, accountId, label, name, args]);
    return createHmac('sha256', this.#signingKey).update(signed).digest('hex').slice(0, signatureChars);
  }
}
