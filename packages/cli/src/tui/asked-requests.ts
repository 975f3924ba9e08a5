import { openRequests, type Request, timeline, type View } from '@black-ide/protocol';

/** The questions of a view that wait for the person; looked at with every frame, so found once for each change. */
export class AskedRequests {
  #of: View['requests'] | undefined;
  #oldest: Request | undefined;

  /** The oldest question that is open on the path that is followed. */
  oldest(view: View): Request | undefined {
    if (this.#of === view.requests) return this.#oldest;
    const open = openRequests(view);
    // Questions of branches that were left concern nobody; walking the path costs, so only where one is open.
    const path = open.length > 0 ? new Set(timeline(view)) : undefined;
    const asked = view.items.flatMap((item) => (item.kind === 'request' && path?.has(item) ? [item.request.id] : []));
    this.#of = view.requests;
    this.#oldest = open.find(({ id }) => asked.includes(id));
    return this.#oldest;
  }
}
